/// The issues of one document: of each kind the first are kept, the others are counted.
///
/// A hostile file could hold one per byte, and a sound file of many to-dos the same one in each.
package struct IssueList {
    /// What is told, in the order in which it was met.
    private var issues: [ParseIssue] = []
    private var kinds: [Kind: Tally] = [:]
    /// How many errors of one kind are told.
    private let errorLimit: Int

    /// How many findings of one kind are told that are no errors: who has read so many knows it.
    package static let limit = 20
    /// Kinds that are told apart; beyond them, subjects no longer count.
    private static let maximumKinds = 1000

    private struct Kind: Hashable {
        let code: ParseIssue.Code
        let subject: String?
    }

    private struct Tally {
        var count = 0
        var told = 0
        /// Where the last one that is told stands among ``issues``.
        var last = 0
    }

    /// - Parameter errorLimit: how many errors of one kind are told.
    init(errorLimit: Int) { self.errorLimit = errorLimit }

    /// What is told, by line; the last of a kind says how many follow.
    var sorted: [ParseIssue] {
        var issues = self.issues
        for tally in self.kinds.values where tally.told > 0 { issues[tally.last].more += tally.count - tally.told }
        return issues.sorted { ($0.line, $0.code.rawValue) < ($1.line, $1.code.rawValue) }
    }

    /// Counts issues of which nothing more is known than that they are most likely of the kind of `issue`.
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
