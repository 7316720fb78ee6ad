import ICalendar
package import JSON
public import Reminders
import Store
import Sync

/// The result of an idempotent add.
public struct IdempotentAdd: Hashable, Sendable {
    /// The reminder with the key, as it is now.
    public let reminder: ReminderView
    /// Whether it was just created; an existing one is unchanged.
    public let isNew: Bool
    /// The requested fields with another value in an existing reminder, by their display names.
    public let differing: [String]

    /// Creates the value from its parts.
    public init(reminder: ReminderView, isNew: Bool, differing: [String]) {
        self.reminder = reminder
        self.isNew = isNew
        self.differing = differing
    }
}

extension UseCases {
    /// Adds a reminder with a key as its UID, unless a list has one with this key, open or completed.
    ///
    /// An existing one stays unchanged, and only the title of the draft must be valid. A deleted one does not exist.
    ///
    /// - Throws: as ``add(_:)``.
    public func add(_ draft: ReminderDraft, once key: ReminderKey) throws -> IdempotentAdd {
        let draft = try draft.checked()
        if let there = try self.found(key, beside: draft) { return there }
        let (list, reminder) = try self.making(draft, uid: key.text)
        let made = try self.store.write { transaction throws(DatabaseError) -> ReminderView? in
            // Another process may have added it.
            guard try transaction.object(ofUID: key.text) == nil else { return nil }
            return try self.insert(reminder, into: list, transaction)
        }
        if let made { return IdempotentAdd(reminder: made, isNew: true, differing: []) }
        guard let there = try self.found(key, beside: draft) else { throw UseCaseError(.reminderNotFound) }
        return there
    }

    /// The reminder with a key; `nil` when there is none.
    public func reminder(with key: ReminderKey) throws -> ReminderView? {
        let found = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ofUID: key.text) }
        return found.map { self.reader.view($0.object, list: $0.list) }
    }

    private func found(_ key: ReminderKey, beside draft: ReminderDraft) throws -> IdempotentAdd? {
        let found = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ofUID: key.text) }
        guard let found else { return nil }
        var differing: [String] = []
        if let asked = self.drafted(draft, uid: key.text) {
            let names = Set(draft.change.fields.map(\.name))
            differing = PropertyDisplayName.differences(found.object.source, asked.object.document.bytes)
                .filter(names.contains)
        }
        if let list = draft.list, list != found.list { differing.append("list") }
        return IdempotentAdd(
            reminder: self.reader.view(found.object, list: found.list),
            isNew: false,
            differing: differing
        )
    }
}

extension StoreSnapshot {
    /// The object with a UID, or with one that has replaced it, in the first list that has one, and the name of that list.
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
