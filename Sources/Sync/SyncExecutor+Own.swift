import ICalendar
import Reminders
import Store

// Own texts that the server altered while it stored them.
extension SyncExecutor {
    /// When the to-dos of those texts say that they were last changed, by UID.
    static func stamps(of texts: [[UInt8]]) -> [ByteExactString: Instant] {
        var stamps: [ByteExactString: Instant] = [:]
        for text in texts {
            guard let object = CalendarObject(ICalendarDocument(text)), let uid = object.uid else { continue }
            stamps[uid.exact] = object.main.lastChange
        }
        return stamps
    }

    /// Keeps the text of this side where no one else wrote since, and has it sent by itself.
    ///
    /// Radicale rewrites each item of a whole-list request and shortens some values. An item with the stamp that was
    /// sent has no other author, nor has the agreed text, so that this is neither a merge nor a conflict.
    ///
    /// - Parameter base: the agreed text.
    /// - Returns: whether it is so; `false` for every other item.
    mutating func keepOwnText(
        _ local: CalendarObject,
        _ base: [UInt8]?,
        of item: SyncItem,
        over remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        let uid = remote.uid.exact
        if base != remote.object.document.bytes {
            guard self.filled.contains(uid), !item.wasThere else { return false }
            let sent = self.filledStamps[uid] ?? local.main.lastChange
            guard sent == nil || sent == remote.object.main.lastChange else { return false }
        }
        let outcome = try transaction.recordMerged(
            self.pulled(remote, text: local),
            in: self.list,
            replacing: ReadObject(item.id, revision: item.revision),
            base: remote.object.document.bytes
        )
        if case .recorded = outcome {
            try self.recordOverrides(of: remote, in: transaction)
        } else {
            self.unsettled.insert(uid)
        }
        return true
    }

    /// Lists everything once more after the server refused new items because it has their UIDs, and compares.
    ///
    /// A whole-list request of an interrupted run may have been completed after this run listed.
    ///
    /// - Returns: whether every text could be read.
    mutating func compareDuplicates() async throws -> Bool {
        self.hasListedAgain = true
        self.duplicates = []
        let changes = try await self.remote.listing()
        guard let state = try self.state() else { return false }
        return try await self.learn(changes, state)?.isComplete ?? false
    }

    /// The text to keep for an item without local changes, where the server's version has altered own values.
    ///
    /// Radicale shortens some values in every write. The next version of such a text is merged with the kept text, and
    /// is not sent: the server would alter it again.
    ///
    /// - Returns: `nil` to take the server's text.
    func ownText(
        _ texts: ObjectTexts,
        of item: SyncItem,
        over remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> CalendarObject? {
        guard !item.isDirty, item.wasThere, let own = CalendarObject(ICalendarDocument(texts.source)) else {
            return nil
        }
        if let base = texts.base, base != texts.source, let agreed = CalendarObject(ICalendarDocument(base)) {
            let merged = ThreeWayMerge.merge(base: agreed, local: own, remote: remote.object, policy: .server)
            return CalendarObject(merged.document)
        }
        guard item.etag == nil, try self.isOwn(texts.source, own, item, remote, in: transaction) else { return nil }
        return OwnValues.put(from: own, into: remote.object)
    }

    /// Whether the server's version is derived from a text that was sent from here.
    private func isOwn(
        _ sent: [UInt8],
        _ own: CalendarObject,
        _ item: SyncItem,
        _ remote: RemoteObject,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        guard own.main.lastChange == remote.object.main.lastChange,
            let sending = try transaction.sendings(of: item.id, in: self.list).first?.note
        else { return false }
        return sending.kind == .added || sending.after == sent
    }

    /// Keeps properties that the server dropped from a local text as conflicts, and remembers their names.
    ///
    /// - Parameters:
    ///   - sent: the text that was sent, without a version from the server.
    ///   - remote: the text that the server stored.
    mutating func keepDropped(
        from sent: [UInt8]?,
        of item: SyncItem,
        in remote: RemoteObject,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard item.etag == nil, item.wasThere, let sent, let own = CalendarObject(ICalendarDocument(sent)),
            try self.isOwn(sent, own, item, remote, in: transaction)
        else { return }
        for clash in DroppedProperties.clashes(sent: own, stored: remote.object) {
            try transaction.recordConflict(self.note(clash, item.id, uid: item.uid), in: self.list, at: self.now)
            self.report.conflicts += 1
            self.report.notKept.insert(clash.property)
        }
    }
}
