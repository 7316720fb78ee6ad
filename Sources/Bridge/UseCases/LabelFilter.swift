import Reminders

/// Lets reminders through that have one of some labels, compared without case; without labels, all.
struct LabelFilter: Sendable {
    private let wanted: Set<LabelKey>

    init(_ labels: [String]) { self.wanted = Set(labels.map { LabelKey($0) }) }

    func matches(_ labels: [String]) -> Bool {
        self.wanted.isEmpty || labels.contains { self.wanted.contains(LabelKey($0)) }
    }
}
