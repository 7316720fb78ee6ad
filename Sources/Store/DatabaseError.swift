/// The reason why the store could not be opened, read or written.
///
/// Two errors are equal when their codes are equal. The description never quotes text that a user entered.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// Another process locked the store for longer than the busy timeout.
        case busy
        /// The database file is damaged, or it is not a store.
        case corrupt
        /// The database file is empty.
        case cutOff
        /// The disk or a quota is full; the store is unchanged.
        case full
        /// The database file or its folder is not writable.
        case readOnly
        /// A newer version of this program has migrated the store to a schema that this version cannot read.
        case newerVersion(found: Int, known: Int)
        /// The store's folder or file could not be created or opened.
        case cannotOpen
        /// The operating system reported an error while it read or wrote the database file.
        case cannotAccess
        /// Another process is syncing the same lists.
        case syncIsRunning
        /// The store has no list, object, account or feed with this id.
        case notFound
        /// Another record already has this name, UID or address, which must be unique.
        case alreadyExists
        /// The database server cannot be reached or is too busy; nothing was changed.
        case unavailable
        /// The database server does not let this role in; nothing was changed.
        case signInRefused
        /// The setting names a database or a service that does not exist.
        case databaseMissing
        /// The library of the database server is not installed.
        case libraryMissing
        /// The connection to the database server ended during a commit, and the server does not say how it ended.
        case outcomeUnknown
        /// Another worker has taken over the sync of this account; the write was discarded.
        case leaseLost
        /// The administrator has suspended or removed the tenant, whose store this is.
        case suspended
        /// The write would exceed a limit of the tenant; nothing was changed.
        case quotaExceeded
        /// A UID, address or name is longer than ``KeyLimits`` allows.
        case keyTooLong
        /// The database server must not be used with this role or schema.
        case unsuitable
        /// Any other error of the database.
        case other

        /// Whether there is no connection to the database server.
        package var isOfConnection: Bool {
            [.unavailable, .signInRefused, .databaseMissing, .libraryMissing].contains(self)
        }
    }

    /// The kind of failure.
    package let code: Code
    /// A numeric reason: `errno` or SQLite's extended result code; 0 when no number is available.
    ///
    /// It is `errno` for ``Code/cannotOpen``, ``Code/cannotAccess`` and system calls outside SQLite.
    package let detail: Int32
    /// The message of the system or of SQLite for ``detail``; the message contains no data of the store.
    private let reason: String?

    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - detail: the database's result code or `errno`.
    package init(_ code: Code, detail: Int32 = 0) { self.init(code, detail: detail, reason: nil) }

    package init(_ code: Code, detail: Int32, reason: String?) {
        self.code = code
        self.detail = detail
        self.reason = reason
    }

    /// An English sentence that states the reason.
    package var description: String {
        switch self.code {
        case .busy: "The store is in use by another process."
        case .corrupt: "The store's file is damaged, or it is not a remindav store."
        case .cutOff: "The store's file reminders.db is empty: its content is lost."
        case .full: "The disk is full; the store was not changed."
        case .readOnly: "The store cannot be written."
        case .newerVersion(let found, let known):
            "The store has format \(found), but this version of remindav supports formats only up to \(known)."
        case .cannotOpen: "The store cannot be opened\(self.reason.map { ": \($0)" } ?? "")."
        case .cannotAccess: "The store's file cannot be read or written\(self.reason.map { ": \($0)" } ?? "")."
        case .syncIsRunning: "Another remindav is syncing this store."
        case .notFound: "There is nothing with this id in the store."
        case .alreadyExists: "The store already has an entry with this name, UID or address."
        case .unavailable:
            "The database server cannot be reached\(self.reason.map { ": \($0)" } ?? "")."
        case .signInRefused: "The database server refused the sign-in: \(self.reason ?? "unknown reason")."
        case .databaseMissing: "The database of the setting 'host' is not found: \(self.reason ?? "unknown reason")."
        case .libraryMissing: "The library \(self.reason ?? "of the database server") is not installed."
        case .unsuitable: "The database of the host cannot be used: \(self.reason ?? "unknown reason")."
        case .outcomeUnknown: "The connection to the database server ended, and the last change may be stored or not."
        case .leaseLost: "Another worker syncs this account now."
        case .quotaExceeded: "The administrator allows only \(self.reason ?? "less") for this tenant."
        case .keyTooLong: "The store has a UID, an address or a name that is too long for the database of the host."
        case .suspended: "The administrator has suspended this tenant."
        case .other: "The store's database reports: \(self.reason ?? "unknown error")."
        }
    }

    /// Two errors are equal when their codes are equal.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }

    /// Hashes only the code.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
