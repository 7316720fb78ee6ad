import RemindavICalendar
import RemindavReminders
import RemindavStore

// Writes the to-dos of a file: as new objects, or as changes of existing objects.

extension StreamImport {
    mutating func insert(_ todo: Component, _ uid: String) throws(DatabaseError) {
        let source = self.calendar.source(Array(todo.bytes), zones: todo.timeZoneNames)
        guard let object = CalendarObject(ICalendarDocument(source)) else { return }
        let stored = self.reader.stored(object)
        let id = try self.transaction.insert(into: self.list.id, uid: uid, stored)
        self.report.lists.insert(self.list.name)
        try self.record(
            ChangeNote(object: id, uid: uid, title: stored.index.title, side: .local, kind: .added),
            in: self.list.id
        )
        self.calendar.wait(for: todo, of: id, line: self.line)
        self.outcomes[id] = .added
        _ = self.outcomes.insert(todo.recurrenceID?.value, of: id)
    }

    /// Adds the completed date of a series, if the list does not contain it already.
    mutating func insert(copy: Reminder, into list: ListID) throws(DatabaseError) {
        guard try self.transaction.object(in: list, uid: copy.uid) == nil else { return }
        let stored = self.reader.stored(copy.object)
        let id = try self.transaction.insert(into: list, uid: copy.uid, stored)
        try self.record(
            ChangeNote(object: id, uid: copy.uid, title: stored.index.title, side: .local, kind: .added),
            in: list
        )
        self.outcomes[id] = .added
    }

    /// Moves a reminder to the trash, unless an earlier file of the same import changed it.
    /// - Returns: whether the reminder was moved.
    mutating func delete(_ record: ObjectRecord) throws(DatabaseError) -> Bool {
        guard !self.recorded.contains(record.id) else {
            self.outcomes.setFirst(.unchanged, of: record.id)
            return false
        }
        try self.transaction.delete(record.id, at: self.now)
        let title = record.index.title
        var note = ChangeNote(object: record.id, uid: record.uid, title: title, side: .local, kind: .deleted)
        note.before = record.source
        try self.record(note, in: record.list)
        self.outcomes[record.id] = .deleted
        return true
    }

    /// Compares a to-do with the existing to-do of the same occurrence; occurrences that the file lacks stay unchanged.
    ///
    /// The change is written later, by ``writeOpenObjects(reopening:)``.
    mutating func merge(_ todo: Component, into key: OpenObjects.Key, line: Int) {
        guard let object = self.open[key] else { return }
        let id = object.record.id
        let occurrence = todo.recurrenceID?.value
        let isFirst = self.outcomes.insert(occurrence, of: id)
        guard let match = object[occurrence] else {
            guard !object.isFull else { return self.refuse(line: line, of: id) }
            return self.open.change(key) { $0.insert(todo, line: line) }
        }
        if match.meaning() == todo.meaning() { return self.outcomes.setFirst(.unchanged, of: id) }
        guard isFirst else {
            self.report.skipped += 1
            return self.add(ParseIssue(.duplicateUID, line: line, subject: Name.vtodo.canonical))
        }
        if let mine = match.lastChange, todo.lastChange.map({ mine > $0 }) ?? true {
            self.outcomes.setFirst(.unchanged, of: id)
            return self.add(ParseIssue(.olderThanStored, line: line, subject: Name.vtodo.canonical))
        }
        self.open.change(key) { $0.replace(match, with: todo, line: line) }
    }

    /// Writes the changes of existing reminders, and time zones that the file defined after their use.
    ///
    /// - Parameter key: the key of a reminder that the import needs again at once, so that it is read again.
    mutating func writeOpenObjects(reopening key: OpenObjects.Key? = nil) throws(DatabaseError) {
        defer { self.calendar.incomplete = [] }
        let needed = key.flatMap { self.open[$0]?.record.id }
        for object in self.open.removeAll() {
            let fits = try self.write(object)
            guard let key, object.record.id == needed, let record = try self.transaction.object(object.record.id),
                var again = OpenObject(record)
            else { continue }
            again.isFull = object.isFull || !fits
            self.open.open(again, as: key)
        }
        for id in self.calendar.incomplete.sorted() {
            guard let record = try self.transaction.object(id) else { continue }
            let text = self.calendar.addingZones(to: ICalendarDocument(record.source))
            if text.bytes != record.source { _ = try self.save(text, as: record) }
        }
    }

    /// Writes as many changed to-dos as fit into one object, and returns whether all of them fit.
    private mutating func write(_ object: OpenObject) throws(DatabaseError) -> Bool {
        guard !object.parts.isEmpty else { return true }
        let id = object.record.id
        var (fitting, tooMany) = (0, object.parts.count + 1)
        var tried = object.parts.count
        while fitting + 1 < tooMany {
            if CalendarObject(self.calendar.addingZones(to: object.text(with: tried))) == nil {
                tooMany = tried
            } else {
                fitting = tried
            }
            tried = (fitting + tooMany) / 2
        }
        if fitting > 0 {
            _ = try self.save(self.calendar.addingZones(to: object.text(with: fitting)), as: object.record)
            self.noteUpdate(of: id, with: object.parts.prefix(fitting).map(\.todo))
        }
        for part in object.parts.dropFirst(fitting) { self.refuse(line: part.line, of: id) }
        return fitting == object.parts.count
    }

    private mutating func noteUpdate(of id: ObjectID, with todos: [Component]) {
        for todo in todos { self.calendar.wait(for: todo, of: id, line: self.line) }
        // If this import added the reminder, a later occurrence is part of the addition and not an update.
        if self.outcomes[id] != .added { self.outcomes[id] = .updated }
    }

    /// Reports a to-do that would exceed the size limit of its object, and leaves it out.
    private mutating func refuse(line: Int, of id: ObjectID) {
        self.outcomes.setFirst(.skipped, of: id)
        self.add(ParseIssue(.documentTooLarge, line: line, subject: Name.vtodo.canonical))
    }

    /// Saves an object to which a to-do of the file was applied.
    mutating func save(
        _ document: ICalendarDocument,
        with todo: Component,
        as record: ObjectRecord,
        line: Int
    ) throws(DatabaseError) {
        guard try self.save(self.calendar.addingZones(to: document), as: record) else {
            return self.refuse(line: line, of: record.id)
        }
        self.noteUpdate(of: record.id, with: [todo])
    }

    /// Saves the new text of an object; returns `false`, without saving, if the text contains no to-do.
    private mutating func save(_ document: ICalendarDocument, as record: ObjectRecord) throws(DatabaseError) -> Bool {
        guard let object = CalendarObject(document) else { return false }
        try self.transaction.update(record.id, self.reader.stored(object))
        let outcome = self.outcomes[record.id]
        guard outcome != .added, outcome != .updated else { return true }
        let note = ChangeNote(
            object: record.id,
            uid: record.uid,
            title: record.index.title,
            side: .local,
            kind: .changed,
            before: record.source
        )
        try self.record(note, in: record.list)
        return true
    }

    private mutating func record(_ note: ChangeNote, in list: ListID) throws(DatabaseError) {
        let run = if let run = self.run { run } else { try self.transaction.beginOperation(at: self.now) }
        self.run = run
        guard self.recorded.insert(note.object).inserted else { return }
        try self.transaction.recordChange(note, in: list, of: run, at: self.now)
    }
}
