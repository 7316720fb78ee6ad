/// The issues of one document: the first ones of each kind are kept, the others are counted.
///
/// A hostile file could have one per byte, and a valid file of many to-dos the same one in each.
package struct IssueList {
    /// The reported issues, in the order of detection.
    private var issues: [ParseIssue] = []
    private var kinds: [Kind: Tally] = [:]
    /// The limit of reported errors of one kind.
    private let errorLimit: Int

    /// The limit of reported findings of one kind that are not errors: after this number, more are not useful.
    package static let limit = 20
    /// Kinds that are distinguished; beyond this number, subjects no longer count.
    private static let maximumKinds = 1000

    private struct Kind: Hashable {
        let code: ParseIssue.Code
        let subject: String?
    }

    private struct Tally {
        var count = 0
        var told = 0
        /// The index of the last reported one in ``issues``.
        var last = 0
    }

    /// Creates an empty list.
    ///
    /// - Parameter errorLimit: the limit of reported errors of one kind.
    init(errorLimit: Int) { self.errorLimit = errorLimit }

    /// The reported issues, sorted by line; the last of a kind has the number of omitted ones.
    var sorted: [ParseIssue] {
        var issues = self.issues
        for tally in self.kinds.values where tally.told > 0 { issues[tally.last].more += tally.count - tally.told }
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
        if tally.told < (issue.code.isError ? self.errorLimit : Self.limit) {
            tally.told += 1
            tally.last = self.issues.count
            self.issues.append(issue)
        }
        self.kinds[kind] = tally
    }
}
