/// Why the service cannot be set up or taken away.
///
/// Two errors are equal when their codes are.
struct ServiceError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case noProgram = "the file of this program is not there any more"
        case oddPath = "a path has a character in it that units and desktop entries have no way to write"
        case foreign = "this file was not written by remindav, or is a link"
        case notWritten = "it cannot be written or removed"
        case notEnabled = "systemd does not take the service"
        case noCommand = "the program that the settings name as 'open-command' is not there or fails"
        case notStarted = "the service does not start"
        case feedsNotStarted = "the service that serves feeds does not start"
    }

    let code: Code
    /// The path, or the details of the failure.
    let subject: String

    init(_ code: Code, _ subject: String) {
        self.code = code
        self.subject = subject
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
