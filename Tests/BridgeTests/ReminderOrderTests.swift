import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("the order of a flat list")
struct ReminderOrderTests {
    private static func views(_ random: inout SeededGenerator) -> [ReminderView] {
        (0..<200).map { number in
            let title = ["b", "B", "a", "ä"].randomElement(using: &random) ?? ""
            var view = ReminderView(
                id: Int64(number),
                uid: "",
                list: ["x", "Y"][number % 2],
                title: title,
                group: .later
            )
            let seconds: [Int64?] = [nil, 1, 2]
            view.dueInstant = (seconds.randomElement(using: &random) ?? nil).map { Instant(secondsSince1970: $0) }
            view.startInstant = (seconds.randomElement(using: &random) ?? nil).map { Instant(secondsSince1970: $0) }
            view.priority = Priority.allCases.randomElement(using: &random) ?? .undefined
            view.labels = [[], ["b"], ["c", "A"]].randomElement(using: &random) ?? []
            view.createdAt = [nil, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"].randomElement(using: &random) ?? nil
            view.updatedAt = [nil, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"].randomElement(using: &random) ?? nil
            return view
        }
    }

    private static func isMissing(_ key: ReminderOrder.Key, in view: ReminderView) -> Bool {
        switch key {
        case .due: view.effectiveInstant == nil
        case .start: view.startInstant == nil
        case .priority: view.priority == .undefined
        case .title, .list: false
        case .created: view.createdAt == nil
        case .changed: view.updatedAt == nil
        case .label: view.labels.isEmpty
        }
    }

    @Test("a list sorted by two keys is sorted stably by the second and then by the first", arguments: [3, 4, 5])
    func stable(seed: UInt64) {
        var random = SeededGenerator(seed)
        var views = Self.views(&random)
        views.sortInListOrder()
        for first in ReminderOrder.Key.allCases {
            for second in ReminderOrder.Key.allCases where second != first {
                let terms = [
                    ReminderOrder.Term(first, isReversed: Bool.random(using: &random)),
                    ReminderOrder.Term(second, isReversed: Bool.random(using: &random)),
                ]
                var once = views
                once.sort(in: ReminderOrder(terms))
                var twice = views
                twice.sort(in: ReminderOrder([terms[1]]))
                twice.sort(in: ReminderOrder([terms[0]]))
                #expect(once == twice)
                let missing = once.map { Self.isMissing(first, in: $0) }
                #expect(missing == missing.sorted { !$0 && $1 }, "reminders without \(first) come last")
            }
        }
        #expect(ReminderOrder([]).indices(of: views) == Array(views.indices))
    }

    @Test("equal times are ordered by priority, and then by title without case")
    func defaultOrder() {
        let rows: [(title: String, priority: Priority)] = [
            ("Missed 5", .undefined), ("zebra", .high), ("apple", .undefined), ("Banana", .undefined), ("Low", .low),
            ("Apple", .undefined),
        ]
        var views = rows.enumerated().map { number, row in
            var view = ReminderView(id: Int64(number), uid: "", list: "", title: row.title, group: .today)
            view.priority = row.priority
            return view
        }
        views.sortInListOrder()
        #expect(views.map(\.title) == ["zebra", "Low", "Apple", "apple", "Banana", "Missed 5"])
    }
}
