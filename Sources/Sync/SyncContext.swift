package import ICalendar
import Resources
package import Store

/// The data of a sync of one list that every phase may read and no phase changes.
package struct SyncContext: Sendable {
    /// Seconds after which a full listing is compared: some servers never report some changes.
    package static let secondsBetweenListings: Int64 = 7 * Int64(ClockTime.secondsPerDay)

    /// Derives the columns that the store keeps beside a text.
    package typealias Storing = @Sendable (CalendarObject) -> StoredObject

    let store: ReminderStore
    let list: ListID
    let reader: any RemoteReading
    let writer: any RemoteWriting
    let stored: Storing
    /// Seconds since 1970.
    let now: Int64
    package var deletionGuard = DeletionGuard.standard
    package var policy = ConflictPolicy.lastModifiedWins
    /// The tag of the collection before the sync; saved with the token.
    package var ctag: String?
    /// `nil` to write no journal.
    package var run: RunID?
    /// Whether a full listing is compared even if the last one is less than ``secondsBetweenListings`` old.
    package var verifies = false
    /// Whether the collection is known to be in the state that the last sync left, so that the server is not asked.
    package var isUnchangedOnServer = false
    /// Whether a time zone name means the same for every program.
    package var isKnownZone: @Sendable (String) -> Bool = { _ in false }
    package var refusalRule = RefusalRule.standard
    /// Called after each step.
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

    /// Two spellings of one address have the same key.
    func key(of href: Href) -> String { self.reader.key(of: href) }

    /// `nil` when the list is gone.
    func state() throws(DatabaseError) -> SyncState? {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.syncState(of: self.list) }
    }

    func unsentItems() throws(DatabaseError) -> [SyncItem] {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.unsentItems(in: self.list) }
    }

    /// Writes a record that the next sync can derive again from the server, so that it need not reach the disk.
    func record<Outcome: Sendable>(
        _ body: (StoreTransaction) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.store.write(.survivesKill, body)
    }

    /// Belongs in the transaction that makes the change.
    func journal(_ note: ChangeNote, in transaction: StoreTransaction) throws(DatabaseError) {
        guard let run = self.run else { return }
        try transaction.recordChange(note, in: self.list, of: run, at: self.now)
    }

    /// Records the upload of a new item, or of a changed one with both texts.
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

    /// The object of another list of the account to which this item may have been moved.
    ///
    /// An object that the server had at the same time as the item is a separate item with the same UID: both stay. An
    /// object that was never on the server is not a candidate.
    func movedObject(_ item: SyncItem, in snapshot: StoreSnapshot) throws(DatabaseError) -> ObjectRecord? {
        let account = try snapshot.list(self.list)?.account
        for list in try snapshot.lists() where list.account == account && list.id != self.list {
            guard list.state == .synced, !list.isReadOnly,
                let object = try snapshot.object(in: list.id, uid: item.uid)
            else { continue }
            if object.etag == nil, object.isDirty, try snapshot.texts(of: object.id)?.base == nil { continue }
            if try snapshot.wereBeside(item, in: self.list, object, before: self.run) { continue }
            return object
        }
        return nil
    }

    /// The UIDs of those deletions that belong to a move to another list of the account.
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
    /// Whether the deletion is the first half of a move: the object still exists with its UID, in one of these lists.
    ///
    /// `list` and `uid` are those of the object with the tombstone's number; `nil` when it is gone.
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
