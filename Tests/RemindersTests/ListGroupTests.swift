import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport
import Testing

@Suite("the position of a reminder in a list")
struct ListGroupTests {
    private static func calendar(_ now: String, _ zone: String) throws -> ListCalendar {
        let now = try #require(Instant(wire: now))
        return ListCalendar(now: now, zones: TimeZoneResolver(database: database, calendar: nil, local: zone))
    }

    /// A midnight in some zone, with the moments before and after it.
    struct Midnight: Sendable {
        let now: String
        let zone: String
        let moment: String
        let group: ListGroup

        init(_ now: String, _ zone: String, _ moment: String, _ group: ListGroup) {
            self.now = now
            self.zone = zone
            self.moment = moment
            self.group = group
        }
    }

    @Test(
        "a day ends with its last second in local time, in every zone, and also when the clocks change",
        arguments: [
            // Friday, 20 November 2026
            Midnight("20261120T200000Z", "UTC", "20261120T235959Z", .today),
            Midnight("20261120T200000Z", "UTC", "20261121T000000Z", .tomorrow),
            Midnight("20261120T200000Z", "UTC", "20261121T235959Z", .tomorrow),
            Midnight("20261120T200000Z", "UTC", "20261122T000000Z", .thisWeek),
            Midnight("20261120T200000Z", "UTC", "20261122T235959Z", .thisWeek),
            Midnight("20261120T200000Z", "UTC", "20261123T000000Z", .later),
            Midnight("20261120T200000Z", "UTC", "20010101T000000Z", .today),
            Midnight("20261120T200000Z", "Europe/Berlin", "20261120T225959Z", .today),
            Midnight("20261120T200000Z", "Europe/Berlin", "20261120T230000Z", .tomorrow),
            Midnight("20261120T200000Z", "America/New_York", "20261121T045959Z", .today),
            Midnight("20261120T200000Z", "America/New_York", "20261121T050000Z", .tomorrow),
            // In Tokyo it is already Saturday: tomorrow is the last day of the week.
            Midnight("20261120T200000Z", "Asia/Tokyo", "20261121T145959Z", .today),
            Midnight("20261120T200000Z", "Asia/Tokyo", "20261121T150000Z", .tomorrow),
            Midnight("20261120T200000Z", "Asia/Tokyo", "20261122T150000Z", .later),
            // Sunday: tomorrow is in the next week, and the day after is not of this one.
            Midnight("20261122T120000Z", "UTC", "20261123T120000Z", .tomorrow),
            Midnight("20261122T120000Z", "UTC", "20261124T000000Z", .later),
            // A day of 23 hours and one of 25.
            Midnight("20260329T003000Z", "Europe/Berlin", "20260329T215959Z", .today),
            Midnight("20260329T003000Z", "Europe/Berlin", "20260329T220000Z", .tomorrow),
            Midnight("20261025T003000Z", "Europe/Berlin", "20261025T225959Z", .today),
            Midnight("20261025T003000Z", "Europe/Berlin", "20261025T230000Z", .tomorrow),
            // Samoa skipped Friday, 30 December 2011.
            Midnight("20111229T200000Z", "Pacific/Apia", "20111230T095959Z", .today),
            Midnight("20111229T200000Z", "Pacific/Apia", "20111230T100000Z", .thisWeek),
        ]
    )
    func midnight(_ test: Midnight) throws {
        let calendar = try Self.calendar(test.now, test.zone)
        let moment = try #require(Instant(wire: test.moment))
        #expect(calendar.group(of: .pending, effective: moment) == test.group)
        #expect(calendar.group(of: .completed, effective: moment) == .completed)
        #expect(calendar.group(of: .cancelled, effective: moment) == .completed)
        #expect(calendar.group(of: .inProgress, effective: nil) == .undated)
    }

    @Test("a moment is overdue when it is reached, a day when it is over")
    func overdue() throws {
        let calendar = try Self.calendar("20261120T170500Z", "Europe/Berlin")
        let now = calendar.now
        let today = calendar.today
        func isOverdue(_ status: Status, _ due: Instant?, _ day: CalendarDate?, _ snoozed: Instant?) -> Bool {
            calendar.isOverdue(status, due: due, day: day, snoozedUntil: snoozed)
        }
        #expect(isOverdue(.pending, now, nil, nil))
        #expect(!isOverdue(.pending, now.adding(seconds: 1), nil, nil))
        #expect(!isOverdue(.completed, now, nil, nil))
        #expect(!isOverdue(.cancelled, now, nil, nil))
        #expect(!isOverdue(.pending, nil, nil, nil))
        #expect(!isOverdue(.pending, calendar.beginning(of: today), today, nil))
        #expect(isOverdue(.inProgress, calendar.beginning(of: today.adding(days: -1)), today.adding(days: -1), nil))
        // A snooze hides an overdue reminder until its end. After that, only the due time counts.
        #expect(!isOverdue(.pending, now.adding(seconds: -9000), nil, now.adding(seconds: 1)))
        #expect(!isOverdue(.pending, calendar.beginning(of: today), today.adding(days: -1), now.adding(seconds: 1)))
        #expect(isOverdue(.pending, now.adding(seconds: -9000), nil, now))
        #expect(!isOverdue(.pending, now.adding(seconds: 9000), nil, now))
        #expect(isOverdue(.pending, nil, nil, now))
        #expect(!isOverdue(.pending, nil, nil, now.adding(seconds: 1)))
    }

    @Test("a start hides a pending reminder, except if it is due today, was snoozed, or starts when it is due")
    func laterStart() throws {
        let calendar = try Self.calendar("20261120T170500Z", "Europe/Berlin")
        let now = calendar.now
        let soon = now.adding(seconds: 1)
        let tomorrow = calendar.beginning(of: calendar.today.adding(days: 1))
        let nextWeek = tomorrow.adding(seconds: 7 * 86_400)
        func isLater(_ start: Instant?, _ due: Instant?, _ status: Status = .pending, snoozed: Instant? = nil) -> Bool {
            let group = calendar.group(of: status, effective: calendar.effective(due: due, snoozedUntil: snoozed))
            return calendar.startsLater(status, group, start: start, due: due, snoozedUntil: snoozed)
        }
        let rows: [(Bool, isExpected: Bool)] = [
            (isLater(nil, nil), false), (isLater(nil, nextWeek), false), (isLater(soon, nil), true),
            (isLater(now, nil), false), (isLater(soon, nextWeek), true), (isLater(tomorrow, nextWeek), true),
            (isLater(nextWeek, nextWeek), false), (isLater(nextWeek, tomorrow), false), (isLater(soon, tomorrow), true),
            (isLater(soon, tomorrow.adding(seconds: -1)), false), (isLater(soon, now), false),
            (isLater(soon, nextWeek, .inProgress), false), (isLater(soon, nextWeek, .completed), false),
            (isLater(soon, nextWeek, .cancelled), false), (isLater(soon, nextWeek, snoozed: now), false),
            (isLater(soon, nextWeek, snoozed: nextWeek), false), (isLater(soon, nil, snoozed: now), false),
        ]
        for (index, row) in rows.enumerated() { #expect(row.0 == row.isExpected, "row \(index)") }
    }

    @Test("a snooze decides the moment of a reminder while it lasts, or if there is no due time")
    func effective() throws {
        let calendar = try Self.calendar("20261120T170500Z", "Europe/Berlin")
        let (past, now, later) = (calendar.now.adding(seconds: -60), calendar.now, calendar.now.adding(seconds: 60))
        #expect(calendar.effective(due: later, snoozedUntil: nil) == later)
        #expect(calendar.effective(due: past, snoozedUntil: later) == later)
        #expect(calendar.effective(due: later, snoozedUntil: now) == later)
        #expect(calendar.effective(due: past, snoozedUntil: now) == past)
        #expect(calendar.effective(due: nil, snoozedUntil: past) == past)
        #expect(calendar.effective(due: nil, snoozedUntil: nil) == nil)
    }

    @Test("of reminders at one time, the highest priority is first, then titles without case and accents")
    func priorities() {
        func position(_ title: String, _ priority: Priority = .undefined, _ number: Int64 = 1) -> ListPosition {
            let rank = ListRank(.today, effective: nil, completed: nil)
            return ListPosition(rank, priority: priority, title: title, number: number)
        }
        let sorted = [
            position("zebra", .high), position("Missed", .medium), position("a", .low), position("Apple"),
            position("apple"), position("apple", .undefined, 2), position("Apples"), position("banana"),
            position("Éclair"), position("éclair"), position("zoo"),
        ]
        let titles = ["Apple", "apple", "apple", "Apples", "banana", "Éclair", "éclair", "zoo"]
        #expect(sorted.shuffled().sorted().map(\.title) == ["zebra", "Missed", "a"] + titles)
    }

    @Test("the order of positions is total, and sections, groups, moments, titles and numbers count in this order")
    func order() {
        var generator = SeededGenerator(12)
        let positions = (0..<400).map { number -> ListPosition in
            let group = ListGroup.allCases[Int(generator.next() % 6)]
            let moment = generator.next() % 4 == 0 ? nil : Instant(secondsSince1970: Int64(generator.next() % 3))
            let rank = ListRank(group, effective: moment, completed: moment)
            return ListPosition(
                rank,
                priority: Priority.allCases[Int(generator.next() % 4)],
                title: ["", "a", "b"][Int(generator.next() % 3)],
                number: Int64(number)
            )
        }
        let sorted = positions.sorted()
        let sections = Dictionary(uniqueKeysWithValues: ListGroup.Section.allCases.enumerated().map { ($1, $0) })
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(left < right)
            #expect(!(right < left))
            #expect(sections[left.rank.group.section] ?? 0 <= sections[right.rank.group.section] ?? 0)
        }
        #expect(sorted.map(\.number) == positions.reversed().sorted().map(\.number))
        #expect(Set(sorted.map(\.number)).count == positions.count)
        // Completed reminders: the latest first, those without a moment last.
        func done(_ seconds: Int64?) -> ListRank {
            ListRank(.completed, effective: nil, completed: seconds.map { Instant(secondsSince1970: $0) })
        }
        #expect([done(nil), done(1), done(3), done(2)].sorted() == [done(3), done(2), done(1), done(nil)])
        #expect(done(.min) < done(nil) || done(.min) == done(nil), "no date is too early to be sorted")
    }
}
