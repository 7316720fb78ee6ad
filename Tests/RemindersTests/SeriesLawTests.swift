import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport
import Testing

/// Random series that are completed one occurrence after the other, compared with the expansion by `Recurrence`.
@Suite("laws of completing a series")
struct SeriesLawTests {
    /// The number of completions of a series without an end.
    private static let steps = 12
    private static let seeds = 0..<UInt64(Cases.count(100))

    private struct Step: Hashable {
        let name: String
        let due: CalendarDateOrDateTime?
        let title: String
    }

    @Test("each open occurrence is completed once, in the order of its dates, in either shape and alternating")
    func everyOccurrenceOnce() throws {
        for seed in Self.seeds {
            for shapes in [[CompletionShape.roll], [.override], [.roll, .override], [.override, .override, .roll]] {
                var random = SeededGenerator(seed)
                let text = RandomSeries.text(&random)
                try Self.play(text, shapes, "seed \(seed), \(shapes)\n\(text)")
            }
        }
    }

    private static func play(_ text: String, _ shapes: [CompletionShape], _ comment: String) throws {
        let comment = Comment(rawValue: comment)
        let original = try #require(Reminder(ICalendarDocument(text)), comment)
        let resolver = zones(original)
        let series = try Series(original.object.todos, countsStart: true, resolver: resolver)
        let expected = try self.open(series, of: original)
        var reminder = original
        var done: [Step] = []
        var copies: Set<String> = []
        for step in 0..<self.steps where done.count < expected.count {
            let shown = reminder.current(zones: resolver)
            let due = shown.due
            let context = EditingContext(now: now.adding(seconds: step)) { _ in nil }
            let shape = shapes[step % shapes.count]
            let completion = try reminder.completing(in: context, zones: resolver, shape: shape)
            let wanted = expected[done.count]
            done.append(Step(name: wanted.name, due: due, title: shown.title))
            try #require(done.last == wanted, comment)
            if let copy = completion.copy {
                try #require(copy.uid == NameUUID.make("\(original.uid)\n\(wanted.name)"), comment)
                let isNew = copies.insert(copy.uid).inserted
                try #require(isNew, comment)
                try #require(copy.due == due && copy.title == shown.title && copy.status == .completed, comment)
                try #require(copy.object.todos.count == 1 && copy.todo.first(.recurrenceID) == nil, comment)
            }
            reminder = completion.reminder
            let bytes = String(decoding: reminder.object.document.bytes, as: UTF8.self)
            try #require(bytes.contains(RandomSeries.foreign), comment)
        }
        // A to-do remains although EXDATE excludes all of its dates.
        guard !expected.isEmpty else { return }
        let isOver = expected.count <= self.steps
        let isCompleted = reminder.current(zones: resolver).status == .completed
        try #require(isCompleted == (isOver && done.count == expected.count), comment)
    }

    /// Returns the open occurrences according to the expansion.
    private static func open(_ series: Series, of reminder: Reminder) throws -> [Step] {
        var open = try series.occurrences { component in
            let status = component.first(.status)?.value
            return status != "COMPLETED" && status != "CANCELLED"
        }
        var steps: [Step] = []
        while steps.count <= self.steps, let next = try open.next() {
            let id = try #require(next.recurrenceID)
            let hasDue = next.component.first(.due) != nil || next.component.first(.duration) != nil
            let title = next.component.first(.summary)?.text ?? ""
            let due = hasDue ? next.end ?? next.start : nil
            steps.append(Step(name: series.name(of: id), due: due, title: title))
        }
        return steps
    }

    private static func hasOpen(_ reminder: Reminder) throws -> Bool {
        let series = try Series(reminder.object.todos, countsStart: true, resolver: zones(reminder))
        return try !self.open(series, of: reminder).isEmpty
    }

    @Test("an occurrence that was completed as an override is reopened to the same bytes")
    func overrideThereAndBack() throws {
        for seed in Self.seeds {
            var random = SeededGenerator(seed)
            let text = RandomSeries.text(&random)
            let old = try #require(Reminder(ICalendarDocument(text)))
            let resolver = zones(old)
            let shown = old.current(zones: resolver)
            // An override keeps its STATUS, and one with THISANDFUTURE begins later afterwards.
            guard try Self.hasOpen(old), shown.todo.first(.recurrenceID) == nil, !text.contains("THISANDFUTURE") else {
                continue
            }
            let context = EditingContext(now: now.adding(seconds: 60)) { _ in nil }
            let done = try old.completing(in: context, zones: resolver, shape: .override).reminder
            let back = done.reopening(in: context, zones: resolver)
            let isSame = back.object.document.bytes == old.object.document.bytes
            try #require(isSame, "seed \(seed)\n\(text)")
        }
    }

    @Test("an occurrence that is completed in either shape and reopened is the current one")
    func reopened() throws {
        for seed in Self.seeds {
            var random = SeededGenerator(seed)
            let text = RandomSeries.text(&random)
            let old = try #require(Reminder(ICalendarDocument(text)))
            let resolver = zones(old)
            let shown = old.current(zones: resolver)
            guard try Self.hasOpen(old) else { continue }
            let context = EditingContext(now: now.adding(seconds: 60)) { _ in nil }
            let override = try old.completing(in: context, zones: resolver, shape: .override).reminder
            let back = override.reopening(in: context, zones: resolver).current(zones: resolver)
            try #require(back.due == shown.due && back.title == shown.title, "seed \(seed)\n\(text)")
            let rolled = try old.completing(in: context, zones: resolver, shape: .roll)
            let reopened = (rolled.copy ?? rolled.reminder).reopening(in: context, zones: resolver)
            let again = reopened.current(zones: resolver)
            try #require(again.due == shown.due && again.status == .pending, "seed \(seed)\n\(text)")
        }
    }
}

/// Texts of repeating to-dos.
enum RandomSeries {
    /// Unknown lines with unusual folds.
    static let foreign = "X-FOREIGN;X-P=\"a;b\":one\r\n \r\n\t two\r\nx-lower:Three\r\n"

    private static let rules = [
        "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=1,-1",
        "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY",
        "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
    ]

    private enum Form: CaseIterable { case utc, zoned, floating, day }

    /// Returns a random series.
    static func text(_ random: inout SeededGenerator) -> String {
        let form = Form.allCases.randomElement(using: &random) ?? .utc
        let start = Int64(1_774_000_000 + Int.random(in: 0..<200, using: &random) * 86_400)
        // Also 02:30, which the clocks of Berlin skip on 29 March 2026, a few days from most starts.
        let minutes = [0, 150, 540, 1410].randomElement(using: &random) ?? 0
        let first = CalendarDateTime(localSeconds: start - start % 86_400 + Int64(minutes * 60), zone: .utc)
        var rule = self.rules.randomElement(using: &random) ?? "FREQ=DAILY"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: rule += ";COUNT=\(Int.random(in: 1...7, using: &random))"
        case 1: rule += ";UNTIL=" + self.until(first, form, &random)
        default: break
        }
        let anchor = self.moment(first.localSeconds, form)
        let length = [0, 3600, 86_400, 93_600].randomElement(using: &random) ?? 0
        let end = self.moment(first.localSeconds + Int64(form == .day ? length / 86_400 * 86_400 : length), form)
        var lines = ["BEGIN:VTODO", "UID:series-1", "DTSTAMP:20260101T000000Z", "SUMMARY:of the rule"]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: lines.append(self.line("DUE", anchor))
        case 1: lines += [self.line("DTSTART", anchor), "DURATION:P1D"]
        case 2: lines += [self.line("DTSTART", anchor), self.line("DUE", anchor)]
        default: lines += [self.line("DTSTART", anchor), self.line("DUE", end)]
        }
        lines.append("RRULE:\(rule)")
        let ids = self.names(lines, anchor, rule)
        if let left = ids.randomElement(using: &random), Bool.random(using: &random) {
            lines.append(self.line("EXDATE", left))
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let extra = self.moment(first.localSeconds + Int64.random(in: 1...40, using: &random) * 86_400, form)
            lines.append(self.line("RDATE", extra))
        }
        if Bool.random(using: &random) { lines += ["STATUS:NEEDS-ACTION"] }
        var text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines).map { $0 + "\r\n" }.joined() + self.foreign
        text += "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\nEND:VTODO\r\n"
        for (index, id) in ids.enumerated() where Int.random(in: 0..<4, using: &random) == 0 {
            text += self.override(index, id, lines, form, &random)
        }
        return text + "END:VCALENDAR\r\n"
    }

    private static func override(
        _ index: Int,
        _ id: CalendarDateOrDateTime,
        _ master: [String],
        _ form: Form,
        _ random: inout SeededGenerator
    ) -> String {
        let isFuture = Int.random(in: 0..<8, using: &random) == 0
        let state = isFuture ? 3 : Int.random(in: 0..<5, using: &random)
        let moved = id.moved(bySeconds: Int64([0, 0, 86_400, 9 * 86_400, -86_400].randomElement(using: &random) ?? 0))
        // The forms of real programs: that of DTSTART, UTC, or without a zone (eM Client).
        var named = id
        if case .dateTime(let time) = id, form == .zoned {
            let resolver = TimeZoneResolver(database: database, calendar: nil, local: "Europe/Berlin")
            switch Int.random(in: 0..<3, using: &random) {
            case 0: named = resolver.instant(of: time).map { .dateTime(CalendarDateTime(utc: $0)) } ?? id
            case 1: named = .dateTime(CalendarDateTime(localSeconds: time.localSeconds, zone: .floating))
            default: break
            }
        }
        let line = self.line("RECURRENCE-ID", named)
        var lines = ["BEGIN:VTODO", "UID:series-1", "DTSTAMP:20260101T000000Z", "SUMMARY:override \(index)"]
        lines.append(isFuture ? line.replacing("RECURRENCE-ID", with: "RECURRENCE-ID;RANGE=THISANDFUTURE") : line)
        if master.contains(where: { $0.hasPrefix("DTSTART") }) { lines.append(self.line("DTSTART", moved)) }
        if master.contains(where: { $0.hasPrefix("DUE") }) { lines.append(self.line("DUE", moved)) }
        if master.contains(where: { $0.hasPrefix("DURATION") }) { lines.append("DURATION:P2D") }
        switch state {
        case 0: lines += ["STATUS:COMPLETED", "COMPLETED:20260102T000000Z", "PERCENT-COMPLETE:100"]
        case 1: lines.append("STATUS:CANCELLED")
        default: break
        }
        return (lines + ["END:VTODO"]).map { $0 + "\r\n" }.joined()
    }

    private static func moment(_ local: Int64, _ form: Form) -> CalendarDateOrDateTime {
        switch form {
        case .utc: .dateTime(CalendarDateTime(localSeconds: local, zone: .utc))
        case .zoned: .dateTime(CalendarDateTime(localSeconds: local, zone: .named("Europe/Berlin")))
        case .floating: .dateTime(CalendarDateTime(localSeconds: local, zone: .floating))
        case .day: .date(CalendarDateTime(localSeconds: local, zone: .utc).date)
        }
    }

    private static func until(_ first: CalendarDateTime, _ form: Form, _ random: inout SeededGenerator) -> String {
        let local = first.localSeconds + Int64.random(in: 0...90, using: &random) * 86_400
        return self.moment(local, form == .zoned ? .utc : form).wire
    }

    private static func line(_ name: String, _ moment: CalendarDateOrDateTime) -> String {
        guard let name = Name(name) else { return "" }
        return String(decoding: ContentLine(name, moment: moment).bytes().dropLast(2), as: UTF8.self)
    }

    /// Returns some of the first occurrences.
    private static func names(_ lines: [String], _ anchor: CalendarDateOrDateTime, _ rule: String)
        -> [CalendarDateOrDateTime]
    {
        guard let rule = try? RecurrenceRule(wire: rule) else { return [] }
        let resolver = TimeZoneResolver(database: database, calendar: nil, local: "Europe/Berlin")
        let set = RecurrenceSet(start: anchor, rules: [rule], countsStart: true, resolver: resolver)
        return (try? set.first(6)) ?? []
    }
}
