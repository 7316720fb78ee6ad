import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavTestSupport
import Testing

@testable import RemindavBridge

@Suite("filters of reminders")
struct FilterTests {
    /// Reminders with random due times around the present in several forms, labels, priorities, states and lists.
    private static func text(_ random: inout SeededGenerator, count: Int, list: String) -> String {
        let todos = (0..<count).map { number -> String in
            let day = Int.random(in: 15...26, using: &random)
            let hour = Int.random(in: 0...23, using: &random)
            let time = "202611\(day)T\(hour < 10 ? "0" : "")\(hour)0000"
            let due =
                [
                    "", "DUE;VALUE=DATE:202611\(day)\n", "DUE:\(time)\n", "DUE:\(time)Z\n",
                    "DUE;TZID=Pacific/Kiritimati:\(time)\n", "DUE;TZID=Pacific/Pago_Pago:\(time)\n",
                ].randomElement(using: &random) ?? ""
            let labels = ["", "CATEGORIES:work\n", "CATEGORIES:Work,home\n", "CATEGORIES:HOME\n"]
            let states = ["", "", "STATUS:COMPLETED\n", "STATUS:CANCELLED\n", "STATUS:IN-PROCESS\n"]
            let notes = ["", "DESCRIPTION:call Ben\n", "DESCRIPTION:milk\n"]
            let snoozes = ["", "", "X-MOZ-SNOOZE-TIME:20261121T080000Z\n", "X-MOZ-SNOOZE-TIME:20261119T080000Z\n"]
            let later = Int.random(in: 19...23, using: &random)
            let starts = ["", "DTSTART;VALUE=DATE:202611\(later)\n", "DTSTART:202611\(later)T120000Z\n"]
            let alarm = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;VALUE=DATE-TIME:202611\(later)T000000Z\nEND:VALARM\n"
            let start =
                (starts.randomElement(using: &random) ?? "") + (["", alarm].randomElement(using: &random) ?? "")
            return
                "BEGIN:VTODO\nUID:\(list)\(number)\nSUMMARY:\(["Milk", "Ben", "Other"].randomElement(using: &random) ?? "")\n"
                + due + (labels.randomElement(using: &random) ?? "") + (states.randomElement(using: &random) ?? "")
                + (notes.randomElement(using: &random) ?? "") + (snoozes.randomElement(using: &random) ?? "")
                + start
                + (["", "PRIORITY:1\n", "PRIORITY:5\n", "PRIORITY:9\n"].randomElement(using: &random) ?? "")
                + "END:VTODO\n"
        }
        return "BEGIN:VCALENDAR\n\(todos.joined())END:VCALENDAR\n"
    }

    private static func filter(_ random: inout SeededGenerator, depth: Int = 0) -> ReminderFilter {
        func sometimes<Value>(_ values: Value...) -> Value? {
            Int.random(in: 0..<4, using: &random) == 0 ? values.randomElement(using: &random) : nil
        }
        var filter = ReminderFilter(includesCompleted: sometimes(true) ?? false)
        filter.lists = sometimes(["a"], ["A", "b"]) ?? []
        filter.labels = sometimes(["WORK"], ["work", "home"]) ?? []
        filter.requiredLabels = sometimes(["home"], ["work", "home"]) ?? []
        filter.excludedLabels = sometimes(["home"], ["work", "nothing"]) ?? []
        filter.section = sometimes(.today, .upcoming, .completed)
        filter.isOverdue = sometimes(true) ?? false
        filter.starts = sometimes([.started], [.later], [.started, .later]) ?? []
        filter.priorities = sometimes([.high], [.low, .undefined], [.medium, .high]) ?? []
        filter.query = sometimes(SearchQuery(["milk"]), SearchQuery(["ben", "call"])) ?? nil
        let moment = Workplace.now.adding(seconds: Int.random(in: -90...90, using: &random) * 3600)
        filter.due = sometimes(
            .absent,
            .within(from: moment, before: nil),
            .within(from: nil, before: moment),
            .within(from: moment, before: moment.adding(seconds: 86400))
        )
        if depth < 2, let other = sometimes(true).map({ _ in Self.filter(&random, depth: depth + 1) }) {
            filter.others = [other]
        }
        return filter
    }

    /// Decides from the complete view alone.
    private func matches(_ view: ReminderView, _ filter: ReminderFilter) -> Bool {
        let labels = Set(view.labels.map { $0.lowercased() })
        let texts = [view.title, view.notes ?? ""] + view.labels
        let words = ["milk", "ben", "call"].filter { filter.query?.wordTexts.contains($0) ?? false }
        let isDue =
            switch filter.due {
            case nil: true
            case .absent: view.due == nil
            case .within(let from, let before):
                view.dueInstant.map { due in due >= from ?? due && before.map { due < $0 } ?? true } ?? false
            }
        return (filter.lists.isEmpty || filter.lists.contains { $0.lowercased() == view.list })
            && (filter.labels.isEmpty || filter.labels.contains { labels.contains($0.lowercased()) })
            && filter.requiredLabels.allSatisfy { labels.contains($0) }
            && !filter.excludedLabels.contains { labels.contains($0) }
            && (filter.section == nil || filter.section == view.section) && (!filter.isOverdue || view.overdue) && isDue
            && (filter.starts.isEmpty || filter.starts.contains(view.startsLater ? .later : .started))
            && (filter.priorities.isEmpty || filter.priorities.contains(view.priority))
            && words.allSatisfy { word in texts.contains { $0.lowercased().contains(word) } }
            && filter.others.allSatisfy { self.matches(view, $0) }
    }

    private func includesCompleted(_ filter: ReminderFilter) -> Bool {
        filter.includesCompleted || filter.section == .completed
            || filter.others.contains(where: self.includesCompleted)
    }

    @Test(
        "a filter in the database selects the reminders that it selects among all views",
        arguments: ["UTC", "America/New_York", "Pacific/Kiritimati"]
    )
    func law(zone: String) throws {
        var random = SeededGenerator(18)
        let useCases = try Workplace.open(localZone: zone)
        for list in ["a", "b"] {
            try useCases.store.write { _ = try $0.insertList(named: list, color: nil, at: 0) }
            try Workplace.load(Self.text(&random, count: 150, list: list), into: useCases, list: list)
        }
        let all = try useCases.reminders(matching: ReminderFilter(includesCompleted: true))
        #expect(all.count == 300)
        let later = all.filter(\.startsLater)
        #expect(!later.isEmpty)
        var found = 0
        let rounds = Cases.count(400)
        for _ in 0..<rounds {
            let filter = Self.filter(&random)
            let includesCompleted = self.includesCompleted(filter)
            let expected = all.filter { view in
                (includesCompleted || view.section != .completed) && self.matches(view, filter)
            }
            #expect(try useCases.reminders(matching: filter) == expected, "\(filter)")
            #expect(try useCases.reminders(matching: filter, detail: .line).map(\.id) == expected.map(\.id))
            let hides = filter.all.allSatisfy { $0.starts.isEmpty && $0.query == nil && !$0.includesCompleted }
            let shown = hides ? expected.filter { !$0.startsLater } : expected
            for detail in [ReminderDetail.line, .everything] {
                let listing = try useCases.listing(filter, detail: detail)
                #expect(listing.reminders.map(\.id) == shown.map(\.id), "\(filter)")
                #expect(listing.hiddenCount == expected.count - shown.count)
            }
            found += expected.count
        }
        #expect(found > rounds * 2)
    }

    @Test("an all-day reminder counts as the beginning of its day")
    func allDay() throws {
        let useCases = try Workplace.open(localZone: "Europe/Berlin")
        try Workplace.load(
            """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:1
            SUMMARY:Day
            DUE;VALUE=DATE:20261127
            END:VTODO
            END:VCALENDAR

            """,
            into: useCases
        )
        let beginning = try #require(Instant(wire: "20261126T230000Z"))
        for (from, before, isFound) in [(0, 1, true), (1, 2, false), (-1, 0, false), (-1, 1, true)] {
            var filter = ReminderFilter()
            filter.due = .within(from: beginning.adding(seconds: from), before: beginning.adding(seconds: before))
            #expect(try useCases.reminders(matching: filter).isEmpty != isFound)
        }
    }

    @Test("an unknown list in any of the filters is an error")
    func unknownList() throws {
        let useCases = try Workplace.open()
        var filter = ReminderFilter()
        filter.others = [ReminderFilter(lists: ["nowhere"])]
        #expect(throws: UseCaseError(.listNotFound)) { try useCases.reminders(matching: filter) }
    }
}

extension SearchQuery {
    fileprivate var wordTexts: [String] {
        ["milk", "ben", "call"].filter { word in
            self.match(title: "milk ben call".replacing(word, with: ""), labels: [], others: { [] }) == nil
        }
    }
}
