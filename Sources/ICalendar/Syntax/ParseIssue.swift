/// Something in a stream that could not be read as RFC 5545 asks.
///
/// A stream with a bad line is not refused: the line stays in the bytes, this says where it is, and the rest is read.
public struct ParseIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let code: Code
    /// Counted from 1, in the stream as it was received; a folded line counts by its first physical line.
    public let line: Int
    /// The name of the property or component that it is about, in capitals; `nil` when none is known.
    public let subject: String?
    /// What exactly is wrong with the value, how it is read, or the name of what else has to do with it; never a text
    /// such as a title.
    public let detail: String?
    /// How many more of its kind there are that are not told.
    public internal(set) var more = 0

    /// An issue at a line.
    public init(_ code: Code, line: Int, subject: String? = nil, detail: String? = nil) {
        self.code = code
        self.line = line
        self.subject = subject
        self.detail = detail
    }

    /// What is wrong, in words, without the line.
    public var message: String {
        let template = self.code.words.sentence
        let isInPlace = self.detail == nil || template.contains("[")
        let sentence = template.filled(self.detail) + (isInPlace ? "" : " (\(self.detail ?? ""))")
        guard let subject = self.subject else { return sentence }
        return "\(subject): \(sentence)"
    }

    /// One sentence about what to do.
    public var advice: String { self.code.words.advice.filled(self.detail) }

    /// The line and what is wrong there, in words.
    public var description: String { "line \(self.line): \(self.message)" }
}

/// What one reading accepts from a stranger.
public struct ParseLimits: Hashable, Sendable {
    /// Nested components.
    ///
    /// RFC 5545 needs 3 (VCALENDAR, VTODO, VALARM), RFC 9073 one more.
    public var depth: Int
    /// Bytes of one unfolded line.
    ///
    /// A picture in an ATTACH is the only reason for more than a few thousand.
    public var lineBytes: Int
    /// Bytes of one top-level component of a streamed file.
    ///
    /// It is held in memory whole: room for a to-do with several pictures, and for a zone with all its history.
    public var componentBytes: Int
    /// Issues kept for one document; a hostile file could hold one per line.
    public var issues: Int

    /// Bytes of a whole document; more than 4 GiB are never read, since offsets have 32 bits.
    public var documentBytes: Int

    /// Limits of your own.
    public init(
        depth: Int,
        lineBytes: Int,
        componentBytes: Int,
        issues: Int,
        documentBytes: Int = Int(UInt32.max)
    ) {
        self.depth = depth
        self.lineBytes = lineBytes
        self.componentBytes = componentBytes
        self.issues = issues
        self.documentBytes = documentBytes
    }

    /// 16 levels, 1 MiB a line, 16 MiB a component, 1,000 issues, 4 GiB a document.
    public static let standard = Self(
        depth: 16,
        lineBytes: 1 << 20,
        componentBytes: 1 << 24,
        issues: 1000
    )
}
