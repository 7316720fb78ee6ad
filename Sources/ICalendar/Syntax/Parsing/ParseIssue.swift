/// A part of a stream that violates RFC 5545; it stays in the bytes, and the rest is parsed.
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
    /// Nested components; RFC 5545 needs 3 (VCALENDAR, VTODO, VALARM), RFC 9073 one more.
    public var depth = 16
    /// Bytes of one unfolded line; only a picture in an ATTACH needs more than a few thousand.
    public var lineBytes = 1 << 20
    /// Bytes of one top-level component of a streamed file, which is held in memory as a whole.
    public var componentBytes = 1 << 24
    /// Issues kept for one document; a hostile file could hold one per line.
    public var issues = 1000
    /// Bytes of a whole document; more than 4 GiB are never read, since offsets have 32 bits.
    public var documentBytes = Int(UInt32.max)

    /// 16 levels, 1 MiB a line, 16 MiB a component, 1,000 issues, 4 GiB a document.
    public static let standard = Self()
}

/// The first issues of each kind; the others are counted: a hostile file could have one per byte.
package struct IssueList {
    private var issues: [ParseIssue] = []
    private var kinds: [Kind: Tally] = [:]
    private let errorLimit: Int

    /// Findings of one kind that are not errors: after this number, more are not useful.
    package static let limit = 20
    /// Kinds that are distinguished; beyond this number, subjects no longer count.
    private static let maximumKinds = 1000

    private struct Kind: Hashable {
        let code: ParseIssue.Code
        let subject: String?
    }

    private struct Tally {
        var count = 0
        var shown = 0
        var last = 0
    }

    init(errorLimit: Int) { self.errorLimit = errorLimit }

    /// The last of a kind has the number of omitted ones.
    var sorted: [ParseIssue] {
        var issues = self.issues
        for tally in self.kinds.values where tally.shown > 0 { issues[tally.last].more += tally.count - tally.shown }
        return issues.sorted { ($0.line, $0.code.rawValue) < ($1.line, $1.code.rawValue) }
    }

    /// Counts issues of unknown kind as issues of the kind of `issue`, which is most likely.
    mutating func count(_ more: Int, like issue: ParseIssue) {
        self.kinds[Kind(code: issue.code, subject: issue.subject)]?.count += more
    }

    mutating func add(_ issue: ParseIssue) {
        var kind = Kind(code: issue.code, subject: issue.subject)
        if self.kinds.count >= Self.maximumKinds, self.kinds[kind] == nil {
            kind = Kind(code: issue.code, subject: nil)
        }
        var tally = self.kinds[kind] ?? Tally()
        tally.count += 1
        if tally.shown < (issue.code.isError ? self.errorLimit : Self.limit) {
            tally.shown += 1
            tally.last = self.issues.count
            self.issues.append(issue)
        }
        self.kinds[kind] = tally
    }
}
