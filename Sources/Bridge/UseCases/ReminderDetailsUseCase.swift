import ICalendar
import Reminders
import Store

extension UseCases {
    /// The reminder with that number, with all that a page about it shows.
    ///
    /// Its parts are looked for in its list: no texts are read but those that name it.
    package func details(_ id: Int64) throws -> ReminderDetails {
        let reader = self.reader
        return try self.store.read { snapshot in
            guard let record = try snapshot.object(ObjectID(id)), let list = try snapshot.list(record.list) else {
                throw UseCaseError(.reminderNotFound, subject: String(id))
            }
            let text = Reminder(ICalendarDocument(record.source))
            var details = ReminderDetails(reader.view(record, of: text, list: list.name))
            details.refusal = try snapshot.refusal(of: record.id).map {
                Refusal(reason: $0.reason, at: Instant(secondsSince1970: $0.at))
            }
            guard let text else { return details }
            let reminder = text.current(zones: reader.resolver(for: text.object))
            details.read(reminder)
            let relatives = RelationLookup(snapshot: snapshot, list: record.list)
            try relatives.read(reminder, into: &details)
            return details
        }
    }
}

extension ReminderDetails {
    fileprivate mutating func read(_ reminder: Reminder) {
        self.coordinates = reminder.coordinates
        self.places = reminder.applePlaces
        self.alarms = reminder.alarms
        self.attachments = reminder.attachments
        self.organizer = reminder.organizer
        self.attendees = reminder.attendees
        self.foreign = reminder.foreignProperties(limit: Self.maximumForeign).map(ForeignProperty.init)
        self.foreignCount = reminder.foreignPropertyCount
    }
}

/// Finds the related reminders.
private struct RelationLookup {
    let snapshot: StoreSnapshot
    let list: ListID

    /// Relations that are shown; a hostile file names a million.
    private static let limit = 1000

    func read(_ reminder: Reminder, into details: inout ReminderDetails) throws(DatabaseError) {
        for relation in reminder.relations.prefix(Self.limit) {
            switch relation.kind {
            case .parent: details.parents.append(try self.named(relation.uid, "PARENT"))
            case .child: details.subtasks.append(try self.named(relation.uid, "CHILD"))
            case .dependsOn: details.dependsOn.append(try self.named(relation.uid, "DEPENDS-ON"))
            case .other(let word): details.related.append(try self.named(relation.uid, word))
            }
        }
        var known = Set(details.subtasks.map(\.uid))
        try self.forEachNaming(reminder.uid) { record, relation in
            let other = { RelatedReminder($0, record.id, record.uid, record.index) }
            switch relation.kind {
            case .parent where known.insert(record.uid).inserted: details.subtasks.append(other("CHILD"))
            case .dependsOn: details.neededBy.append(other("NEEDED-BY"))
            default: break
            }
        }
    }

    /// The reminder that is named: of its own list, else of any.
    private func named(_ uid: String, _ relation: String) throws(DatabaseError) -> RelatedReminder {
        guard let row = try self.snapshot.row(uid: uid, preferring: self.list) else {
            return RelatedReminder(relation: relation, uid: uid, id: nil, title: nil, status: nil)
        }
        return RelatedReminder(relation, row.id, row.uid, row.index)
    }

    /// Each reminder of the list that names this UID, once for each relation to it.
    private func forEachNaming(_ uid: String, _ body: (ObjectRecord, Relation) -> Void) throws(DatabaseError) {
        var count = 0
        try self.snapshot.forEachObject(in: self.list, naming: uid) { record in
            guard record.uid != uid, let other = Reminder(ICalendarDocument(record.source)) else { return true }
            for relation in Set(other.relations) where relation.uid == uid {
                body(record, relation)
                count += 1
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
            status: Status.allCases[clamped: index.status]
        )
    }
}
