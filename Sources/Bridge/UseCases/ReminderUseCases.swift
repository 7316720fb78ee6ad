public import ICalendar
package import JSON
import Recurrence
import Reminders
import Store

extension UseCases {
    /// The reminders that a filter lets through, in the order of a list.
    ///
    /// - Parameter detail: `.line` reads only what a line of a list shows, which is much faster.
    public func reminders(matching filter: ReminderFilter, detail: ReminderDetail = .everything) throws
        -> [ReminderView]
    {
        let reader = self.reader
        let matches = Self.predicate(filter)
        return try self.store.read { snapshot -> [ReminderView] in
            let names = try snapshot.listNames()
            let list = try filter.list.map { try snapshot.list(named: $0).id }
            var views: [ReminderView] = []
            var order = ListOrder()
            switch detail {
            case .line:
                // Room at once: a copy for each doubling would take longer than all else here, and so would counting them.
                views.reserveCapacity(Self.usualRoom)
                order.reserve(Self.usualRoom)
                try snapshot.forEachRow(in: list, ofStatus: Self.statuses(filter)) { row in
                    let view = reader.view(row, list: names[row.list] ?? "")
                    guard matches(view) else { return }
                    order.append(view)
                    views.append(view)
                }
            case .everything:
                try snapshot.forEachObject(in: list) { record in
                    let view = reader.view(record, list: names[record.list] ?? "")
                    guard matches(view) else { return true }
                    order.append(view)
                    views.append(view)
                    return true
                }
            }
            views.sort(by: &order)
            return views
        }
    }

    /// More reminders than most people have: memory that nobody touches costs nothing.
    private static let usualRoom = 1 << 14

    /// The statuses that a reminder may have which a filter lets through, as the index counts them.
    private static func statuses(_ filter: ReminderFilter) -> [Int] {
        Status.allCases.indices.filter { index in
            if let section = filter.section { return (section == .completed) == Status.allCases[index].isClosed }
            return filter.includesCompleted || !Status.allCases[index].isClosed
        }
    }

    private static func predicate(_ filter: ReminderFilter) -> @Sendable (ReminderView) -> Bool {
        let labels = LabelFilter(filter.labels)
        return { view in
            if let section = filter.section {
                guard view.section == section else { return false }
            } else if !filter.includesCompleted, view.section == .completed {
                return false
            }
            return labels.matches(view.labels)
        }
    }

    /// How many reminders there are, done ones included.
    public func reminderCount() throws -> Int {
        try self.store.read { snapshot throws(DatabaseError) in try snapshot.objectCount() }
    }

    /// The reminder with that number.
    public func reminder(_ id: Int64) throws -> ReminderView {
        let (record, list) = try self.load(id)
        return self.reader.view(record, list: list.name)
    }

    /// Makes a reminder.
    ///
    /// - Throws: `TitleError` first, where nobody could see the title; ``UseCaseError/Code/mustBeInFuture`` where it
    ///   would be due now or earlier, today as a whole day excepted.
    public func add(_ draft: NewReminder) throws -> ReminderView {
        let (list, reminder) = try self.making(draft, uid: self.newUID())
        let id = try self.store.write { transaction throws(DatabaseError) in
            try self.insert(reminder, into: list, transaction)
        }
        return try self.reminder(id.rawValue)
    }

    /// Adds several reminders in one transaction: all of them, or none.
    ///
    /// - Returns: the reminders, in the order of the drafts.
    /// - Throws: ``DraftError`` for the first draft that cannot be added.
    package func add(_ drafts: [NewReminder]) throws -> [ReminderView] {
        let made = try drafts.enumerated().map { index, draft in
            do {
                return try self.making(draft, uid: self.newUID())
            } catch {
                throw DraftError(index: index, underlying: error)
            }
        }
        let ids = try self.store.write { transaction throws(DatabaseError) in
            var ids: [ObjectID] = []
            for (list, reminder) in made { ids.append(try self.insert(reminder, into: list, transaction)) }
            return ids
        }
        return try ids.map { try self.reminder($0.rawValue) }
    }

    /// What a draft makes, and the list that it goes to; nothing is written.
    ///
    /// - Throws: as ``add(_:)``.
    func making(_ draft: NewReminder, uid: String) throws -> (ListRecord, Reminder) {
        _ = try Reminder.checked(title: draft.title)
        if let due = draft.due { try self.checkToBeInFuture(due) }
        guard draft.repeatRule == nil || draft.due != nil else { throw UseCaseError(.repeatNeedsDue) }
        let needsDue = draft.alarms?.contains(where: \.needsDue) ?? false
        guard !needsDue || draft.due != nil else { throw UseCaseError(.alarmNeedsDue) }
        let list = try self.writableList(draft.list)
        let due = draft.due.map(self.moment)
        try self.checkEnd(of: draft.repeatRule.map { self.agreeing($0, with: due) }, from: due)
        var draft = draft
        if draft.alarms == nil { draft.alarms = try self.defaults(of: list).alarms }
        guard let reminder = try self.drafted(draft, uid: uid) else { throw UseCaseError(.reminderNotFound) }
        return (list, reminder)
    }

    /// A draft as a reminder, whether it could be made now or not.
    ///
    /// - Throws: `TitleError`.
    func drafted(_ draft: NewReminder, uid: String) throws(TitleError) -> Reminder? {
        var inner = ReminderDraft(title: try Reminder.checked(title: draft.title))
        inner.notes = draft.notes
        inner.due = draft.due.map(self.moment)
        inner.recurrenceRule = draft.repeatRule.map { self.agreeing($0, with: inner.due) }
        inner.labels = draft.labels
        inner.priority = draft.priority.priority
        inner.alarms = draft.alarms ?? []
        let zones = TimeZoneResolver(
            database: self.configuration.zones,
            calendar: nil,
            local: self.configuration.localZone
        )
        return Reminder(inner, uid: uid, in: self.editing, zones: zones)
    }

    /// Writes a new reminder, which waits for the next sync.
    func insert(
        _ reminder: Reminder,
        into list: ListRecord,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) -> ObjectID {
        let index = self.reader.index(reminder.object)
        let source = reminder.object.document.bytes
        let id = try transaction.insert(into: list.id, uid: reminder.uid, source: source, index: index)
        var entry = JournalEntry(.add, in: OperationScope(), at: self.seconds)
        try entry.added(id, uid: reminder.uid, title: index.title, source: source, to: list.id, transaction)
        return id
    }

    /// Changes a reminder; what the change does not name stays to the byte.
    ///
    /// What is due already may get another title, and may even be given the time that it has; another time must be in
    /// the future.
    ///
    /// - Parameter base: the reminder as somebody saw it who took a while; `nil` for a change of what is there, whatever
    ///   that is. What was changed since stays, unless the change is about the same field.
    /// - Throws: as ``add(_:)``, and `changedMeanwhile` when it is, and leads to another value; nothing is changed then.
    public func edit(_ id: Int64, _ change: ReminderEdit, since base: ReminderView? = nil) throws -> ReminderView {
        var inner = ReminderChange()
        inner.title = try change.title.map { title throws(TitleError) in try Reminder.checked(title: title) }
        if case .set(let due) = change.due { try self.checkToBeInFuture(due, unlessOf: id) }
        inner.notes = change.notes
        inner.due = change.due.map(self.moment)
        inner.recurrenceRule = change.repeatRule
        inner.alarms = change.alarms
        switch change.priority {
        case .keep: break
        case .clear: inner.priority = .undefined
        case .set(let priority): inner.priority = priority.priority
        }
        switch change.labels {
        case .keep: break
        case .clear: inner.labels = []
        case .set(let labels): inner.labels = labels
        }
        let context = self.editing
        let reader = self.reader
        if let base { try self.checkList(of: id, change, since: base) }
        var id = id
        var run = OperationScope()
        var target = try change.list.map { try self.writableList($0) }
        if let list = target, try self.load(id).1.isReadOnly {
            id = try self.takeOut(id, to: list, as: &run)
            target = nil
        }
        let isMove = change.list != nil && change.isOnlyMove
        let newAlarms = try self.defaults(of: target ?? self.load(id).1).alarms
        try self.change(id, isMove ? .move : .edit, as: &run, to: target) { reminder in
            let clashes = base.map { reader.clashes(of: change, since: $0, with: reminder, due: inner.due) } ?? []
            guard clashes.isEmpty else {
                throw UseCaseError(.changedMeanwhile, subject: clashes.joined(separator: ", "))
            }
            guard !self.repeatsWithoutDate(reminder, inner) else { throw UseCaseError(.repeatNeedsDue) }
            var inner = inner
            if case .set(let rule) = inner.recurrenceRule {
                let due: CalendarDateOrDateTime? = if case .set(let moment) = inner.due { moment } else { reminder.due }
                inner.recurrenceRule = .set(self.agreeing(rule, with: due))
            }
            inner.alarms = try self.alarms(inner, of: reminder, else: newAlarms)
            if inner.changesSeries, reminder.hasSeveralRules { throw RecurrenceError.severalRules }
            let zones = reader.resolver(for: reminder.object)
            let changed = reminder.current(zones: zones).applying(inner, in: context, zones: zones)
            if inner.changesSeries { try self.checkEnd(of: changed) }
            return Outcome(reminder: changed)
        }
        return try self.reminder(id)
    }

    /// - Throws: when it shall move to a list, and was moved to another one since.
    private func checkList(of id: Int64, _ change: ReminderEdit, since base: ReminderView) throws {
        guard let target = change.list else { return }
        let list = try self.load(id).1.name
        guard list == base.list || list == target else { throw UseCaseError(.changedMeanwhile, subject: "list") }
    }

    /// Whether a change would leave a rule without a date to count from.
    private func repeatsWithoutDate(_ reminder: Reminder, _ change: ReminderChange) -> Bool {
        let hasDate: Bool =
            switch change.due {
            case .keep: reminder.due != nil || reminder.start != nil
            case .clear: false
            case .set: true
            }
        return switch change.recurrenceRule {
        case .keep: reminder.recurrenceText != nil && !hasDate
        case .clear: false
        case .set: !hasDate
        }
    }

    /// The rule with an UNTIL of the kind that the start asks for: UTC for a time, a day for a day (RFC 5545 §3.3.10).
    ///
    /// A day means its end; a time without a zone is one on the clock of the start.
    func agreeing(_ rule: RecurrenceRule, with due: CalendarDateOrDateTime?) -> RecurrenceRule {
        let zone: ZoneReference? = if case .dateTime(let time)? = due { time.zone } else { nil }
        let last: CalendarDateTime
        switch (rule.until, zone) {
        case (.date(let day)?, let zone?) where zone != .floating:
            last = CalendarDateTime(localSeconds: Int64((day.dayNumber + 1) * ClockTime.secondsPerDay - 1), zone: zone)
        case (.dateTime(let time)?, let zone?) where time.zone == .floating && zone != .floating:
            last = CalendarDateTime(date: time.date, time: time.time, zone: zone)
        case (.dateTime(let time)?, nil) where time.zone == .floating && due != nil:
            var agreeing = rule
            agreeing.until = .date(time.date)
            return agreeing
        default: return rule
        }
        let zones = self.configuration.zones
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: self.configuration.localZone)
        guard let instant = resolver.instant(of: last) else { return rule }
        var agreeing = rule
        agreeing.until = .dateTime(CalendarDateTime(utc: instant))
        return agreeing
    }

    /// A time in the local zone carries the zone's name; a moment with an offset becomes UTC.
    func moment(_ choice: DueChoice) -> CalendarDateOrDateTime {
        switch choice {
        case .date(let date): return .date(date)
        case .local(let date, let time):
            let zone: ZoneReference =
                self.configuration.localZone == "UTC" ? .utc : .named(self.configuration.localZone)
            return .dateTime(CalendarDateTime(date: date, time: time, zone: zone))
        case .exact(let instant):
            return .dateTime(CalendarDateTime(localSeconds: instant.secondsSince1970, zone: .utc))
        }
    }

    /// Marks a reminder as done; one that repeats is at its next occurrence then, in the shape that its account wants.
    public func complete(_ id: Int64) throws -> ReminderView {
        var run = OperationScope()
        return try self.completing(id, as: &run).reminder
    }

    /// Does the same, and says what came of it.
    ///
    /// - Parameters:
    ///   - occurrence: which one, as alarms name it; `nil` for the one that is to be done now.
    ///   - run: the run in the journal that it is in, with what the same command does to other reminders.
    package func completing(
        _ id: Int64,
        occurrence: String? = nil,
        as run: inout OperationScope
    ) throws -> CompletionResult {
        let context = self.editing
        let reader = self.reader
        let shape = try self.completionShape(of: id)
        let done = try self.change(id, .complete, as: &run) { reminder in
            let zones = reader.resolver(for: reminder.object)
            let completion = try reminder.completing(
                occurrence: occurrence,
                in: context,
                zones: zones,
                shape: shape
            )
            return Outcome(reminder: completion.reminder, copy: completion.copy)
        }
        return CompletionResult(reminder: try self.reminder(id), isChanged: done.isChanged, copy: done.copy?.rawValue)
    }

    /// How occurrences are completed in the account of a reminder.
    private func completionShape(of id: Int64) throws -> CompletionShape {
        let (_, list) = try self.load(id, forWriting: true)
        guard let account = list.account else { return .roll }
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        let word = accounts.first { $0.id == account }?.settings.completesAs
        return word.flatMap(CompletionShape.init) ?? .roll
    }

    /// Marks a reminder as not done; of a series with overrides the occurrence that was completed last.
    public func reopen(_ id: Int64) throws -> ReminderView {
        var run = OperationScope()
        return try self.reopening(id, as: &run).reminder
    }

    /// Does the same, and says what came of it.
    ///
    /// - Parameter run: as in ``completing(_:as:)``.
    package func reopening(_ id: Int64, as run: inout OperationScope) throws -> CompletionResult {
        let context = self.editing
        let reader = self.reader
        let done = try self.change(id, .reopen, as: &run) {
            Outcome(reminder: $0.reopening(in: context, zones: reader.resolver(for: $0.object)))
        }
        return CompletionResult(reminder: try self.reminder(id), isChanged: done.isChanged, copy: nil)
    }

    /// Puts a reminder off, counted from now.
    ///
    /// - Parameter seconds: how long; no more than ``longestSnooze``, and what is longer is that.
    public func snooze(_ id: Int64, seconds: Int64) throws -> ReminderView {
        let length = min(max(seconds, -Self.longestSnooze), Self.longestSnooze)
        return try self.snooze(id, until: Instant(secondsSince1970: self.seconds + length))
    }

    /// Puts a reminder off until a moment.
    ///
    /// - Parameter until: no further from now than ``longestSnooze``; what is further is that.
    public func snooze(_ id: Int64, until: Instant) throws -> ReminderView {
        let context = self.editing
        let reader = self.reader
        let most = Int(Self.longestSnooze)
        let until = min(max(until, context.now.adding(seconds: -most)), context.now.adding(seconds: most))
        var run = OperationScope()
        try self.change(id, .snooze, as: &run) { reminder in
            let zones = reader.resolver(for: reminder.object)
            guard !reminder.current(zones: zones).status.isClosed else {
                throw UseCaseError(.alreadyCompleted, subject: String(id))
            }
            return Outcome(reminder: reminder.snoozing(until: until, in: context, zones: zones))
        }
        return try self.reminder(id)
    }

    /// A hundred years, in seconds: nobody puts anything off for longer, and a moment has to be one that can be written.
    public static let longestSnooze: Int64 = 100 * 366 * Int64(ClockTime.secondsPerDay)

    /// Deletes a reminder; the server hears of it at the next sync, and the trash has its text.
    public func delete(_ id: Int64) throws {
        var run = OperationScope()
        try self.delete(id, as: &run)
    }

    /// Does the same.
    ///
    /// - Parameter run: as in ``completing(_:as:)``.
    package func delete(_ id: Int64, as run: inout OperationScope) throws {
        _ = try self.load(id, forWriting: true)
        let now = self.seconds
        let entry = try self.store.write { [run] transaction throws(DatabaseError) in
            guard let record = try transaction.object(ObjectID(id)) else { throw DatabaseError(.notFound) }
            try transaction.delete(record.id, at: now)
            var entry = JournalEntry(.delete, in: run, at: now)
            try entry.deleted(record, transaction)
            return entry
        }
        entry.kept(&run)
    }

    /// The alarms that an edit leads to: those of the list for a reminder that had no date, and has no alarm.
    ///
    /// - Throws: ``UseCaseError/Code/alarmNeedsDue``.
    private func alarms(
        _ change: ReminderChange,
        of reminder: Reminder,
        else defaults: [AlarmChoice]
    ) throws -> FieldChange<[AlarmChoice]> {
        let hasDue: Bool
        switch change.due {
        case .keep: hasDue = reminder.due != nil
        case .clear: hasDue = false
        case .set: hasDue = true
        }
        if case .set(let alarms) = change.alarms, !hasDue, alarms.contains(where: \.needsDue) {
            throw UseCaseError(.alarmNeedsDue)
        }
        guard change.alarms == .keep, hasDue, reminder.due == nil, reminder.alarms.isEmpty else { return change.alarms }
        return defaults.isEmpty ? .keep : .set(defaults)
    }

    // MARK: Loading and saving

    private func load(_ id: Int64, forWriting: Bool = false) throws -> (ObjectRecord, ListRecord) {
        let found = try self.store.read { snapshot throws(DatabaseError) -> (ObjectRecord, ListRecord)? in
            guard let record = try snapshot.object(ObjectID(id)), let list = try snapshot.list(record.list) else {
                return nil
            }
            return (record, list)
        }
        guard let found else { throw UseCaseError(.reminderNotFound, subject: String(id)) }
        if forWriting, found.1.isReadOnly { throw UseCaseError(.listIsReadOnly, subject: found.1.name) }
        return found
    }

    /// What becomes of a reminder.
    struct Outcome {
        let reminder: Reminder
        /// What is done of it, as a reminder of its own.
        var copy: Reminder?
    }

    /// What was written.
    struct Written: Sendable {
        /// Whether the reminder is another than before.
        var isChanged = false
        /// The number of what is done of it.
        var copy: ObjectID?
        var entry: JournalEntry
    }

    /// Reads, decides and writes in one transaction, so that no edit of another process is lost between, and so that the
    /// journal has all of it or nothing.
    ///
    /// - Parameters:
    ///   - run: what the same command did before is in; it has this as well when it is kept.
    ///   - list: where it is to be afterwards; `nil` for where it is.
    @discardableResult
    func change(
        _ id: Int64,
        _ operation: Operation,
        as run: inout OperationScope,
        to list: ListRecord? = nil,
        _ body: (Reminder) throws -> Outcome
    ) throws -> Written {
        _ = try self.load(id, forWriting: true)
        let reader = self.reader
        let now = self.seconds
        let written = try self.store.write { [run] transaction in
            guard let record = try transaction.object(ObjectID(id)),
                let reminder = Reminder(ICalendarDocument(record.source))
            else { throw UseCaseError(.reminderNotFound, subject: String(id)) }
            var written = Written(entry: JournalEntry(operation, in: run, at: now))
            let outcome = try body(reminder)
            let bytes = outcome.reminder.object.document.bytes
            if bytes != record.source {
                try transaction.update(record.id, source: bytes, index: reader.index(outcome.reminder.object))
                try written.entry.changed(record, to: bytes, transaction)
                written.isChanged = true
                if let copy = outcome.copy { try written.take(copy, into: record.list, reader, transaction) }
            }
            if let list, list.id != record.list {
                try transaction.checkRoom(for: record, in: list)
                try transaction.move(record.id, to: list.id, at: now)
                try written.entry.moved(record, to: list.id, transaction)
            }
            return written
        }
        written.entry.kept(&run)
        return written
    }
}

extension StoreTransaction {
    /// - Throws: ``UseCaseError/Code/duplicateUIDInTarget`` when a list that something is to be moved to has its UID.
    func checkRoom(for record: ObjectRecord, in list: ListRecord) throws {
        guard let twin = try self.object(in: list.id, uid: record.uid), twin.id != record.id else { return }
        throw UseCaseError(.duplicateUIDInTarget, subject: "\(twin.id.rawValue) in \(list.name)")
    }
}

extension UseCases.Written {
    /// Keeps what is done of a reminder; an earlier try may have left it.
    fileprivate mutating func take(
        _ copy: Reminder,
        into list: ListID,
        _ reader: ReminderReader,
        _ transaction: StoreTransaction
    ) throws(DatabaseError) {
        if let former = try transaction.object(in: list, uid: copy.uid) {
            self.copy = former.id
            return
        }
        let (source, index) = (copy.object.document.bytes, reader.index(copy.object))
        let id = try transaction.insert(into: list, uid: copy.uid, source: source, index: index)
        try self.entry.added(id, uid: copy.uid, title: index.title, source: source, to: list, transaction)
        self.copy = id
    }
}

/// What came of completing a reminder, or of opening one again.
package struct CompletionResult: Hashable, Sendable {
    /// As it is now.
    package let reminder: ReminderView
    /// Whether it is another than before: one that was done, or open, already is not.
    package let isChanged: Bool
    /// The number of what is done of a reminder that has moved on, as a reminder of its own; `nil` for none.
    package let copy: Int64?
}

/// How much of each reminder is read.
public enum ReminderDetail: Sendable {
    /// What a line of a list shows: no notes, no alarms, no texts of dates; the UID is empty.
    case line
    /// Everything.
    case everything
}

extension ReminderEdit {
    /// Whether it names nothing but a list.
    fileprivate var isOnlyMove: Bool {
        var rest = self
        rest.list = nil
        return rest == ReminderEdit()
    }
}

extension ReminderChange {
    /// Whether it changes when the reminder comes again.
    fileprivate var changesSeries: Bool { self.due != .keep || self.recurrenceRule != .keep }
}

/// Why one of several drafts cannot be added.
package struct DraftError: Error {
    /// The place of the draft, counted from 0.
    package let index: Int
    package let underlying: any Error
}

extension CompletionResult: JSONRecord {
    package static let jsonMembers =
        JSONMember<Self>.all { $0.reminder } + [
            JSONMember("changed") { $0.isChanged },
            JSONMember("copy") { $0.copy },
        ]
}
