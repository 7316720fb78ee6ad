import ICalendar
public import Recurrence

extension Reminder {
    /// The reminder as a person has to do it: of one that comes again the first occurrence that is open, else the last
    /// that was done.
    ///
    /// First by the dates that occurrences were moved to. What describes the occurrence gives title, notes, priority,
    /// labels and alarms: its override where there is one, else one for this and all that follow, else the to-do itself.
    /// Left out are occurrences that EXDATE names, that are done or cancelled by an override (Thunderbird), and those
    /// before the next date that KOrganizer keeps in a property of its own.
    ///
    /// One that does not come again is itself, as is one whose dates cannot be told.
    public func current(zones: TimeZoneResolver) -> Reminder {
        guard self.hasOtherDates, !self.main.status.isClosed || self.main.recurrenceID != nil,
            let series = try? ReminderSeries(self, zones: zones),
            let focus = try? series.current()
        else { return self }
        return Reminder(self, focus: focus)
    }

    /// Whether it comes again: by a rule, on certain dates, or with occurrences that differ.
    var isSeries: Bool {
        self.main.valued(.rrule) != nil || self.main.valued(.rdate) != nil || self.hasOverrides
    }

    private var hasOverrides: Bool {
        self.object.todos.count > 1 && self.object.todos.contains { $0.recurrenceID != nil }
    }

    /// Whether the occurrence to be done may be another than the to-do's own dates.
    ///
    /// Most that come again are a to-do and a rule, which begins with it.
    private var hasOtherDates: Bool {
        if self.hasOverrides || self.main.valued(.rdate) != nil { return true }
        guard self.main.valued(.rrule) != nil else { return false }
        return self.main.valued(.exdate) != nil || self.main.valued(.exrule) != nil
            || self.main.valued(.kdeNextOccurrence) != nil || self.main.hasOccurrenceSnooze
    }
}

/// One occurrence of a reminder with its description.
struct Focus: Sendable {
    let occurrence: Occurrence
    /// DTSTART and DUE of the occurrence, as far as its component has them.
    let start: CalendarDateOrDateTime?
    let due: CalendarDateOrDateTime?
    /// How many seconds the occurrence is later than the dates of its component.
    let shift: Int
    /// The number that Thunderbird has for the occurrence: its RECURRENCE-ID in seconds since 1970, in UTC where it has
    /// a zone.
    let stamp: Int64
}

extension Component {
    /// How far the to-do has got (RFC 5545 §3.8.1.11).
    package var status: Status {
        let word = self.first(.status)?.value.trimmingSpaces.uppercased()
        if word == "CANCELLED" { return .cancelled }
        // More than a hundred overrides of that kind are a mistake without a clear meaning.
        let percent = self.first(.percentComplete)?.integer.flatMap { (0...100).contains($0) ? $0 : nil } ?? 0
        if word == "COMPLETED" || percent == 100 || self.first(.completed)?.stamp != nil { return .completed }
        return word == "IN-PROCESS" || percent > 0 ? .inProgress : .pending
    }

    /// DUE, or DTSTART plus DURATION (RFC 5545 §3.8.2.3, §3.8.2.5).
    var due: CalendarDateOrDateTime? {
        if let due = self.first(.due)?.moment { return due }
        guard let duration = self.first(.duration).flatMap({ CalendarDuration(wire: $0.value.trimmingSpaces) })
        else { return nil }
        return self.first(.dtstart)?.moment?.adding(duration)
    }

    /// Whether it is an override for its occurrence and all that follow (RANGE=THISANDFUTURE, RFC 5545 §3.2.13).
    var isForFuture: Bool { self.recurrenceID?.parameter(.range)?.uppercased() == "THISANDFUTURE" }
}

extension Name {
    /// KOrganizer's next date of a to-do that repeats: DTSTART, or DUE where there is none, of the next occurrence.
    static let kdeNextOccurrence = Name("X-KDE-LIBKCAL-DTRECURRENCE") ?? .recurrenceID
}
