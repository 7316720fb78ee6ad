/// The exit statuses, which must not change, because scripts depend on these numbers.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case success = 0
    case failure = 1
    case usage = 2
    case partial = 3
    case notFound = 4
    case locked = 5
    case authentication = 6
    case network = 7
    case conflict = 8
    case refused = 9
    case interrupted = 130
    /// The reader of standard output has closed it; a shell reports SIGPIPE with the same number.
    case brokenPipe = 141
}

extension ExitStatus {
    /// The description for help pages; `nil` for a status that they do not list.
    var summary: String? {
        switch self {
        case .success: "done"
        case .failure: "failed"
        case .usage: "wrong usage, or an invalid value"
        case .partial: "partly done: some items failed"
        case .notFound: "no such reminder, list, label, account or feed"
        case .locked: "the store is in use, a sync is already running, or the database of a host cannot be reached"
        case .authentication: "the server did not accept the user name or the password"
        case .network: "the server could not be reached, or the connection broke"
        case .conflict: "the reminder was changed during your edit; your text is saved"
        case .refused: "refused by a safety limit"
        case .interrupted: "interrupted"
        case .brokenPipe: nil
        }
    }
}
