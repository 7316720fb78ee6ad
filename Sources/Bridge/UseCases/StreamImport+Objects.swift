import ICalendar
import Reminders
import Store

// What becomes of a to-do of the stream: a new object, or a part of one that is here.

extension StreamImport {
    /// The reminder with that UID in the list, else in another one, which is then told of.
    mutating func existing(_ uid: String, in transaction: StoreTransaction) throws(DatabaseError) -> ObjectRecord? {
        if let record = try transaction.object(in: self.list.id, uid: uid) { return record }
        for list in self.others where list.id != self.list.id {
            guard let record = try transaction.object(in: list.id, uid: uid) else { continue }
            // What the file itself has put there is a copy in a list of its own.
            guard self.outcomes[record.id] != .added else { continue }
            if self.outcomes[record.id] == nil { self.report.elsewhere[list.name, default: 0] += 1 }
            return record
        }
        return nil
    }

    mutating func insert(_ todo: Component, uid: String, in transaction: StoreTransaction) throws(DatabaseError) {
        let names = todo.timeZoneNames
        let source = CalendarObject.assemble(
            header: self.header,
            zones: names.compactMap { self.zones[$0] },
            components: [Array(todo.bytes)]
        )
        guard let object = CalendarObject(ICalendarDocument(source)) else { return }
        let index = self.reader.index(object)
        let id = try transaction.insert(into: self.list.id, uid: uid, source: source, index: index)
        self.report.lists.insert(self.list.name)
        let note = ChangeNote(object: id, uid: uid, title: index.title, side: .local, kind: .added)
        try self.record(note, in: self.list.id, transaction)
        self.wait(for: todo, of: id)
        self.outcomes[id] = .added
        _ = self.isFirst(todo.recurrenceID?.value, of: id)
    }

    /// Compares with what is here, occurrence by occurrence; what the file does not have stays.
    ///
    /// Nothing is written before ``writeOpenObjects(in:)``.
    mutating func merge(_ todo: Component, into key: OpenObjects.Key, line: Int) {
        guard let object = self.open[key] else { return }
        let id = object.record.id
        let occurrence = todo.recurrenceID?.value
        let isFirst = self.isFirst(occurrence, of: id)
        guard let match = object[occurrence] else {
            guard !object.isFull else { return self.refuse(line: line, of: id) }
            return self.open.change(key) { $0.insert(todo, line: line) }
        }
        if match.meaning() == todo.meaning() {
            if self.outcomes[id] == nil { self.outcomes[id] = .unchanged }
            return
        }
        guard isFirst else {
            self.report.skipped += 1
            return self.add(ParseIssue(.duplicateUID, line: line, subject: Name.vtodo.canonical))
        }
        if let mine = match.lastChange, todo.lastChange.map({ mine > $0 }) ?? true {
            if self.outcomes[id] == nil { self.outcomes[id] = .skipped }
            return self.add(ParseIssue(.olderThanStored, line: line, subject: Name.vtodo.canonical))
        }
        self.open.change(key) { $0.replace(match, with: todo, line: line) }
    }

    /// Writes the stream's changes of existing reminders, and the zones that came after them.
    ///
    /// - Parameter key: one that is needed again at once: it stays open where it is full.
    mutating func writeOpenObjects(
        reopening key: OpenObjects.Key? = nil,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        defer { self.incomplete = [] }
        try self.writeParts(reopening: key, in: transaction)
        for id in self.incomplete.sorted() {
            guard let record = try transaction.object(id) else { continue }
            let text = ICalendarDocument(record.source).addingMissingTimeZones { self.zones[$0] }
            if text.bytes != record.source { _ = try self.save(text, as: record, in: transaction) }
        }
    }

    private mutating func writeParts(
        reopening key: OpenObjects.Key?,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        guard !self.open.isEmpty else { return }
        let needed = key.flatMap { self.open[$0]?.record.id }
        for object in self.open.takeAll() {
            let fits = try self.write(object, in: transaction)
            guard let key, object.record.id == needed, let record = try transaction.object(object.record.id),
                var again = OpenObject(record)
            else { continue }
            again.isFull = object.isFull || !fits
            self.open.open(again, as: key)
        }
    }

    /// Writes as many of an object's parts as are read of one object together.
    ///
    /// - Returns: whether these are all.
    private mutating func write(_ object: OpenObject, in transaction: StoreTransaction) throws(DatabaseError) -> Bool {
        guard !object.parts.isEmpty else { return true }
        var (fitting, tooMany) = (0, object.parts.count + 1)
        var tried = object.parts.count
        while fitting + 1 < tooMany {
            let text = object.text(with: tried).addingMissingTimeZones { self.zones[$0] }
            if CalendarObject(text) == nil { tooMany = tried } else { fitting = tried }
            tried = (fitting + tooMany) / 2
        }
        if fitting > 0 {
            let text = object.text(with: fitting).addingMissingTimeZones { self.zones[$0] }
            _ = try self.save(text, as: object.record, in: transaction)
            for part in object.parts.prefix(fitting) { self.wait(for: part.todo, of: object.record.id) }
            // An occurrence of a reminder that this stream added belongs to that reminder.
            if self.outcomes[object.record.id] != .added { self.outcomes[object.record.id] = .updated }
        }
        for part in object.parts.dropFirst(fitting) { self.refuse(line: part.line, of: object.record.id) }
        return fitting == object.parts.count
    }

    /// Together they exceed the limit of one object, so the stored reminder stays unchanged.
    private mutating func refuse(line: Int, of id: ObjectID) {
        if self.outcomes[id] == nil { self.outcomes[id] = .skipped }
        self.add(ParseIssue(.documentTooLarge, line: line, subject: Name.vtodo.canonical))
    }

    /// Whether the stream has not had that occurrence of that object yet; `nil` is the series itself.
    mutating func isFirst(_ occurrence: String?, of id: ObjectID) -> Bool {
        guard let occurrence else { return self.outcomes.meet(id) }
        return self.seenOccurrences.insert("\(id.rawValue)\n\(occurrence)").inserted
    }

    /// Remembers an object that names zones which have not come yet.
    private mutating func wait(for todo: Component, of id: ObjectID) {
        for name in todo.timeZoneNames where self.zones[name] == nil {
            let property = todo.properties.first { $0.parameter(.tzid) == name }
            self.waiting[name, default: Waiting(line: property?.line ?? todo.line)].objects.append(id)
        }
    }

    /// Keeps an object that has taken a to-do of the stream.
    mutating func save(
        _ document: ICalendarDocument,
        with todo: Component,
        as record: ObjectRecord,
        line: Int,
        in transaction: StoreTransaction
    ) throws(DatabaseError) {
        let id = record.id
        guard try self.save(document.addingMissingTimeZones { self.zones[$0] }, as: record, in: transaction) else {
            // Together they exceed the limit of one object, so the stored reminder stays unchanged.
            if self.outcomes[id] == nil { self.outcomes[id] = .skipped }
            return self.add(ParseIssue(.documentTooLarge, line: line, subject: Name.vtodo.canonical))
        }
        self.wait(for: todo, of: id)
        // An occurrence of a reminder that this stream added belongs to that reminder.
        if self.outcomes[id] != .added { self.outcomes[id] = .updated }
    }

    /// Writes into the journal what was done to an object.
    private mutating func record(
        _ note: ChangeNote,
        in list: ListID,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        let run = if let run = self.run { run } else { try transaction.beginOperation(at: self.now) }
        self.run = run
        try transaction.recordChange(note, in: list, of: run, at: self.now)
    }

    /// Ends the journal's run, after all to-dos: what they have become is written down as well.
    func endRun(in transaction: StoreTransaction) throws(DatabaseError) {
        if let run = self.run { try transaction.recordTexts(of: run) }
    }

    /// Writes an object's new text.
    ///
    /// - Returns: whether there is still a to-do in it; if not, nothing is written.
    mutating func save(
        _ document: ICalendarDocument,
        as record: ObjectRecord,
        in transaction: StoreTransaction
    ) throws(DatabaseError) -> Bool {
        guard let object = CalendarObject(document) else { return false }
        try transaction.update(record.id, source: document.bytes, index: self.reader.index(object))
        let fate = self.outcomes[record.id]
        guard fate != .added, fate != .updated else { return true }
        let note = ChangeNote(
            object: record.id,
            uid: record.uid,
            title: record.index.title,
            side: .local,
            kind: .changed,
            before: record.source
        )
        try self.record(note, in: record.list, transaction)
        return true
    }
}
