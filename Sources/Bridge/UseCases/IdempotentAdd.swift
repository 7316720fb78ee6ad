import RemindavICalendar
package import RemindavJSON
package import RemindavReminders
import RemindavStore
import RemindavSync

/// The result of adding a reminder with a key.
package struct IdempotentAdd: Hashable, Sendable {
    /// The reminder with the key in its current version.
    package let reminder: ReminderView
    /// Whether the call created the reminder; an existing reminder is unchanged.
    package let isNew: Bool
    /// The display names of requested fields with another value in the existing reminder.
    package let differing: [String]

    /// Creates a result.
    package init(reminder: ReminderView, isNew: Bool, differing: [String]) {
        self.reminder = reminder
        self.isNew = isNew
        self.differing = differing
    }
}

extension UseCases {
    /// Adds a reminder with the key as its UID, if no list contains an open or completed reminder with this key.
    ///
    /// An existing reminder stays unchanged, and then only the title of the draft must be valid. A deleted reminder
    /// with the key is ignored.
    ///
    /// - Throws: the errors of ``add(_:)``.
    package func add(_ draft: ReminderDraft, once key: ReminderKey) throws -> IdempotentAdd {
        var run = OperationScope()
        return try self.add(draft, once: key, as: &run)
    }

    /// - Parameter run: gets the run in the journal if the call creates the reminder.
    package func add(
        _ draft: ReminderDraft,
        once key: ReminderKey,
        as run: inout OperationScope
    ) throws -> IdempotentAdd {
        let draft = try self.resolvingRelations(of: draft.checked())
        if let there = try self.found(key, beside: draft) { return there }
        let (list, reminder) = try self.making(draft, uid: key.text)
        let (made, scope) = try self.store.write {
            transaction throws(DatabaseError) -> (ReminderView?, OperationScope) in
            var scope = OperationScope()
            // Another process may have added the reminder in the meantime.
            guard try transaction.object(ofUID: key.text) == nil else { return (nil, scope) }
            return (try self.insert(reminder, into: list, as: &scope, transaction), scope)
        }
        run = scope
        if let made { return IdempotentAdd(reminder: made, isNew: true, differing: []) }
        guard let there = try self.found(key, beside: draft) else { throw UseCaseError(.reminderNotFound) }
        return there
    }

    /// The reminder with the key; `nil` when there is none.
    package func reminder(with key: ReminderKey) throws -> ReminderView? {
        try self.store.read { snapshot throws(DatabaseError) in try self.found(key, snapshot)?.view }
    }

    private func found(_ key: ReminderKey, _ snapshot: StoreSnapshot) throws(DatabaseError)
        -> (object: ObjectRecord, view: ReminderView)?
    {
        guard let (object, list) = try snapshot.object(ofUID: key.text) else { return nil }
        let reminder = Reminder(ICalendarDocument(object.source))
        return (object, try self.single(object, of: reminder, in: list, snapshot))
    }

    private func found(_ key: ReminderKey, beside draft: ReminderDraft) throws -> IdempotentAdd? {
        let found = try self.store.read { snapshot throws(DatabaseError) in try self.found(key, snapshot) }
        guard let (object, view) = found else { return nil }
        var differing: [String] = []
        if let asked = self.drafted(draft, uid: key.text) {
            let names = Set(draft.change.fields.map(\.name))
            differing = PropertyDisplayName.differences(object.source, asked.object.document.bytes)
                .filter(names.contains)
        }
        if let list = draft.list, list != view.list { differing.append("list") }
        return IdempotentAdd(reminder: view, isNew: false, differing: differing)
    }
}

extension StoreSnapshot {
    /// The first object with the UID, or with a UID that replaced it, and the name of its list.
    fileprivate func object(ofUID uid: String) throws(DatabaseError) -> (object: ObjectRecord, list: String)? {
        let lists = try self.lists()
        for uid in [uid] + SuccessorUID.chain(after: uid) {
            let objects = try self.objects(withUID: uid)
            for list in lists {
                if let object = objects.first(where: { $0.list == list.id }) { return (object, list.name) }
            }
        }
        return nil
    }
}

extension IdempotentAdd: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.reminder } + [
            JSONMember("added") { $0.isNew }, JSONMember("differs") { $0.differing },
        ]
}
