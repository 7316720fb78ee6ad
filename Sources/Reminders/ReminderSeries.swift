import RemindavICalendar
import RemindavRecurrence

struct ReminderSeries {
    let reminder: Reminder
    let series: Series
    let zones: TimeZoneResolver

    /// The largest total size of EXDATE and RDATE in bytes, enough for a date on each day of 25 years.
    static let maximumDateOctets = 160_000

    init(
        _ reminder: Reminder,
        zones: TimeZoneResolver,
        budget: StepBudget = StepBudget()
    ) throws(RecurrenceError) {
        let dates = reminder.main.all(.exdate) + reminder.main.all(.rdate)
        guard dates.reduce(0, { $0 + $1.range.count }) <= Self.maximumDateOctets else { throw .tooManyDates }
        self.reminder = reminder
        self.zones = zones
        do throws(SeriesIssue) {
            self.series = try Series(reminder.object.todos, countsStart: true, resolver: zones, budget: budget)
        } catch {
            switch error.code {
            case .recurrence(let error): throw error
            case .unknownZone: throw .unknownZone
            default: throw .unreadableRule
            }
        }
    }

    /// The next open occurrence according to KOrganizer, which leaves DTSTART and DUE of the series unchanged.
    var kdeNext: CalendarDateOrDateTime? { self.series.main?.first(.kdeNextOccurrence)?.moment }

    /// The open occurrences, the earliest first; those before `from` are skipped, and `nil` skips none.
    func open(from: Instant? = nil) throws(RecurrenceError) -> SeriesOccurrences {
        try self.series.occurrences(fromID: self.kdeNext, from: from) { !$0.status.isClosed }
    }

    /// The open occurrences that one component describes, from the RECURRENCE-ID `first` on; `nil` means all of them.
    func open(
        describedBy component: Component,
        fromID first: CalendarDateOrDateTime? = nil
    ) throws(RecurrenceError) -> SeriesOccurrences {
        var floor = self.kdeNext
        if let first, floor.map({ self.series.local($0) < self.series.local(first) }) ?? true { floor = first }
        return try self.series.occurrences(fromID: floor) { $0.range == component.range && !$0.status.isClosed }
    }

    /// The first open occurrence, or else the last one that an override completed or cancelled; `nil` for neither.
    func current() throws(RecurrenceError) -> Focus? {
        var open = try self.open()
        if let first = try open.next() { return self.focus(on: first) }
        var closed = try self.series.occurrences { $0.status.isClosed && $0.isSingle }
        var last: Occurrence?
        while let next = try closed.next() {
            // A completed occurrence is preferred to a later cancelled one.
            guard next.component.status == .completed || last?.component.status != .completed else { continue }
            last = next
        }
        return last.map(self.focus)
    }

    /// The open occurrence with this name (``AlarmID/occurrence``); `nil` when there is none.
    ///
    /// `other` is the first open occurrence with another name; `isFirst` is whether the named occurrence precedes it.
    func open(
        named name: String
    ) throws(RecurrenceError) -> (occurrence: Occurrence, other: Occurrence?, isFirst: Bool)? {
        var open = try self.open()
        var first: Occurrence?
        for _ in 0..<SeriesAlarms.maximumOccurrences {
            guard let next = try open.next() else { return nil }
            if let id = next.recurrenceID, self.series.name(of: id) == name {
                if let first { return (next, first, false) }
                return (next, try open.next(), true)
            }
            first = first ?? next
        }
        return nil
    }

    func focus(on occurrence: Occurrence) -> Focus {
        let component = occurrence.component
        let start = component.first(.dtstart)?.moment
        let due = component.due
        // The component's date that corresponds to the occurrence's date: DTSTART, or DUE if DTSTART is wrong.
        let anchor = occurrence.start == nil ? due ?? start : start
        let moment = occurrence.start ?? occurrence.end
        let begins = anchor.flatMap { self.zones.instant(of: $0) } ?? occurrence.begins
        let distance = if let anchor, let moment { moment.localSeconds - anchor.localSeconds } else { Int64(0) }
        return Focus(
            occurrence: occurrence,
            start: occurrence.start ?? start?.moved(bySeconds: distance),
            due: anchor != nil && anchor == moment
                ? due : self.due(of: occurrence, written: due, hasDates: anchor != nil),
            shift: Int(occurrence.begins.secondsSince1970 - begins.secondsSince1970),
            stamp: (occurrence.recurrenceID ?? anchor).map(self.stamp) ?? 0
        )
    }

    /// The due time of an occurrence: its end, or its start if the to-do has no length.
    private func due(of occurrence: Occurrence, written: CalendarDateOrDateTime?, hasDates: Bool)
        -> CalendarDateOrDateTime?
    {
        if !hasDates { return occurrence.end }
        guard let written else { return nil }
        if let end = occurrence.end { return end }
        guard case .dateTime(let time) = written, case .dateTime(let start)? = occurrence.start, time.zone != start.zone
        else { return occurrence.start }
        return self.zones.dateTime(of: occurrence.begins, in: time.zone).map(CalendarDateOrDateTime.dateTime)
    }

    /// The number that identifies an occurrence: its time in seconds since 1970 (``Focus/stamp``).
    func stamp(_ id: CalendarDateOrDateTime) -> Int64 {
        guard case .dateTime(let time) = id, time.zone != .floating, let instant = self.zones.instant(of: time) else {
            return id.localSeconds
        }
        return instant.secondsSince1970
    }
}
