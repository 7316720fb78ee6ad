import ICalendar
import Recurrence
import Reminders
import Store
import TaskFormats

// Events as reminders. Whoever moves here wants to be reminded of what is to come: what is over is left out, and a series
// begins with its next date.

extension StreamImport {
    mutating func take(event bytes: [UInt8], line: Int, in transaction: StoreTransaction) throws(DatabaseError) {
        self.report.events += 1
        guard let event = ICalendarDocument(bytes).components.first, let converted = EventConversion.todo(bytes),
            let todo = ICalendarDocument(converted).components.first
        else { return try self.take(todo: bytes, line: line, in: transaction) }
        let stored = try self.known(todo.first(.uid)?.text.trimmingSpaces ?? "", in: transaction)
        let source = CalendarObject.assemble(
            header: self.header,
            zones: todo.timeZoneNames.compactMap { self.zones[$0] },
            components: [converted]
        )
        guard let object = CalendarObject(ICalendarDocument(source)) else {
            return try self.take(todo: converted, line: line, in: transaction)
        }
        let times = EventTimes(
            todo,
            seconds: EventConversion.seconds(of: event),
            zones: self.reader.resolver(for: object),
            now: Instant(secondsSince1970: self.now)
        )
        // What is here already was to come when it was imported.
        let isHere = stored?[todo.recurrenceID?.value] != nil
        if !isHere, times.isOver {
            self.report.skipped += 1
            self.report.past += 1
            return
        }
        let start = isHere ? stored?.main.first(.dtstart)?.moment : times.next
        let rolled = start.flatMap { times.edits(movingTo: $0) }
        let text = rolled.map { Array(ICalendarDocument(converted).applying($0).bytes) } ?? converted
        try self.take(todo: text, line: line, in: transaction)
    }

    /// The reminder of that UID that was here before this import.
    private func known(_ uid: String, in transaction: StoreTransaction) throws(DatabaseError) -> OpenObject? {
        if let open = self.open[OpenObjects.Key(list: self.list.id, uid: uid.exact)] {
            return self.outcomes[open.record.id] == .added ? nil : open
        }
        for list in [self.list] + self.others {
            guard let record = try transaction.object(in: list.id, uid: uid) else { continue }
            return self.outcomes[record.id] == .added ? nil : OpenObject(record)
        }
        return nil
    }
}

/// When an event takes place, as far as that matters to somebody who moves here.
private struct EventTimes {
    private let todo: Component
    private let start: CalendarDateOrDateTime?
    private let rules: [RecurrenceRule]
    private let zones: TimeZoneResolver
    /// The dates, without those that are left out; `nil` for an event that does not repeat or cannot be worked out.
    private let dates: RecurrenceSet?
    /// The moment after which it has to begin, not to be over now.
    private let floor: Instant

    /// - Parameters:
    ///   - todo: what the event has become.
    ///   - seconds: how long it lasts, `nil` when that cannot be told.
    init(_ todo: Component, seconds: Int?, zones: TimeZoneResolver, now: Instant) {
        self.todo = todo
        self.zones = zones
        self.start = todo.first(.dtstart)?.moment
        self.floor = now.adding(seconds: -(seconds ?? ClockTime.secondsPerDay))
        let texts = todo.all(.rrule).map(\.value.trimmingSpaces).filter { !$0.isEmpty }
        self.rules = texts.compactMap { try? RecurrenceRule(wire: $0) }
        let repeats = !texts.isEmpty && todo.recurrenceID == nil
        // Of what cannot be moved on it is only asked whether it is over; of what cannot be read not even that.
        let isReadable = self.rules.count == texts.count && self.rules.allSatisfy(\.isGregorian)
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

    /// Whether it repeats.
    private var repeats: Bool {
        self.todo.recurrenceID == nil
            && [Name.rrule, .rdate].contains { self.todo.first($0)?.value.trimmingSpaces.isEmpty == false }
    }

    /// Whether it is over; what cannot be worked out is not.
    var isOver: Bool {
        if let dates = self.dates { return (try? dates.next(after: self.floor) == nil) ?? false }
        guard !self.repeats, let start = self.start else { return false }
        return self.instant(start).map { $0 <= self.floor } ?? false
    }

    /// The next date of a series; `nil` for what is none, or cannot be worked out.
    var next: CalendarDateOrDateTime? { (try? self.dates?.next(after: self.floor)) ?? nil }

    /// What lets the series begin with that date; `nil` when it does, or when that is none of its dates.
    func edits(movingTo date: CalendarDateOrDateTime) -> [Edit]? {
        guard let start = self.start, self.dates != nil, date != start, let rule = self.rules.first else { return nil }
        let plain = RecurrenceSet(start: start, rules: self.rules, countsStart: true, resolver: self.zones)
        guard (try? plain.contains(date)) == true else { return nil }
        var editor = ComponentEditor(self.todo)
        editor.set(ContentLine(.dtstart, moment: date))
        editor.set(ContentLine(.due, moment: date))
        if let count = rule.count {
            // With all of its dates still to come the series would end later than it does.
            guard let passed = try? plain.count(before: date, limit: count) else { return nil }
            var reduced = rule
            reduced.count = max(1, count - passed)
            editor.set(ContentLine(.rrule, value: reduced.wire))
        }
        return editor.edits
    }

    private func instant(_ moment: CalendarDateOrDateTime) -> Instant? {
        switch moment {
        case .dateTime(let time): self.zones.instant(of: time)
        case .date(let date):
            self.zones.instant(
                of: CalendarDateTime(localSeconds: Int64(date.dayNumber * ClockTime.secondsPerDay), zone: .floating)
            )
        }
    }
}
