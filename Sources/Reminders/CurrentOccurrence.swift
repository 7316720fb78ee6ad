import RemindavICalendar
public import RemindavRecurrence

extension Reminder {
    /// The reminder at its first open occurrence, or else at its last completed or cancelled one.
    ///
    /// A reminder without repetition is unchanged.
    ///
    /// Occurrences are in the order of their dates, which overrides may have moved. Title, notes, priority, labels and
    /// alarms come from the override of the occurrence, or from the preceding override with RANGE=THISANDFUTURE, or
    /// from the main VTODO. An occurrence is not open if EXDATE names it, if an override completes or cancels it
    /// (Thunderbird), or if it is before KOrganizer's next date (`Name/kdeNextOccurrence`).
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

    /// Whether the current occurrence may differ from the main VTODO; in most series, it does not differ.
    private var hasOtherDates: Bool {
        if self.hasOverrides || self.main.valued(.rdate) != nil { return true }
        guard self.main.valued(.rrule) != nil else { return false }
        return self.main.valued(.exdate) != nil || self.main.valued(.exrule) != nil
            || self.main.valued(.kdeNextOccurrence) != nil || self.main.hasOccurrenceSnooze
    }
}

struct Focus: Sendable {
    let occurrence: Occurrence
    /// DTSTART and DUE of the occurrence; `nil` when its component has no such property.
    let start: CalendarDateOrDateTime?
    let due: CalendarDateOrDateTime?
    /// The seconds from the dates of the component to the dates of the occurrence.
    let shift: Int
    /// Identifies the occurrence: its RECURRENCE-ID in seconds since 1970, in UTC, or in local time if it has no zone.
    let stamp: Int64
}

extension Component {
    package var status: Status {
        let word = self.first(.status)?.value.trimmingSpaces.uppercased()
        if word == "CANCELLED" { return .cancelled }
        // A PERCENT-COMPLETE outside 0 to 100 has no clear meaning and is read as 0.
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

    /// Whether the override also applies to all later occurrences: RANGE=THISANDFUTURE (RFC 5545 §3.2.13).
    var isForFuture: Bool { self.recurrenceID?.parameter(.range)?.uppercased() == "THISANDFUTURE" }
}

extension Name {
    /// KOrganizer's next date of a repeating to-do: DTSTART of the next occurrence, or DUE if it has no DTSTART.
    static let kdeNextOccurrence = Name("X-KDE-LIBKCAL-DTRECURRENCE") ?? .recurrenceID
}
