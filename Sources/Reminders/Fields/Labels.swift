import ICalendar

extension Reminder {
    /// The labels of all CATEGORIES, in order; of two that differ in case only, the first (RFC 5545 §3.8.1.2).
    public var labels: [String] {
        var seen: Set<String> = []
        return self.todo.all(.categories)
            .flatMap(\.textList)
            .map(\.trimmingSpaces)
            .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    }
}
