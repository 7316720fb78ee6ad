/// The exit status of a command.
///
/// A number that is not listed here means failure.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case success = 0
    /// Standard error has the reason.
    case failure = 1
    /// The command line is not valid.
    case usage = 2
    /// Some items are done, others failed.
    case partial = 3
    /// The reminder, list, account or feed does not exist.
    case notFound = 4
    /// Another remindav holds the store or the lock.
    case locked = 5
    /// The server did not accept the name or the password.
    case authentication = 6
    /// The server could not be reached, or broke off.
    case network = 7
    /// The reminder was changed during an edit.
    case conflict = 8
    /// A safety limit stopped it; nothing was deleted.
    case refused = 9
    /// Stopped by Ctrl-C.
    case interrupted = 130
    /// Standard output is closed; the same number as for SIGPIPE in a shell.
    case brokenPipe = 141
}

extension ExitStatus {
    /// For the help page; `nil` for statuses without documentation.
    var summary: String? {
        switch self {
        case .success: "done"
        case .failure: "failed"
        case .usage: "wrong usage, or an invalid value"
        case .partial: "partly done: some items failed"
        case .notFound: "no such reminder, list, label, account or feed"
        case .locked: "the store is in use, or a sync is already running"
        case .authentication: "the server did not accept the user name or the password"
        case .network: "the server could not be reached, or the connection broke"
        case .conflict: "the reminder was changed during your edit; your text is saved"
        case .refused: "refused by a safety limit"
        case .interrupted: "interrupted"
        case .brokenPipe: nil
        }
    }
}
