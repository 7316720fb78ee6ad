package import RemindavICalendar
package import RemindavRecurrence
package import RemindavReminders

/// The text of a calendar object, with the index values and relations that are derived from the text.
package struct StoredObject: Hashable, Sendable {
    /// The iCalendar text.
    package let source: [UInt8]
    /// The values of the index columns.
    package let index: ObjectIndex
    /// The UIDs of the reminder's parents and dependencies.
    let related: RelatedUIDs

    /// Derives the index values and relations from a parsed object.
    ///
    /// - Parameter zones: resolves the TZIDs of the object, including its own VTIMEZONE components.
    package init(_ object: CalendarObject, zones: TimeZoneResolver) {
        let reminder = Reminder(object)
        self.source = object.document.bytes
        self.index = reminder.map { ObjectIndex($0, zones: zones) } ?? ObjectIndex(title: "")
        self.related = RelatedUIDs(reminder)
    }

    /// Creates the stored form of a text whose index values are known.
    package init(source: [UInt8], index: ObjectIndex) {
        self.source = source
        self.index = index
        self.related = RelatedUIDs(source: source)
    }
}

extension ObjectIndex {
    /// Derives the index values from a reminder; for a repeating reminder, they describe the current occurrence.
    ///
    /// - Parameter zones: resolves the TZIDs of the reminder. A time in an unknown time zone counts as a floating time.
    package init(_ reminder: Reminder, zones: TimeZoneResolver) {
        let marks = reminder.marks(zones: zones)
        let reminder = reminder.current(zones: zones)
        self.init(
            title: reminder.title,
            due: reminder.due.map { IndexedMoment($0, zones: zones) },
            snoozedUntil: reminder.snoozedUntil?.secondsSince1970,
            status: reminder.status,
            completedAt: reminder.completedAt?.secondsSince1970,
            priority: reminder.priority,
            labels: reminder.labels,
            repeats: reminder.recurrenceText != nil,
            marks: marks,
            start: reminder.start.map { IndexedMoment($0, zones: zones) }
        )
    }
}

extension StoreSnapshot {
    /// Passes the objects that are neither completed nor cancelled to `body`, ordered by id.
    package func forEachOpenObject(in list: ListID? = nil, _ body: (ObjectRecord) -> Void) throws(DatabaseError) {
        let open = Status.allCases.filter { !$0.isClosed }
        try self.forEachObject(in: ObjectScope(lists: list.map { [$0] }, statuses: open)) { record in
            body(record)
            return true
        }
    }
}

extension IndexedMoment {
    init(_ moment: CalendarDateOrDateTime, zones: TimeZoneResolver) {
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
