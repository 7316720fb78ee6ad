import RemindavBridge

/// The reason why an operation of ``Remindav`` failed.
public struct RemindavError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable identifier of the reason.
    ///
    /// A later version may add codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The identifier, such as `listNotFound`.
        public let rawValue: String

        /// Creates a code, for a comparison with a code that has no name here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        public var description: String { self.rawValue }
    }

    /// The reason, for decisions of the program.
    public let code: Code
    /// The name, number, address or file that the error is about; `nil` for none.
    ///
    /// It can contain the user's text.
    public let subject: String?
    /// The problem in English, without the subject.
    public let message: String

    /// The subject and the message.
    public var description: String { self.subject.map { "\($0): \(self.message)" } ?? self.message }

    init(_ code: ErrorCategory.Kind, _ message: String) {
        (self.code, self.subject, self.message) = (Code(rawValue: "\(code)"), nil, message)
    }

    init(_ error: any Error) {
        switch error {
        case let error as RemindavError: self = error
        case is CancellationError:
            (self.code, self.subject, self.message) = (.cancelled, nil, "the operation was cancelled")
        case let error as UseCaseError:
            self.code = Code(rawValue: "\(error.code)")
            (self.subject, self.message) = (error.subject, error.code.rawValue)
        default:
            let category = ErrorCategory.of(error)
            self.code = category.map { Code(rawValue: "\($0.kind)") } ?? .other
            (self.subject, self.message) = (category?.subject, category?.detail ?? "\(error)")
        }
    }
}

extension RemindavError.Code {
    /// The task that called the operation was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// An error without a code of its own; ``RemindavError/message`` describes it.
    public static let other = Self(rawValue: "other")

    // Accounts and servers
    /// The server refuses the user or the password.
    public static let authRejected = Self(rawValue: "authRejected")
    /// The server wants a password for this program, from its settings.
    public static let appPasswordNeeded = Self(rawValue: "appPasswordNeeded")
    /// The address has no name of a server.
    public static let badAddress = Self(rawValue: "badAddress")
    /// The server redirects to another host, which does not get the password.
    public static let redirectElsewhere = Self(rawValue: "redirectElsewhere")
    /// No server answers at this address.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The server did not answer in time.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The certificate of the server is signed by an unknown authority.
    public static let certificateUnknown = Self(rawValue: "certificateUnknown")
    /// The server has no CalDAV.
    public static let notDAV = Self(rawValue: "notDAV")
    /// The account has no list for reminders.
    public static let noTaskLists = Self(rawValue: "noTaskLists")
    /// There is no account yet.
    public static let noAccounts = Self(rawValue: "noAccounts")
    /// There is no account with this name.
    public static let accountNotFound = Self(rawValue: "accountNotFound")
    /// The store already has this account.
    public static let accountExists = Self(rawValue: "accountExists")
    /// The removal of the account would lose changes that were not sent.
    public static let unsentChanges = Self(rawValue: "unsentChanges")
    /// A daemon or another program delivers the alarms of this store.
    public static let daemonIsRunning = Self(rawValue: "daemonIsRunning")
    /// Another sync of this store is running.
    public static let syncIsRunning = Self(rawValue: "syncIsRunning")

    // Reminders, lists and labels
    /// There is no reminder with this number.
    public static let reminderNotFound = Self(rawValue: "reminderNotFound")
    /// There is no list with this name.
    public static let listNotFound = Self(rawValue: "listNotFound")
    /// There is already a list with this name.
    public static let listExists = Self(rawValue: "listExists")
    /// The user may not change the list.
    public static let listIsReadOnly = Self(rawValue: "listIsReadOnly")
    /// There is no label with this name.
    public static let labelNotFound = Self(rawValue: "labelNotFound")
    /// There is already a label with this name.
    public static let labelExists = Self(rawValue: "labelExists")
    /// Another program or a sync changed the same field since it was read.
    public static let changedMeanwhile = Self(rawValue: "changedMeanwhile")

    // The store
    /// Another process locked the store for too long.
    public static let storeLocked = Self(rawValue: "storeLocked")
    /// A newer version of the library wrote the store; it is not changed.
    public static let storeNewer = Self(rawValue: "storeNewer")
    /// The file of the store is damaged.
    public static let storeCorrupt = Self(rawValue: "storeCorrupt")
    /// The disk is full.
    public static let storeFull = Self(rawValue: "storeFull")
}
