/// Lets reminders through that have one of some labels, compared without case; without labels, all.
struct LabelFilter: Sendable {
    private let wanted: Set<String>

    init(_ labels: [String]) { self.wanted = Set(labels.map { $0.lowercased() }) }

    func matches(_ labels: [String]) -> Bool {
        self.wanted.isEmpty || labels.contains { self.wanted.contains($0.lowercased()) }
    }
}
