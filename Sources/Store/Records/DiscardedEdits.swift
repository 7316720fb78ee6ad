/// Parses an iCalendar text and derives the values that the store writes.
package typealias TextReading = (_ source: [UInt8]) -> StoredObject

extension StoreTransaction {
    /// Discards the unsent local changes of a list.
    ///
    /// An object that was moved into this list returns to its former list. An object that no other list or server has
    /// goes to the trash.
    /// - Returns: the number of discarded edits and deletions.
    package func discardEdits(in list: ListID, reading read: TextReading, at now: Int64) throws(DatabaseError) -> Int {
        guard let state = try self.syncState(of: list) else { throw DatabaseError(.notFound) }
        let edited = state.items.filter(\.isDirty)
        try self.returnMovedObjects(from: list, reading: read)
        try self.trash(try self.unsentObjects(in: list), at: now)
        for item in edited where try self.object(item.id)?.list == list {
            try self.discardEdit(of: item.id, reading: read)
        }
        var isWhole = true
        for tombstone in state.tombstones {
            guard let past = try self.removeTombstone(in: list, uid: tombstone.uid) else { continue }
            guard let base = past.base else {
                isWhole = false
                continue
            }
            try self.insertObject(
                NewObject(
                    id: past.object,
                    list: list,
                    uid: tombstone.uid,
                    object: read(base),
                    isDirty: false,
                    href: past.href,
                    etag: past.etag,
                    base: base,
                    revision: past.revision + 1
                )
            )
        }
        // A deleted object without a base cannot be restored here. Without a sync token, the next sync fetches it.
        if !isWhole { try self.saveToken(nil, ctag: nil, of: list) }
        return edited.count + state.tombstones.count
    }

    /// Discards the local changes of one object; if the object has no base, it is deleted.
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func discardEdit(of id: ObjectID, reading read: TextReading) throws(DatabaseError) {
        guard let texts = try self.texts(of: id) else { throw DatabaseError(.notFound) }
        guard let base = texts.base else { return try self.remove(id) }
        let object = read(base)
        try self.updateIndex(of: id, object.index)
        try self.replaceRelations(of: id, object)
        try self.setTexts(of: id, source: base, base: base)
        try self.database.send("UPDATE calendar_object SET revision = revision + 1, dirty = 0 WHERE id = ?1", [.id(id)])
    }

    /// Returns objects to their former list if they were moved into this list and its server does not have them yet.
    package func returnMovedObjects(from list: ListID, reading read: TextReading) throws(DatabaseError) {
        for object in try self.unsentObjects(in: list) {
            let sql = "SELECT list, uid FROM tombstone WHERE object = ?1 AND list <> ?2 ORDER BY base IS NULL LIMIT 1"
            let origin = try self.database.first(sql, [.id(object.id), .id(list)]) { row -> (ListID, String) in
                (row.id("list"), row.text("uid"))
            }
            guard let (home, uid) = origin, let texts = try self.textsOfTombstone(in: home, uid: uid),
                let past = try self.removeTombstone(in: home, uid: uid)
            else { continue }
            let text = past.base ?? texts.source
            try self.remove(object.id)
            try self.insertObject(
                NewObject(
                    id: object.id,
                    list: home,
                    uid: uid,
                    object: read(text),
                    isDirty: past.base == nil,
                    href: past.href,
                    etag: past.etag,
                    base: past.base,
                    revision: max(object.revision, past.revision) + 1
                )
            )
        }
    }

    /// Records in the journal that a user deleted these objects, so that the trash contains their texts.
    /// - Returns: the run of the deletion; `nil` when `objects` is empty.
    @discardableResult
    package func trash(_ objects: [ObjectRecord], at now: Int64) throws(DatabaseError) -> RunID? {
        guard !objects.isEmpty else { return nil }
        let run = try self.beginOperation(.delete, at: now)
        for object in objects {
            let note = ChangeNote(
                object: object.id,
                uid: object.uid,
                title: object.index.title,
                side: .local,
                kind: .deleted,
                before: object.source
            )
            try self.recordChange(note, in: object.list, of: run, at: now)
        }
        return run
    }
}

extension StoreSnapshot {
    /// Returns the objects of a list that the list's server never had, according to the store.
    package func unsentObjects(in list: ListID) throws(DatabaseError) -> [ObjectRecord] {
        var objects: [ObjectRecord] = []
        for item in try self.unsentItems(in: list) where !item.wasThere {
            if let object = try self.object(item.id) { objects.append(object) }
        }
        return objects
    }

    /// Returns the number of a list's objects that neither its server nor the server of a former list has.
    package func localOnlyCount(in list: ListID) throws(DatabaseError) -> Int {
        let sql = "SELECT 1 FROM tombstone WHERE object = ?1 AND list <> ?2"
        var count = 0
        for object in try self.unsentObjects(in: list) {
            if try !self.database.exists(sql, [.id(object.id), .id(list)]) { count += 1 }
        }
        return count
    }
}
