/// The reason that the store could not be opened, read or written.
///
/// Two errors are equal when their codes are. The description never quotes texts of users.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// Another process held the store for longer than the busy timeout.
        case busy
        /// The file is damaged, or it is not a store.
        case corrupt
        /// The file is empty.
        case cutOff
        /// The disk or a quota is full; nothing was changed.
        case full
        /// The file or its folder cannot be written.
        case readOnly
        /// The schema is newer than this program.
        case newerVersion(found: Int, known: Int)
        /// The folder or file could not be created or opened.
        case cannotOpen
        /// The operating system could not read or write the file.
        case cannotAccess
        /// Another process is synchronizing this store.
        case syncIsRunning
        /// There is no such list, object, account or feed.
        case notFound
        /// A name, UID or address that must be unique is taken.
        case alreadyExists
        /// Any other error of the database.
        case other
    }

    /// The kind of failure.
    public let code: Code
    /// SQLite's extended result code, or `errno` for ``Code/cannotOpen``, ``Code/cannotAccess`` and where no database
    /// was involved; 0 when neither says more.
    public let detail: Int32
    /// The message of the system or the database for ``detail``, without content of the store.
    private let reason: String?

    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - detail: the database's result code or `errno`.
    public init(_ code: Code, detail: Int32 = 0) { self.init(code, detail: detail, reason: nil) }

    package init(_ code: Code, detail: Int32, reason: String?) {
        self.code = code
        self.detail = detail
        self.reason = reason
    }

    /// One sentence.
    public var description: String {
        switch self.code {
        case .busy: "The store is in use by another process."
        case .corrupt: "The store's file is damaged, or it is not a remindav store."
        case .cutOff: "The store's file, reminders.db, is empty: all that was in it was cut off."
        case .full: "The disk is full; the store was not changed."
        case .readOnly: "The store cannot be written to."
        case .newerVersion(let found, let known):
            "The store has format \(found), and this program knows formats up to \(known)."
        case .cannotOpen: "The store cannot be opened\(self.reason.map { ": \($0)" } ?? "")."
        case .cannotAccess: "The store's file cannot be read or written\(self.reason.map { ": \($0)" } ?? "")."
        case .syncIsRunning: "Another remindav is syncing this store."
        case .notFound: "There is nothing with this id in the store."
        case .alreadyExists: "The store already has an entry with this name, UID or address."
        case .other: "The store's database reports: \(self.reason ?? "unknown error")."
        }
    }

    /// Two errors are equal when their codes are.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }

    /// Only the code counts.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
