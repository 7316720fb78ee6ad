import ICalendar
public import Recurrence
public import Reminders

extension ObjectIndex {
    /// What is kept of a reminder beside its text: all that a line of a list shows, and what sorts it.
    ///
    /// Of one that comes again the occurrence that is to be done now, whatever the time is.
    ///
    /// - Parameter zones: the zones as the object uses them. A time in one that nobody knows counts as a floating time;
    ///   the text keeps the name.
    public init(_ reminder: Reminder, zones: TimeZoneResolver) {
        let reminder = reminder.current(zones: zones)
        self.init(
            title: reminder.title,
            due: reminder.due.map { IndexedDue($0, zones: zones) },
            snoozedUntil: reminder.snoozedUntil?.secondsSince1970,
            status: Status.allCases.firstIndex(of: reminder.status) ?? 0,
            completedAt: reminder.completedAt?.secondsSince1970,
            priority: Priority.allCases.firstIndex(of: reminder.priority) ?? 0,
            labels: reminder.labels,
            repeats: reminder.recurrenceText != nil
        )
    }
}

extension ObjectIndex {
    /// Whether nothing is left to be done; what a newer program may have put here counts as that, since nobody here knows
    /// what it means.
    package var isClosed: Bool { !Self.openStatuses.contains(self.status) }

    /// The numbers of the statuses in which something is left to do.
    static let openStatuses = Status.allCases.indices.filter { !Status.allCases[$0].isClosed }
}

extension StoreSnapshot {
    /// Hands out the objects of a list, or of all lists, with something left to do, one by one and by id.
    package func forEachOpenObject(
        in list: ListID? = nil,
        _ body: (ObjectRecord) -> Void
    ) throws(DatabaseError) {
        try self.forEachObject(in: list, ofStatus: ObjectIndex.openStatuses) { record in
            body(record)
            return true
        }
    }
}

extension IndexedDue {
    fileprivate init(_ moment: CalendarDateOrDateTime, zones: TimeZoneResolver) {
        switch moment {
        case .date(let date): self = .day(dayNumber: date.dayNumber)
        case .dateTime(let time):
            if time.zone != .floating, let instant = zones.instant(of: time) {
                self = .instant(seconds: instant.secondsSince1970)
            } else {
                self = .floating(localSeconds: time.localSeconds)
            }
        }
    }
}
