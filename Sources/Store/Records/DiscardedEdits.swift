/// A text → what listings show of it.
package typealias TextIndexing = (_ source: [UInt8]) -> ObjectIndex

extension StoreTransaction {
    /// Gives up everything that was changed in a list and that its server has not got.
    ///
    /// What was moved into it goes back where its server has it, and what is nowhere else goes into the trash.
    ///
    /// - Returns: how many objects are as the server has them again, or gone because it never had them.
    package func discardEdits(in list: ListID, index: TextIndexing, at now: Int64) throws(DatabaseError) -> Int {
        guard let state = try self.syncState(of: list) else { throw DatabaseError(.notFound) }
        let edited = state.items.filter(\.isDirty)
        try self.returnMovedObjects(from: list, index: index)
        try self.trash(try self.unsentObjects(in: list), at: now)
        for item in edited where try self.object(item.id)?.list == list {
            try self.discardEdit(of: item.id, index: index)
        }
        var isWhole = true
        for tombstone in state.tombstones {
            guard let past = try self.takeTombstone(in: list, uid: tombstone.uid) else { continue }
            guard let base = past.base else {
                isWhole = false
                continue
            }
            try self.insertObject(
                NewObject(
                    id: past.object,
                    list: list,
                    uid: tombstone.uid,
                    source: base,
                    index: index(base),
                    isDirty: false,
                    href: past.href,
                    etag: past.etag,
                    base: base,
                    revision: past.revision + 1
                )
            )
        }
        // What cannot be put back from here comes with the next full listing.
        if !isWhole { try self.saveToken(nil, ctag: nil, of: list) }
        return edited.count + state.tombstones.count
    }

    /// Gives up what was changed in one object: it has the text that both sides agreed on, or is gone when they never did.
    ///
    /// - Throws: ``DatabaseError/Code/notFound``.
    package func discardEdit(of id: ObjectID, index: TextIndexing) throws(DatabaseError) {
        guard let texts = try self.texts(of: id) else { throw DatabaseError(.notFound) }
        guard let base = texts.base else { return try self.remove(id) }
        try self.updateIndex(of: id, index(base))
        try self.setTexts(of: id, source: base, base: base)
        try self.noteRelations(of: id, in: base)
        try self.database.run(
            "UPDATE calendar_object SET revision = revision + 1, dirty = 0 WHERE id = ?1",
            [.id(id)]
        )
    }

    /// Puts what was moved into a list, and has not arrived there, back where its server has it.
    package func returnMovedObjects(from list: ListID, index: TextIndexing) throws(DatabaseError) {
        for object in try self.unsentObjects(in: list) {
            let sql = "SELECT list, uid FROM tombstone WHERE object = ?1 AND list <> ?2 ORDER BY base IS NULL LIMIT 1"
            let origin = try self.database.first(sql, [.id(object.id), .id(list)]) { row -> (ListID, String) in
                (row.id("list"), row.text("uid"))
            }
            guard let (home, uid) = origin, let texts = try self.textsOfTombstone(in: home, uid: uid),
                let past = try self.takeTombstone(in: home, uid: uid)
            else { continue }
            let text = past.base ?? texts.source
            try self.remove(object.id)
            try self.insertObject(
                NewObject(
                    id: object.id,
                    list: home,
                    uid: uid,
                    source: text,
                    index: index(text),
                    isDirty: past.base == nil,
                    href: past.href,
                    etag: past.etag,
                    base: past.base,
                    revision: max(object.revision, past.revision) + 1
                )
            )
        }
    }

    /// Tells the journal that a person deletes these objects, so that they lie in the trash with their texts.
    ///
    /// - Returns: the run that says so; `nil` where there is none of them.
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
    /// The objects of a list that its server never had, as far as is known here.
    package func unsentObjects(in list: ListID) throws(DatabaseError) -> [ObjectRecord] {
        var objects: [ObjectRecord] = []
        for item in try self.unsentItems(in: list) where !item.wasThere {
            if let object = try self.object(item.id) { objects.append(object) }
        }
        return objects
    }

    /// How many objects of a list are nowhere else: its server never had them, nor has that of another list.
    package func localOnlyCount(in list: ListID) throws(DatabaseError) -> Int {
        let sql = "SELECT 1 FROM tombstone WHERE object = ?1 AND list <> ?2"
        var count = 0
        for object in try self.unsentObjects(in: list) {
            if try !self.database.exists(sql, [.id(object.id), .id(list)]) { count += 1 }
        }
        return count
    }
}
