/// A part of a stream that violates RFC 5545.
///
/// A stream with a bad line is not refused: the line stays in the bytes, the issue has its position, and the rest is
/// parsed.
public struct ParseIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of issue.
    public let code: Code
    /// Counted from 1, in the stream as received; a folded line has the number of its first physical line.
    public let line: Int
    /// The name of the affected property or component, in capitals; `nil` when unknown.
    public let subject: String?
    /// The exact problem of the value, its interpretation, or the name of a related part; never a text such as a title.
    public let detail: String?
    /// The number of omitted issues of the same kind.
    public internal(set) var more = 0

    /// Creates an issue at a line.
    public init(_ code: Code, line: Int, subject: String? = nil, detail: String? = nil) {
        self.code = code
        self.line = line
        self.subject = subject
        self.detail = detail
    }

    /// A description of the problem, without the line.
    public var message: String {
        let template = self.code.words.sentence
        let isInPlace = self.detail == nil || template.contains("[")
        let sentence = template.filled(self.detail) + (isInPlace ? "" : " (\(self.detail ?? ""))")
        guard let subject = self.subject else { return sentence }
        return "\(subject): \(sentence)"
    }

    /// One sentence of advice.
    public var advice: String { self.code.words.advice.filled(self.detail) }

    /// The line and a description of the problem.
    public var description: String { "line \(self.line): \(self.message)" }
}

/// Limits for untrusted input.
public struct ParseLimits: Hashable, Sendable {
    /// Nested components.
    ///
    /// RFC 5545 needs 3 (VCALENDAR, VTODO, VALARM), RFC 9073 one more.
    public var depth: Int
    /// Bytes of one unfolded line.
    ///
    /// Only a picture in an ATTACH needs more than a few thousand.
    public var lineBytes: Int
    /// Bytes of one top-level component of a streamed file.
    ///
    /// It is held in memory as a whole: enough for a to-do with several pictures, and for a zone with all its history.
    public var componentBytes: Int
    /// Issues kept for one document; a hostile file could hold one per line.
    public var issues: Int

    /// Bytes of a whole document; more than 4 GiB are never read, since offsets have 32 bits.
    public var documentBytes: Int

    /// Creates custom limits.
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
