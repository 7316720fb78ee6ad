import ICalendar
public import Recurrence

extension Reminder {
    /// The reminder at the first open occurrence of a series, else at the last completed one; a single reminder is
    /// itself.
    ///
    /// The order is that of the dates that occurrences were moved to. Title, notes, priority, labels and alarms come
    /// from
    /// the override of the occurrence, else from one for this and all following, else from the to-do itself. Left out
    /// are
    /// occurrences that EXDATE names, that an override completes or cancels (Thunderbird), and those before the next
    /// date
    /// that KOrganizer keeps in a property of its own.
    public func current(zones: TimeZoneResolver) -> Reminder {
        guard self.hasOtherDates, !self.main.status.isClosed || self.main.recurrenceID != nil,
            let series = try? ReminderSeries(self, zones: zones),
            let focus = try? series.current()
        else { return self }
        return Reminder(self, focus: focus)
    }

    var isSeries: Bool {
        self.main.valued(.rrule) != nil || self.main.valued(.rdate) != nil || self.hasOverrides
    }

    private var hasOverrides: Bool {
        self.object.todos.count > 1 && self.object.todos.contains { $0.recurrenceID != nil }
    }

    /// Whether the current occurrence may have other dates than the to-do itself; most series begin with it.
    private var hasOtherDates: Bool {
        if self.hasOverrides || self.main.valued(.rdate) != nil { return true }
        guard self.main.valued(.rrule) != nil else { return false }
        return self.main.valued(.exdate) != nil || self.main.valued(.exrule) != nil
            || self.main.valued(.kdeNextOccurrence) != nil || self.main.hasOccurrenceSnooze
    }
}

struct Focus: Sendable {
    let occurrence: Occurrence
    /// DTSTART and DUE of the occurrence, as far as its component has them.
    let start: CalendarDateOrDateTime?
    let due: CalendarDateOrDateTime?
    /// The seconds from the dates of its component to the occurrence.
    let shift: Int
    /// Thunderbird's number of the occurrence: its RECURRENCE-ID in seconds since 1970, in UTC if it has a zone.
    let stamp: Int64
}

extension Component {
    package var status: Status {
        let word = self.first(.status)?.value.trimmingSpaces.uppercased()
        if word == "CANCELLED" { return .cancelled }
        // More than a hundred overrides of that kind are a mistake without a clear meaning.
        let percent = self.first(.percentComplete)?.integer.flatMap { (0...100).contains($0) ? $0 : nil } ?? 0
        if word == "COMPLETED" || percent == 100 || self.first(.completed)?.stamp != nil { return .completed }
        return word == "IN-PROCESS" || percent > 0 ? .inProgress : .pending
    }

    var due: CalendarDateOrDateTime? {
        if let due = self.first(.due)?.moment { return due }
        guard let duration = self.first(.duration).flatMap({ CalendarDuration(wire: $0.value.trimmingSpaces) })
        else { return nil }
        return self.first(.dtstart)?.moment?.adding(duration)
    }

    /// RANGE=THISANDFUTURE (RFC 5545 §3.2.13).
    var isForFuture: Bool { self.recurrenceID?.parameter(.range)?.uppercased() == "THISANDFUTURE" }
}

extension Name {
    /// KOrganizer's next date of a repeating to-do: DTSTART, or DUE without one, of the next occurrence.
    static let kdeNextOccurrence = Name("X-KDE-LIBKCAL-DTRECURRENCE") ?? .recurrenceID
}
