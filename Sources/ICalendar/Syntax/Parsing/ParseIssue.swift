/// A violation of RFC 5545 in a stream; the bytes stay as they are, and the rest of the stream is parsed.
public struct ParseIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of issue.
    public let code: Code
    /// The line number in the stream as received, from 1; a folded line has the number of its first physical line.
    public let line: Int
    /// The name of the affected property or component, in capitals; `nil` when unknown.
    public let subject: String?
    /// The exact fault, the interpretation, or the name of a related component or property; never a user's text.
    public let detail: String?
    /// The number of further issues with this code and subject that are not listed.
    public internal(set) var more = 0

    /// Creates an issue at a line.
    public init(_ code: Code, line: Int, subject: String? = nil, detail: String? = nil) {
        self.code = code
        self.line = line
        self.subject = subject
        self.detail = detail
    }

    /// A description of the problem with the name of the property or component, without the line number.
    public var message: String {
        let template = self.code.words.sentence
        let isInPlace = self.detail == nil || template.contains("[")
        let sentence = template.filled(self.detail) + (isInPlace ? "" : " (\(self.detail ?? ""))")
        guard let subject = self.subject else { return sentence }
        return "\(subject): \(sentence)"
    }

    /// One sentence of advice for the user.
    public var advice: String { self.code.words.advice.filled(self.detail) }

    /// The line number and a description of the problem.
    public var description: String { "line \(self.line): \(self.message)" }
}

/// Limits for untrusted input.
public struct ParseLimits: Hashable, Sendable {
    /// The largest depth of nested components; RFC 5545 needs 3 (VCALENDAR, VTODO, VALARM), and RFC 9073 needs 4.
    public var depth = 16
    /// The largest number of bytes in an unfolded line; only a picture in an ATTACH needs more than a few thousand.
    public var lineBytes = 1 << 20
    /// The largest number of bytes in one top-level component of a streamed file; it must fit into memory as a whole.
    public var componentBytes = 1 << 24
    /// The largest number of stored issues for one document; a hostile file could have an issue in every line.
    public var issues = 1000
    /// The largest number of bytes in a document; offsets have 32 bits, so a document over 4 GiB is never parsed.
    public var documentBytes = Int(UInt32.max)

    /// Depth 16, 1 MiB per line, 16 MiB per component, 1,000 issues, 4 GiB per document.
    public static let standard = Self()
}

/// The first issues of each code and subject; others are only counted: a hostile file could have one for every byte.
package struct IssueList {
    private var issues: [ParseIssue] = []
    private var kinds: [Kind: Tally] = [:]
    private let errorLimit: Int

    /// The largest number of listed issues of each kind, except errors; more of them would not help a user.
    package static let limit = 20
    /// The largest number of separately counted kinds; after that, issues with a new subject are counted by code only.
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

    /// The listed issues, sorted by line and code; the last one of each kind has the number of omitted ones in `more`.
    var sorted: [ParseIssue] {
        var issues = self.issues
        for tally in self.kinds.values where tally.shown > 0 { issues[tally.last].more += tally.count - tally.shown }
        return issues.sorted { ($0.line, $0.code.rawValue) < ($1.line, $1.code.rawValue) }
    }

    /// Adds `more` issues of unknown kind to the count for the kind of `issue`, which is their most likely kind.
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
