/// An error in installing or removing the service; two errors are equal if their codes are equal.
struct ServiceError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case noProgram = "the file of this program was removed"
        case oddPath = "a path contains a character that units and desktop entries cannot contain"
        case foreign = "this file was not written by remindav, or is a link"
        case notWritten = "this file cannot be written or removed"
        case notEnabled = "systemd does not accept the service"
        case noCommand = "the program of the setting 'open-command' is missing or fails"
        case notStarted = "the service does not start"
        case webNotStarted = "systemd cannot listen for the web pages"
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
