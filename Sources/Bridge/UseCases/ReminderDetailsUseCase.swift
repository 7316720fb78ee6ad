import RemindavICalendar
package import RemindavReminders
import RemindavStore

extension UseCases {
    /// A reminder with its related reminders; other reminders are read only if their texts contain its UID.
    package func details(_ id: Int64, alarms: AlarmSettings = AlarmSettings()) throws -> ReminderDetails {
        let reader = self.reader
        return try self.store.read { snapshot in
            let (record, list) = try snapshot.reminder(id)
            let text = Reminder(ICalendarDocument(record.source))
            var details = ReminderDetails(try self.single(record, of: text, in: list.name, snapshot))
            details.refusal = try snapshot.refusal(of: record.id).map {
                Refusal(reason: $0.reason, at: Instant(secondsSince1970: $0.at))
            }
            details.nextAlarm = reader.plan(record, alarms)?.next(after: reader.calendar.now)?.fires
            guard let text else { return details }
            let reminder = text.current(zones: reader.resolver(for: text.object))
            let settings = AlarmSettings(dayTime: self.configuration.defaults.dayTime)
            let zones = reader.resolver(for: text.object)
            details.alarms = reminder.alarms.map { alarm in
                DetailedAlarm(alarm: alarm, fires: reminder.firing(of: alarm, settings: settings, zones: zones))
            }
            details.read(reminder)
            try details.readRelations(of: reminder, in: record.list, snapshot)
            return details
        }
    }
}

extension ReminderDetails {
    fileprivate mutating func read(_ reminder: Reminder) {
        self.coordinates = reminder.coordinates
        self.places = reminder.applePlaces
        self.others = reminder.otherFields.map { NamedValues(name: $0.name, values: $0.values) }
        self.attachments = reminder.attachments
        self.organizer = reminder.organizer
        self.attendees = reminder.attendees
        self.foreign = reminder.foreignProperties(limit: Self.maximumForeign).map(ForeignProperty.init)
        self.foreignCount = reminder.foreignPropertyCount
    }

    /// The maximum number of relations to read; a hostile file may contain a million.
    private static let limit = 1000

    fileprivate mutating func readRelations(
        of reminder: Reminder,
        in list: ListID,
        _ snapshot: StoreSnapshot
    ) throws(DatabaseError) {
        for relation in reminder.relations.prefix(Self.limit) {
            let row = try snapshot.row(uid: relation.uid, preferring: list)
            func related(_ word: String) -> RelatedReminder {
                row.map { RelatedReminder(word, $0.id, $0.uid, $0.index) }
                    ?? RelatedReminder(relation: word, uid: relation.uid, id: nil, title: nil, status: nil)
            }
            switch relation.kind {
            case .parent: self.parents.append(related("PARENT"))
            case .child: self.subtasks.append(related("CHILD"))
            case .dependsOn: self.dependsOn.append(related("DEPENDS-ON"))
            case .other(let word): self.related.append(related(word))
            }
        }
        var known = Set(self.subtasks.map(\.uid))
        var count = 0
        try snapshot.forEachObject(in: list, naming: reminder.uid) { record in
            guard record.uid != reminder.uid, let other = Reminder(ICalendarDocument(record.source)) else {
                return true
            }
            for relation in Set(other.relations) where relation.uid == reminder.uid {
                count += 1
                let other = { RelatedReminder($0, record.id, record.uid, record.index) }
                switch relation.kind {
                case .parent where known.insert(record.uid).inserted: self.subtasks.append(other("CHILD"))
                case .dependsOn: self.neededBy.append(other("NEEDED-BY"))
                default: break
                }
            }
            return count < Self.limit
        }
    }
}

extension RelatedReminder {
    fileprivate init(_ relation: String, _ id: ObjectID, _ uid: String, _ index: ObjectIndex) {
        self.init(
            relation: relation,
            uid: uid,
            id: id.rawValue,
            title: index.title,
            status: index.status
        )
    }
}
