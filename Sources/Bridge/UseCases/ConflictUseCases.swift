import RemindavICalendar
import RemindavReminders
import RemindavStore
import RemindavSync

extension UseCases {
    /// The conflicts with their losing values, newest first.
    package func conflicts(includingSettled: Bool = false) throws -> [ConflictView] {
        let reader = self.reader
        return try self.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            var views: [ConflictView] = []
            for conflict in try snapshot.conflicts(unsettledOnly: !includingSettled) {
                let object = try snapshot.object(of: conflict)
                var view = ConflictView(conflict, object: object, list: names[conflict.list] ?? "")
                view.keptReading = reader.view(ofLines: view.kept, of: object)
                view.lostReading = reader.view(ofLines: view.lost, of: object)
                views.append(view)
            }
            return views
        }
    }

    /// Restores the losing value of a conflict as an edit; the journal keeps the replaced value.
    ///
    /// - Returns: the conflict, and the run for undo; the run is `nil` when the reminder already had this value.
    package func restoreConflict(_ number: Int64) throws -> (conflict: ConflictView, run: Int64?) {
        let (reader, context, now) = (self.reader, self.editing, self.seconds)
        return try self.store.write { transaction in
            guard let conflict = try transaction.conflict(ConflictID(number)) else {
                throw UseCaseError(.conflictNotFound, subject: String(number))
            }
            let object = try transaction.object(of: conflict)
            let list = try transaction.list(object?.list ?? conflict.list)
            let view = ConflictView(conflict, object: object, list: list?.name ?? "")
            let step = conflict.note.restoring(in: object?.source, of: list, in: context)
            if case .impossible(let obstacle) = step { throw UseCaseError(obstacle, view) }
            try transaction.settle(conflict.id, at: now)
            guard case .rewrite(var reminder) = step, let object else { return (view, nil) }
            if conflict.note.property == Name.due.canonical {
                reminder = reminder.movingDueAlarm(in: context, zones: reader.resolver(for: reminder.object))
            }
            let stored = reader.stored(reminder.object)
            try transaction.update(object.id, stored)
            let run = try transaction.beginOperation(at: now)
            let title = stored.index.title
            var note = ChangeNote(object: object.id, uid: object.uid, title: title, side: .local, kind: .changed)
            (note.before, note.after) = (object.source, stored.source)
            try transaction.recordChange(note, in: object.list, of: run, at: now)
            return (view, run.rawValue)
        }
    }

    /// Accepts the winning value of a conflict.
    /// - Returns: whether the conflict was not settled before.
    package func dismissConflict(_ number: Int64) throws -> Bool {
        let now = self.seconds
        return try self.store.write { transaction in
            guard let conflict = try transaction.conflict(ConflictID(number)) else {
                throw UseCaseError(.conflictNotFound, subject: String(number))
            }
            try transaction.settle(conflict.id, at: now)
            return conflict.settledAt == nil
        }
    }

    package func dismissAllConflicts() throws -> Int {
        let now = self.seconds
        return try self.store.write { try $0.settleAllConflicts(at: now) }
    }
}

extension StoreSnapshot {
    /// The reminder of a conflict, also if it was deleted and restored with another number.
    fileprivate func object(of conflict: ConflictRecord) throws(DatabaseError) -> ObjectRecord? {
        if let id = conflict.note.object, let object = try self.object(id) { return object }
        return try self.object(in: conflict.list, uid: conflict.note.uid)
    }
}

extension ConflictView {
    fileprivate init(_ conflict: ConflictRecord, object: ObjectRecord?, list: String) {
        let note = conflict.note
        let path = ComponentPath(note.component)
        self.init(
            number: conflict.id.rawValue,
            reminder: object?.id.rawValue,
            title: object?.index.title ?? "",
            list: list,
            field: PropertyDisplayName.word(for: note.property),
            property: note.property,
            occurrence: path.occurrence,
            isOfAlarm: path.isInner,
            kept: note.winningText,
            lost: note.losingText,
            lostSide: note.losingSide.word,
            decidedAt: ReminderReader.text(Instant(secondsSince1970: conflict.at)),
            settledAt: conflict.settledAt.map { ReminderReader.text(Instant(secondsSince1970: $0)) }
        )
    }
}

extension UseCaseError {
    fileprivate init(_ obstacle: RestoringObstacle, _ conflict: ConflictView) {
        switch obstacle {
        case .reminderGone: self.init(.changedReminderGone, subject: String(conflict.number))
        case .componentGone: self.init(.occurrenceGone, subject: "\(conflict.number): \(conflict.title)")
        case .listReadOnly: self.init(.listIsReadOnly, subject: conflict.list)
        case .linesUnknown: self.init(.losingLinesUnknown, subject: "\(conflict.number): \(conflict.title)")
        }
    }
}
