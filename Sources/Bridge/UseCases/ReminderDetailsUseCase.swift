import ICalendar
import Reminders
import Store

extension UseCases {
    /// The reminder with that number, with all that a page about it shows.
    ///
    /// Its parts are looked for in its list: only texts are read that name another reminder, and in which its UID stands.
    package func details(_ id: Int64) throws -> ReminderDetails {
        let reader = self.reader
        return try self.store.read { snapshot in
            guard let record = try snapshot.object(ObjectID(id)), let list = try snapshot.list(record.list) else {
                throw UseCaseError(.reminderNotFound, subject: String(id))
            }
            let text = Reminder(ICalendarDocument(record.source))
            var details = ReminderDetails(reader.view(record, of: text, list: list.name))
            guard let text else { return details }
            let reminder = text.current(zones: reader.resolver(for: text.object))
            details.read(reminder)
            let relatives = Relatives(snapshot: snapshot, list: record.list)
            try relatives.read(reminder, into: &details)
            return details
        }
    }
}

extension ReminderDetails {
    fileprivate mutating func read(_ reminder: Reminder) {
        self.location = reminder.location
        self.coordinates = reminder.coordinates
        self.places = reminder.applePlaces
        self.link = reminder.link
        self.alarms = reminder.alarms
        self.attachments = reminder.attachments
        self.organizer = reminder.organizer
        self.attendees = reminder.attendees
        self.foreign = reminder.foreignProperties(limit: Self.maximumForeign).map(ForeignProperty.init)
        self.foreignCount = reminder.foreignPropertyCount
    }
}

/// Finds what a reminder is related to.
private struct Relatives {
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
            switch relation.kind {
            case .parent where known.insert(record.uid).inserted: details.subtasks.append(record.related("CHILD"))
            case .dependsOn: details.neededBy.append(record.related("NEEDED-BY"))
            default: break
            }
        }
    }

    /// The reminder that is named: of its own list, else of any.
    private func named(_ uid: String, _ relation: String) throws(DatabaseError) -> RelatedReminder {
        if let own = try self.snapshot.object(in: self.list, uid: uid) { return own.related(relation) }
        for list in try self.snapshot.lists() where list.id != self.list {
            if let other = try self.snapshot.object(in: list.id, uid: uid) { return other.related(relation) }
        }
        return RelatedReminder(relation: relation, uid: uid, id: nil, title: nil, status: nil)
    }

    /// Each reminder of the list that names this UID, once for each relation to it.
    private func forEachNaming(_ uid: String, _ body: (ObjectRecord, Relation) -> Void) throws(DatabaseError) {
        var count = 0
        let pieces = UIDPieces(uid)
        try self.snapshot.forEachObject(in: self.list, withLine: "RELATED-TO") { record in
            guard record.uid != uid, pieces.mayStand(in: record.source),
                let other = Reminder(ICalendarDocument(record.source))
            else { return true }
            for relation in Set(other.relations) where relation.uid == uid {
                body(record, relation)
                count += 1
            }
            return count < Self.limit
        }
    }
}

/// What of a UID stands somewhere in each text that names it.
struct UIDPieces {
    /// Two runs of bytes, of which one is in the text even where a line is folded within the UID; none where all of it may
    /// be written in another way.
    private let pieces: [[UInt8]]

    /// Nobody folds after fewer octets.
    private static let reach = 40

    init(_ uid: String) {
        // TEXT escapes these three, and what is not ASCII may be in another encoding.
        let runs = uid.utf8.split { byte in byte < 0x21 || byte > 0x7E || [0x2C, 0x3B, 0x5C].contains(byte) }
        let run = runs.max { $0.count < $1.count }?.prefix(Self.reach) ?? Substring().utf8.prefix(0)
        let half = (run.count + 1) / 2
        self.pieces = [Array(run.prefix(half)), Array(run.dropFirst(half))].filter { !$0.isEmpty }
    }

    /// Whether the UID may stand in a text; where it does not, it surely is not named.
    func mayStand(in text: [UInt8]) -> Bool {
        self.pieces.isEmpty || self.pieces.contains { piece in Self.holds(text.span, piece.span) }
    }

    private static func holds(_ text: Span<UInt8>, _ piece: Span<UInt8>) -> Bool {
        var position = 0
        while position + piece.count <= text.count {
            var length = 0
            while length < piece.count, text[position + length] == piece[length] { length += 1 }
            if length == piece.count { return true }
            position += 1
        }
        return false
    }
}

extension ObjectRecord {
    fileprivate func related(_ relation: String) -> RelatedReminder {
        RelatedReminder(
            relation: relation,
            uid: self.uid,
            id: self.id.rawValue,
            title: self.index.title,
            status: ReminderView.Status(Status.allCases[clamped: self.index.status])
        )
    }
}
