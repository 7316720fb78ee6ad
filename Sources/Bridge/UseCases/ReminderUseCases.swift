package import RemindavICalendar
import RemindavRecurrence
package import RemindavReminders
import RemindavStore

extension UseCases {
    /// The number of all reminders, including completed ones.
    package func reminderCount() throws -> Int {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.objectCount() }
    }

    /// Returns the reminder with the number.
    package func reminder(_ id: Int64) throws -> ReminderView {
        try self.store.read { snapshot in
            let (record, list) = try snapshot.reminder(id)
            return try self.single(record, of: Reminder(ICalendarDocument(record.source)), in: list.name, snapshot)
        }
    }

    func single(
        _ record: ObjectRecord,
        of reminder: Reminder?,
        in list: String,
        _ snapshot: StoreSnapshot
    ) throws(DatabaseError) -> ReminderView {
        var view = self.reader.view(record, of: reminder, list: list)
        try snapshot.fillFamily(&view, of: record, reminder)
        view.base.source = record.source
        return view
    }

    /// Adds a reminder.
    ///
    /// - Throws: `TitleError` for a title without a visible character; ``UseCaseError/Code/mustBeInFuture`` for a due
    ///   time in the past. An all-day reminder may be due today.
    package func add(_ draft: ReminderDraft) throws -> ReminderView {
        let (list, reminder) = try self.making(draft.checked(), uid: self.newUID())
        return try self.store.write { transaction throws(DatabaseError) in
            var scope = OperationScope()
            return try self.insert(reminder, into: list, as: &scope, transaction)
        }
    }

    /// Adds several reminders in one transaction; if one cannot be added, none is.
    ///
    /// - Returns: the reminders in the order of the drafts.
    /// - Throws: ``DraftError`` for the first draft that cannot be added.
    package func add(_ drafts: [ReminderDraft]) throws -> [ReminderView] {
        let made = try drafts.enumerated().map { index, draft in
            do {
                return try self.making(draft.checked(), uid: self.newUID())
            } catch {
                throw DraftError(index: index, underlying: error)
            }
        }
        return try self.store.write { transaction throws(DatabaseError) in
            var views: [ReminderView] = []
            for (list, reminder) in made {
                var scope = OperationScope()
                views.append(try self.insert(reminder, into: list, as: &scope, transaction))
            }
            return views
        }
    }

    /// The reminder of a draft with a valid title, and its list, without adding it; throws the errors of ``add(_:)``.
    func making(_ draft: ReminderDraft, uid: String) throws -> (ListRecord, Reminder) {
        if let due = draft.due, !draft.change.allowsPastDue { try self.checkToBeInFuture(due) }
        guard draft.recurrenceRule == nil || draft.due != nil else { throw UseCaseError(.repeatNeedsDue) }
        let needsDue = draft.alarms?.contains(where: \.needsDue) ?? false
        guard !needsDue || draft.due != nil else { throw UseCaseError(.alarmNeedsDue) }
        guard draft.alarms?.count ?? 0 <= AlarmChoice.maximumCount else { throw UseCaseError(.tooManyAlarms) }
        var draft = try self.resolvingRelations(of: draft)
        draft.change = try draft.change.checkedLines()
        try self.checkStart(draft.change, of: nil, zones: self.reader.local)
        let list = try self.writableList(draft.list)
        if draft.alarms == nil { draft.alarms = try self.defaults(of: list).alarms }
        guard let reminder = self.drafted(draft, uid: uid) else { throw UseCaseError(.reminderNotFound) }
        if draft.recurrenceRule != nil { try self.checkEnd(of: reminder) }
        return (list, reminder)
    }

    func drafted(_ draft: ReminderDraft, uid: String) -> Reminder? {
        let zones = self.reader.local
        var draft = draft
        draft.recurrenceRule = draft.recurrenceRule.map { $0.agreeing(with: draft.due, zones: zones) }
        return Reminder(draft, uid: uid, in: self.editing, zones: zones)
    }

    /// - Throws: ``UseCaseError/Code/repeatEndsBeforeDue`` for a series without an occurrence; servers refuse it.
    private func checkEnd(of reminder: Reminder) throws {
        guard let start = reminder.startAfterEnd(zones: self.reader.local) else { return }
        throw UseCaseError(.repeatEndsBeforeDue, subject: "\(start.day)")
    }

    /// - Parameter run: gets the run in the journal.
    func insert(
        _ reminder: Reminder,
        into list: ListRecord,
        as run: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) -> ReminderView {
        let stored = self.reader.stored(reminder.object)
        let id = try transaction.insert(into: list.id, uid: reminder.uid, stored)
        var entry = JournalEntry(.add, in: run, at: self.seconds)
        try entry.added(id, uid: reminder.uid, stored, to: list.id, transaction)
        entry.kept(&run)
        guard let record = try transaction.object(id) else { throw DatabaseError(.notFound) }
        return try self.single(record, of: reminder, in: list.name, transaction)
    }

    func moment(_ choice: DueChoice) -> CalendarDateOrDateTime {
        choice.moment(localZone: self.configuration.localZone)
    }

    /// Changes a reminder in one transaction; other fields keep their bytes.
    ///
    /// A new due time must be in the future. A due time that the change keeps may be past. A reminder that moves to
    /// another list takes its subtasks with it.
    ///
    /// - Parameter base: the version of the reminder that the caller edited, from a use case for one reminder; `nil`
    ///   skips the check for conflicts. Fields that only another edit changed later keep the values of that edit.
    /// - Throws: the errors of ``add(_:)``; `changedMeanwhile` when another edit changed one of the same fields later.
    ///   The reminder then stays unchanged.
    package func edit(_ id: Int64, _ change: ReminderChange, since base: ReminderView? = nil) throws -> ReminderView {
        var change = change
        try change.checkTexts()
        return try self.store.write { [change] transaction in
            var scope = OperationScope()
            return try self.edit(id, change, since: base, in: &scope, transaction).reminder
        }
    }

    func edit(
        _ id: Int64,
        _ change: ReminderChange,
        since base: ReminderView? = nil,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> CompletionResult {
        var (record, list) = try transaction.reminder(id)
        if let base, let target = change.list, list.name != base.list, list.name != target {
            throw UseCaseError(.changedMeanwhile, subject: "list")
        }
        var target = try change.list.map { try transaction.writableList(named: $0) }
        if let chosen = target, list.isReadOnly {
            let moved = try self.moveUnsent(record, from: list, to: chosen, in: &scope, transaction)
            (record, list) = try transaction.reminder(moved.rawValue)
            target = nil
        }
        let alarms = self.defaults(try transaction.defaults(of: (target ?? list).id)).alarms
        let operation: Operation = change.fields == [.list] ? .move : .edit
        if let target, target.id != list.id {
            // The subtasks move first, so that the view of the reminder contains them.
            for child in try transaction.descendants(of: record) {
                _ = try self.change(child, of: list, .move, in: &scope, to: target, transaction) {
                    Outcome(reminder: $0)
                }
            }
        }
        let own = try transaction.resolvingRelations(of: change, for: record, in: target ?? list)
        return try self.change(record, of: list, operation, in: &scope, to: target, transaction) { reminder in
            Outcome(reminder: try self.edited(reminder, own, since: base, defaultAlarms: alarms))
        }
    }

    /// The reminder after the change; throws an error if a check fails.
    private func edited(
        _ reminder: Reminder,
        _ change: ReminderChange,
        since base: ReminderView?,
        defaultAlarms: [AlarmChoice]
    ) throws -> Reminder {
        let reader = self.reader
        let zones = reader.resolver(for: reminder.object)
        let current = reminder.current(zones: zones)
        var change = change
        if change.status != .keep, current.status.isClosed { throw UseCaseError(.alreadyCompleted) }
        if let shift = change.dueShift {
            change.due = .set(try current.due(after: shift, zones: zones))
            // An overdue reminder may be shifted to a past time; for another one, this would be a mistake.
            change.allowsPastDue = current.due.map { self.isPast($0, in: zones) } ?? false
        }
        if case .set(let due) = change.due, !change.allowsPastDue {
            try self.checkToBeInFuture(due, unless: current.due, in: zones)
        }
        if let former = base?.base.source.flatMap({ Reminder(ICalendarDocument($0)) }) {
            let conflicts = change.conflicts(
                from: former.current(zones: reader.resolver(for: former.object)),
                to: current
            )
            guard conflicts.isEmpty else {
                throw UseCaseError(.changedMeanwhile, subject: conflicts.map(\.name).joined(separator: ", "))
            }
        }
        // A new due time for the whole series would move the series past the earlier date, and the shown date would
        // not get it. So the due time concerns the shown date only, and the other fields concern the series.
        if !change.changesOnlyThisDate, change.due.value != nil, change.fieldsOfSeries.isEmpty,
            current.followsMovedDate(zones: zones)
        {
            var (date, others) = (ReminderChange(due: change.due), change)
            (date.changesOnlyThisDate, date.allowsPastDue) = (true, change.allowsPastDue)
            others.due = .keep
            let edited =
                others.isEmpty
                ? reminder : try self.edited(reminder, others, since: nil, defaultAlarms: defaultAlarms)
            return try self.edited(edited, date, since: nil, defaultAlarms: defaultAlarms)
        }
        if change.changesOnlyThisDate { try self.checkFieldsOfDate(change, of: current) }
        try self.checkStart(change, of: reminder, zones: zones)
        guard !change.leavesRuleWithoutDate(reminder) else { throw UseCaseError(.repeatNeedsDue) }
        if case .set(let rule) = change.recurrenceRule {
            change.recurrenceRule = .set(rule.agreeing(with: reminder.due(after: change.due), zones: reader.local))
        }
        if change.newAlarms.contains(where: \.needsDue), !change.leavesDue(reminder) {
            throw UseCaseError(.alarmNeedsDue)
        }
        if change.exceedsAlarms(of: current, dayTime: self.editing.dayTime, zones: zones) {
            throw UseCaseError(.tooManyAlarms)
        }
        if change.alarmAdjustment == nil { change.alarms = change.alarms(of: reminder, defaults: defaultAlarms) }
        if change.changesOnlyThisDate {
            return try reminder.applyingToCurrentOccurrence(change, in: self.editing, zones: zones)
        }
        if change.changesSeries, reminder.hasSeveralRules { throw RecurrenceError.severalRules }
        let changed = current.applying(change, in: self.editing, zones: zones)
        if change.changesSeries { try self.checkEnd(of: changed) }
        return changed
    }

    /// Refuses a change that one date of a series cannot have on its own.
    ///
    /// The later dates of a series that counts from the completion are not planned yet, so they cannot stay.
    private func checkFieldsOfDate(_ change: ReminderChange, of reminder: Reminder) throws {
        guard reminder.recurrenceText != nil || reminder.replacedDate != nil else { return }
        let fields = change.fieldsOfSeries
        guard fields.isEmpty else {
            throw UseCaseError(.fieldOfSeries, subject: fields.map(\.name).joined(separator: ", "))
        }
        if change.due == .clear { throw UseCaseError(.dateNeedsDue) }
        if reminder.recurrenceRule?.countsFromCompletion ?? false { throw UseCaseError(.datesCountFromCompletion) }
    }

    /// - Parameter reminder: the reminder before the change; `nil` for a new one.
    private func checkStart(_ change: ReminderChange, of reminder: Reminder?, zones: TimeZoneResolver) throws {
        if change.startsSeries(reminder) { throw UseCaseError(.startOfSeries) }
        if let start = change.startAfterDue(of: reminder, zones: zones) {
            throw UseCaseError(.startAfterDue, subject: "\(start.day)")
        }
    }

    /// Completes a reminder; a series advances to its next occurrence.
    ///
    /// The account's setting `completes` selects how the completed occurrence is stored.
    package func complete(_ id: Int64) throws -> ReminderView {
        var run = OperationScope()
        return try self.completing(id, as: &run).reminder
    }

    /// - Parameter occurrence: in the form of ``AlarmID/occurrence``; `nil` for the current occurrence.
    func completing(
        _ id: Int64,
        occurrence: String? = nil,
        as run: inout OperationScope
    ) throws -> CompletionResult {
        try self.changing(as: &run) { scope, transaction in
            try self.complete(id, occurrence: occurrence, in: &scope, transaction)
        }
    }

    /// - Parameter skips: whether the current date of a series is left out without a completed copy.
    func complete(
        _ id: Int64,
        occurrence: String? = nil,
        skips: Bool = false,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> CompletionResult {
        let operation: Operation = skips ? .skip : .complete
        var result = try self.changing(id, operation, in: &scope, transaction) { reminder, list in
            let completion = try reminder.completing(
                occurrence: occurrence,
                in: self.editing,
                zones: self.reader.resolver(for: reminder.object),
                shape: try transaction.completionShape(of: list),
                skips: skips
            )
            if skips, completion.copy == nil { throw UseCaseError(.noNextDate, subject: "\(id)") }
            return Outcome(reminder: completion.reminder, copy: skips ? nil : completion.copy)
        }
        if result.isChanged, !result.reminder.status.isClosed {
            result.reopened = try self.reopenSubtasks(of: id, in: &scope, transaction)
        }
        return result
    }

    /// Reopens a reminder; in a series with overrides, it reopens the occurrence that was completed last.
    package func reopen(_ id: Int64) throws -> ReminderView {
        var run = OperationScope()
        return try self.changing(as: &run) { scope, transaction in
            try self.reopen(id, in: &scope, transaction)
        }.reminder
    }

    func reopen(_ id: Int64, in scope: inout OperationScope, _ transaction: StoreTransaction) throws
        -> CompletionResult
    {
        try self.changing(id, .reopen, in: &scope, transaction) { reminder, _ in
            Outcome(reminder: reminder.reopening(in: self.editing, zones: self.reader.resolver(for: reminder.object)))
        }
    }

    /// Snoozes a reminder for a number of seconds from now on.
    ///
    /// - Parameter seconds: the length; more than ``longestSnooze`` is reduced to that value.
    package func snooze(_ id: Int64, seconds: Int64) throws -> ReminderView {
        let length = min(max(seconds, -Self.longestSnooze), Self.longestSnooze)
        return try self.snooze(id, until: Instant(secondsSince1970: self.seconds + length))
    }

    /// Snoozes a reminder until a time.
    ///
    /// - Parameter until: the end; a time more than ``longestSnooze`` from now is replaced by the latest possible end.
    package func snooze(_ id: Int64, until: Instant) throws -> ReminderView {
        var run = OperationScope()
        return try self.changing(as: &run) { scope, transaction in
            try self.snooze(id, until: until, in: &scope, transaction)
        }.reminder
    }

    func snooze(
        _ id: Int64,
        until: Instant,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> CompletionResult {
        let context = self.editing
        let until = Reminder.snoozeEnd(until, now: context.now)
        return try self.changing(id, .snooze, in: &scope, transaction) { reminder, _ in
            let zones = self.reader.resolver(for: reminder.object)
            guard !reminder.current(zones: zones).status.isClosed else {
                throw UseCaseError(.alreadyCompleted, subject: String(id))
            }
            return Outcome(reminder: reminder.snoozing(until: until, in: context, zones: zones))
        }
    }

    func acknowledge(
        _ id: Int64,
        _ settings: AlarmSettings,
        in scope: inout OperationScope,
        _ transaction: StoreTransaction
    ) throws -> CompletionResult {
        let context = self.editing
        return try self.changing(id, .acknowledge, in: &scope, transaction) { reminder, _ in
            let zones = self.reader.resolver(for: reminder.object)
            return Outcome(
                reminder: reminder.acknowledgingAll(upTo: context.now, in: context, zones: zones, settings: settings)
            )
        }
    }

    /// The longest snooze in seconds, which is a hundred years.
    package static let longestSnooze = Reminder.longestSnooze

    /// Moves a reminder to the trash, and the next sync deletes it on the server.
    package func delete(_ id: Int64) throws {
        try self.store.write { transaction in
            var scope = OperationScope()
            try self.delete(id, in: &scope, transaction)
        }
    }

    func delete(_ id: Int64, in scope: inout OperationScope, _ transaction: StoreTransaction) throws {
        let now = self.seconds
        let (record, list) = try transaction.reminder(id)
        guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
        try transaction.delete(record.id, at: now)
        var entry = JournalEntry(.delete, in: scope, at: now)
        try entry.deleted(record, transaction)
        entry.kept(&scope)
    }
}

extension StoreSnapshot {
    func reminder(_ id: Int64) throws -> (ObjectRecord, ListRecord) {
        guard let record = try self.object(ObjectID(id)), let list = try self.list(record.list) else {
            throw UseCaseError(.reminderNotFound, subject: String(id))
        }
        return (record, list)
    }

    fileprivate func writableList(named name: String) throws -> ListRecord {
        let list = try self.list(named: name)
        guard !list.isReadOnly else { throw UseCaseError(.listIsReadOnly, subject: list.name) }
        return list
    }

    fileprivate func completionShape(of list: ListRecord) throws(DatabaseError) -> CompletionShape {
        guard let id = list.account, let account = try self.accounts().first(where: { $0.id == id }) else {
            return .roll
        }
        return CompletionShape(rawValue: account.settings.completesAs) ?? .roll
    }
}
