import RemindavICalendar
import RemindavRecurrence

/// The dates of an event that is imported as a reminder.
struct EventTimes {
    private let todo: Component
    private let start: CalendarDateOrDateTime?
    private let rules: [RecurrenceRule]
    private let zones: TimeZoneResolver
    /// The dates of a series; `nil` for a single event, and for a series with more than one rule or with RDATE.
    private let dates: RecurrenceSet?
    private let floor: Instant

    /// - Parameter seconds: the length of the event; `nil` for an unknown length, which is assumed to be one day.
    init(_ todo: Component, seconds: Int?, zones: TimeZoneResolver, now: Instant) {
        self.todo = todo
        self.zones = zones
        self.start = todo.first(.dtstart)?.moment
        self.floor = now.adding(seconds: -(seconds ?? ClockTime.secondsPerDay))
        let texts = todo.all(.rrule).map(\.value.trimmingSpaces).filter { !$0.isEmpty }
        self.rules = texts.compactMap { try? RecurrenceRule(wire: $0) }
        let repeats = !texts.isEmpty && todo.recurrenceID == nil
        let isReadable = self.rules.count == texts.count && self.rules.allSatisfy(zones.supportsCalendar)
        let isSingleRule = texts.count == 1 && todo.first(.rdate) == nil && todo.first(.exrule) == nil
        self.dates =
            if let start, repeats, isReadable, isSingleRule {
                RecurrenceSet(
                    start: start,
                    rules: self.rules,
                    exceptions: todo.all(.exdate).flatMap { property in
                        property.listItems.compactMap {
                            CalendarDateOrDateTime(wire: $0, tzid: property.parameter(.tzid))
                        }
                    },
                    countsStart: true,
                    resolver: zones
                )
            } else {
                nil
            }
    }

    private var repeats: Bool {
        self.todo.recurrenceID == nil
            && [Name.rrule, .rdate].contains { self.todo.first($0)?.value.trimmingSpaces.isEmpty == false }
    }

    /// Whether the event and all its repetitions are past; `false` if the dates cannot be computed.
    var isOver: Bool {
        if let dates = self.dates { return (try? dates.next(after: self.floor) == nil) ?? false }
        guard !self.repeats, let start = self.start else { return false }
        return self.zones.instant(of: start).map { $0 <= self.floor } ?? false
    }

    /// The next date of the series that is not past; `nil` if there is none or ``dates`` is `nil`.
    var next: CalendarDateOrDateTime? { (try? self.dates?.next(after: self.floor)) ?? nil }

    /// The edits with which the series begins at `date`; `nil` when it begins there already or does not have that date.
    func edits(movingTo date: CalendarDateOrDateTime) -> [Edit]? {
        guard let start = self.start, self.dates != nil, date != start, let rule = self.rules.first else { return nil }
        let plain = RecurrenceSet(start: start, rules: self.rules, countsStart: true, resolver: self.zones)
        guard (try? plain.contains(date)) == true else { return nil }
        var editor = ComponentEditor(self.todo)
        editor.set(ContentLine(.dtstart, moment: date))
        editor.set(ContentLine(.due, moment: date))
        if let count = rule.count {
            // COUNT is reduced by the skipped dates, so that the series ends on the same date.
            guard let passed = try? plain.count(before: date, limit: count) else { return nil }
            var reduced = rule
            reduced.count = max(1, count - passed)
            editor.set(ContentLine(.rrule, value: reduced.wire))
        }
        return editor.edits
    }
}
