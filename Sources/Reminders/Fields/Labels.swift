import ICalendar

extension Reminder {
    /// The labels of all CATEGORIES, in order; of several that are the same one, the first (RFC 5545 §3.8.1.2).
    public var labels: [String] {
        var seen: Set<LabelKey> = []
        return self.todo.all(.categories)
            .flatMap(\.textList)
            .map(\.trimmingSpaces)
            .filter { !$0.isEmpty && seen.insert(LabelKey($0)).inserted }
    }

    /// The label that stands for the reminder where there is room for one only: the first of its labels that is known.
    ///
    /// - Returns: `nil` when none of them is.
    public func label(among known: [LabelKey: Label]) -> Label? {
        self.labels.lazy.compactMap { known[LabelKey($0)] }.first
    }
}
