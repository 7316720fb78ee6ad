/// Why an answer's body could not be read.
///
/// Two errors are equal when their codes are.
package struct WebDAVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words that follow "the server says" or stand alone.
    package enum Code: String, Sendable {
        case unreadable = "the answer cannot be read"
        case notMultistatus = "the answer is not a WebDAV multistatus"
    }

    /// What is wrong.
    package let code: Code
    /// What the XML reader says; holds nothing of the document.
    package let detail: String

    /// What is wrong, and where the reader stopped.
    package var description: String {
        self.detail.isEmpty ? self.code.rawValue : "\(self.code.rawValue): \(self.detail)"
    }

    /// Whether both have the same code.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Feeds the code.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
