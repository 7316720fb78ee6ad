/// How a command ended, for the shell that started it.
///
/// A number that is not listed here means failure.
enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Everything that was asked for is done.
    case success = 0
    /// It failed; the sentence on standard error says why.
    case failure = 1
    /// The words on the command line, or a value among them, cannot be used.
    case usage = 2
    /// Some of what was asked for is done, some failed.
    case partial = 3
    /// The reminder, list, account or feed does not exist.
    case notFound = 4
    /// Another remindav holds the store or the lock.
    case locked = 5
    /// The server did not accept the name or the password.
    case authentication = 6
    /// The server could not be reached, or broke off.
    case network = 7
    /// Both sides changed the same thing and a person has to decide.
    case conflict = 8
    /// A safety limit stopped it; nothing was deleted.
    case refused = 9
    /// Stopped by Ctrl-C.
    case interrupted = 130
    /// Nobody reads standard output any more; what a shell shows for SIGPIPE.
    case brokenPipe = 141
}

extension ExitStatus {
    /// What the help page says about it; `nil` for those that no command documents.
    var summary: String? {
        switch self {
        case .success: "done"
        case .failure: "failed"
        case .usage: "wrong usage, or a value that cannot be used"
        case .partial: "done in part: some items failed"
        case .notFound: "no such reminder, list, label, account or feed"
        case .locked: "the store is in use, or a sync is already running"
        case .authentication: "the server did not accept the user name or the password"
        case .network: "the server could not be reached, or broke off"
        case .conflict: "what you edited was changed meanwhile; your text is kept"
        case .refused: "refused by a safety limit"
        case .interrupted: "interrupted"
        case .brokenPipe: nil
        }
    }
}
