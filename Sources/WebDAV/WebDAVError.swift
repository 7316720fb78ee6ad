/// The reason why an answer's body could not be read.
///
/// Two errors are equal when their codes are equal.
package struct WebDAVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, as a text that can follow "the server says" or stand alone.
    package enum Code: String, Sendable {
        case unreadable = "the answer cannot be read"
        case notMultistatus = "the answer is not a WebDAV multistatus"
    }

    package let code: Code
    /// The XML parser's message; contains no part of the document.
    package let detail: String

    /// The error, and the position at which the parser stopped.
    package var description: String {
        self.detail.isEmpty ? self.code.rawValue : "\(self.code.rawValue): \(self.detail)"
    }

    /// Whether both have the same code.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
