package import RemindavICalendar
import RemindavResources
package import RemindavStore

/// The data of a sync of one list that every phase may read but not change.
package struct SyncContext: Sendable {
    /// The time in seconds after which a full listing is compared, because some servers do not report every change.
    package static let secondsBetweenListings: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    /// Derives the index columns, such as title and due time, that the store keeps with a text.
    package typealias Storing = @Sendable (CalendarObject) -> StoredObject

    let store: ReminderStore
    let list: ListID
    let reader: any RemoteReading
    let writer: any RemoteWriting
    let stored: Storing
    /// The present time in seconds since 1970.
    let now: Int64
    package var deletionGuard = DeletionGuard.standard
    package var policy = ConflictPolicy.lastModifiedWins
    /// The CTag of the collection before the sync; it is saved with the sync token.
    package var ctag: String?
    /// The run in the journal; `nil` writes no journal.
    package var run: RunID?
    /// Whether to compare a full listing even if the last one is not yet ``secondsBetweenListings`` old.
    package var verifies = false
    /// Whether the collection is known to be unchanged since the last sync, so that no changes are requested.
    package var isUnchangedOnServer = false
    /// Whether a TZID names a time zone that every program knows.
    package var isKnownZone: @Sendable (String) -> Bool = { _ in false }
    package var refusalRule = RefusalRule.standard
    /// Called with the present report after each step.
    package var progress: @Sendable (SyncReport) -> Void = { _ in }

    package init(
        store: ReminderStore,
        list: ListID,
        reader: any RemoteReading,
        writer: any RemoteWriting,
        now: Int64,
        stored: @escaping Storing
    ) {
        self.store = store
        self.list = list
        self.reader = reader
        self.writer = writer
        self.now = now
        self.stored = stored
    }

    func key(of href: Href) -> String { self.reader.key(of: href) }

    /// The sync state of the list; `nil` when the list no longer exists.
    func state() throws(DatabaseError) -> SyncState? {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: self.list) }
    }

    func unsentItems() throws(DatabaseError) -> [SyncItem] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.unsentItems(in: self.list) }
    }

    /// Writes data in a transaction that a power failure may undo; the next sync can then get the data again.
    func record<Outcome: Sendable>(
        _ body: (StoreTransaction) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.store.write(.survivesKill, body)
    }

    /// Writes a journal entry; call this in the transaction that makes the change.
    func journal(_ note: ChangeNote, in transaction: StoreTransaction) throws(DatabaseError) {
        guard let run = self.run else { return }
        try transaction.recordChange(note, in: self.list, of: run, at: self.now)
    }

    /// Records an upload in the journal; both texts are `nil` for a new reminder.
    func journalUpload(
        of item: SyncItem,
        replacing before: [UInt8]? = nil,
        by after: [UInt8]? = nil,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let (title, kind) = (try transaction.title(of: item.id) ?? "", after == nil ? ChangeKind.added : .changed)
        var note = ChangeNote(object: item.id, uid: item.uid, title: title, side: .remote, kind: kind)
        (note.before, note.after) = (before, after)
        try self.journal(note, in: transaction)
    }

    /// The object that this reminder may have become by a move to another list of the account; `nil` for none.
    ///
    /// An object is ignored if it was never on the server. It is also ignored if the server had the object and the
    /// reminder at the same time, because they are then separate reminders with the same UID.
    func movedObject(_ item: SyncItem, in snapshot: StoreSnapshot) throws(DatabaseError) -> ObjectRecord? {
        let account = try snapshot.list(self.list)?.account
        for list in try snapshot.lists() where list.account == account && list.id != self.list {
            guard list.state == .synced, !list.isReadOnly,
                let object = try snapshot.object(in: list.id, uid: item.uid)
            else { continue }
            if object.etag == nil, object.isDirty, try snapshot.texts(of: object.id)?.base == nil { continue }
            if try snapshot.coexisted(item, in: self.list, object, before: self.run) { continue }
            return object
        }
        return nil
    }

    /// The UIDs of the deletions that belong to a move to another list of the account.
    func movedWithinAccount(
        _ deletions: [Tombstone],
        in snapshot: StoreSnapshot
    ) throws(DatabaseError) -> Set<ByteExactString> {
        guard !deletions.isEmpty else { return [] }
        let account = try snapshot.list(self.list)?.account
        let others = try snapshot.lists().filter { $0.account == account && $0.state == .synced }.map(\.id)
        var moved: Set<ByteExactString> = []
        for tombstone in deletions {
            let object = try snapshot.object(tombstone.object)
            if tombstone.wasMoved(to: object?.list, as: object?.uid, in: others) { moved.insert(tombstone.uid.exact) }
        }
        return moved
    }
}

extension Tombstone {
    /// Whether the deletion belongs to a move: the object still exists with its UID, in one of these lists.
    ///
    /// `list` and `uid` are the present values of the deleted object; `nil` when the object no longer exists.
    func wasMoved(to list: ListID?, as uid: String?, in lists: [ListID]) -> Bool {
        guard let list, let uid else { return false }
        return uid.exact == self.uid.exact && lists.contains(list)
    }
}

extension CalendarObject {
    init?(_ text: [UInt8]?) {
        guard let text else { return nil }
        self.init(ICalendarDocument(text))
    }
}
