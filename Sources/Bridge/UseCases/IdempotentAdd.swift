import ICalendar
package import JSON
public import Reminders
import Store
import Sync

/// The result of an idempotent add.
public struct IdempotentAdd: Hashable, Sendable {
    /// The one that has the key, as it is now.
    public let reminder: ReminderView
    /// Whether it was made just now; one that was there is as it was.
    public let isNew: Bool
    /// Which of the fields that were asked for are others in the one that was there: `title`, `notes`, `due`, `repeat`,
    /// `priority`, `labels`, `alarms`, `list`.
    public let differing: [String]

    /// Creates the value from its parts.
    public init(reminder: ReminderView, isNew: Bool, differing: [String]) {
        self.reminder = reminder
        self.isNew = isNew
        self.differing = differing
    }
}

extension UseCases {
    /// Makes a reminder that has a key for its UID, unless one that has it is there, in whatever list, open or done.
    ///
    /// That one is left as it is, and asks nothing of the draft but a title: the date may be over, the list gone. What
    /// was deleted is not there.
    ///
    /// - Throws: as ``add(_:)``.
    public func add(_ draft: ReminderDraft, once key: ReminderKey) throws -> IdempotentAdd {
        let draft = try draft.checked()
        if let there = try self.found(key, beside: draft) { return there }
        let (list, reminder) = try self.making(draft, uid: key.text)
        let made = try self.store.write { transaction throws(DatabaseError) -> ReminderView? in
            // Another process may have added it in the meantime.
            guard try transaction.object(ofUID: key.text) == nil else { return nil }
            return try self.insert(reminder, into: list, transaction)
        }
        if let made { return IdempotentAdd(reminder: made, isNew: true, differing: []) }
        guard let there = try self.found(key, beside: draft) else { throw UseCaseError(.reminderNotFound) }
        return there
    }

    /// The reminder that has a key; `nil` when none has.
    public func reminder(with key: ReminderKey) throws -> ReminderView? {
        let found = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ofUID: key.text) }
        return found.map { self.reader.view($0.object, list: $0.list) }
    }

    private func found(_ key: ReminderKey, beside draft: ReminderDraft) throws -> IdempotentAdd? {
        let found = try self.store.read { snapshot throws(DatabaseError) in try snapshot.object(ofUID: key.text) }
        guard let found else { return nil }
        var differing: [String] = []
        if let asked = self.drafted(draft, uid: key.text) {
            let words = Set(draft.change.fields.map(\.name))
            differing = PropertyDisplayName.differences(found.object.source, asked.object.document.bytes).filter(
                words.contains
            )
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
    /// The object with a UID, or with one that has replaced it, in the first of the lists that have one, and that list's
    /// name.
    fileprivate func object(ofUID uid: String) throws(DatabaseError) -> (object: ObjectRecord, list: String)? {
        let lists = try self.lists()
        for uid in [uid] + SuccessorUID.chain(after: uid) {
            for list in lists {
                if let object = try self.object(in: list.id, uid: uid) { return (object, list.name) }
            }
        }
        return nil
    }
}

extension IdempotentAdd: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.reminder } + [
            JSONMember("added") { $0.isNew },
            JSONMember("differs") { $0.differing },
        ]
}
