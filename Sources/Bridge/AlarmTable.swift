package import RemindavICalendar
import RemindavPlatform
package import RemindavReminders
package import RemindavStore
import Synchronization

/// The times of the alarms of all open reminders, for a program that shows them often.
///
/// A plan of all alarms of ten thousand reminders takes seconds. So the times are kept, and after a change only changed
/// reminders are planned again.
package final class AlarmTable: Sendable {
    /// Some of the alarms of a kind, and the number of all.
    package struct Part<Alarm: Sendable>: Sendable {
        /// The first alarms, up to the requested limit.
        package let alarms: [Alarm]
        /// The number of all alarms of the kind.
        package let count: Int
    }

    fileprivate struct Entry {
        let revision: Int64
        let list: ListID
        /// The time of the first unacknowledged alarm; `nil` for none, or for a muted label.
        var first: Instant?
        /// The time of the first alarm after the planning; `nil` for none, or for a muted label.
        var next: Instant?
    }

    fileprivate struct State {
        /// The version of the store with which `entries` were made.
        var version: ContentVersion?
        var entries: [ObjectID: Entry] = [:]
        var filter = MuteFilter(MuteRules(), [:])
        var names: [ListID: String] = [:]
    }

    private enum Phase { case new, planning, ready }

    let useCases: UseCases
    private let settings: AlarmSettings
    private let muted: MuteRules
    private let phase = Mutex(Phase.new)
    private let state = Mutex(State())
    /// The number of changed reminders above which reading all reminders at once is faster.
    private static let fewChanges = 100
    /// The number of open reminders up to which a request plans their alarms; it takes less than a tenth of a second.
    private static let fewReminders = 300

    /// - Parameter useCases: with a connection of their own, because planning all alarms takes long.
    package init(_ useCases: UseCases, settings: AlarmSettings = AlarmSettings(), muted: MuteRules = MuteRules()) {
        self.useCases = useCases
        self.settings = settings
        self.muted = muted
    }

    // MARK: Reading

    /// The number of open reminders with an unacknowledged alarm at or before this moment.
    ///
    /// - Returns: `nil` while the alarms of many reminders are planned for the first time, on a thread of its own.
    /// - Throws: the error of a store that cannot be read; so do the functions below.
    package func count() throws -> Int? {
        guard self.isReady else { return nil }
        let now = self.useCases.now
        return try self.withEntries { _, state in state.shown { $0.first }.count { $0.time <= now } }
    }

    /// The first unacknowledged alarm of each reminder that has one, the latest first.
    ///
    /// - Parameter limit: the maximum number of alarms; `nil` for all.
    package func fired(limit: Int? = nil) throws -> Part<FiredAlarm> {
        let now = self.useCases.now
        return try self.withEntries { snapshot, state in
            let all = state.shown { $0.first }.filter { $0.time <= now }.sorted { ($1.time, $1.id) < ($0.time, $0.id) }
            let readOnly = Set(try snapshot.lists().filter(\.isReadOnly).map(\.id))
            let alarms = try self.alarms(all, limit, snapshot, state) { $0.unacknowledged(at: now) }
            return Part(
                alarms: alarms.sorted { ReminderAlarm.inOrder($1.view.alarm, $0.view.alarm) }
                    .map { FiredAlarm(view: $0.view, isReadOnly: readOnly.contains($0.list)) },
                count: all.count
            )
        }
    }

    /// The next alarm of each reminder that has a pending alarm, in the order of time.
    ///
    /// - Parameter limit: the maximum number of alarms; `nil` for all.
    package func pending(limit: Int? = nil) throws -> Part<AlarmView> {
        let now = self.useCases.now
        return try self.withEntries { snapshot, state in
            let all = state.shown { $0.next }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
            let alarms = try self.alarms(all, limit, snapshot, state) { $0.next(after: now) }
            let views = alarms.map(\.view).sorted { ReminderAlarm.inOrder($0.alarm, $1.alarm) }
            return Part(alarms: views, count: all.count)
        }
    }

    /// The time of the next alarm, and the reminders that have one then; `nil` without a pending alarm.
    package func next() throws -> (time: Instant, reminders: [ObjectID])? {
        try self.withEntries { _, state in
            let all = state.shown { $0.next }
            guard let time = all.map(\.time).min() else { return nil }
            return (time, all.filter { $0.time == time }.map(\.id))
        }
    }

    /// The alarms of some reminders at a time, as they are now.
    func alarms(of reminders: [ObjectID], at time: Instant) throws -> [ReminderAlarm] {
        try self.useCases.store.read { snapshot in
            try reminders.flatMap { id in
                let record = try snapshot.object(id).flatMap { $0.index.status.isClosed ? nil : $0 }
                let plan = record.flatMap { self.useCases.reader.plan($0, self.settings) }
                return plan?.alarms(after: time.adding(seconds: -1), upTo: time) ?? []
            }
        }
    }

    private func alarms(
        _ times: [(id: ObjectID, time: Instant)],
        _ limit: Int?,
        _ snapshot: StoreSnapshot,
        _ state: State,
        _ alarm: (AlarmPlan) -> ReminderAlarm?
    ) throws -> [(view: AlarmView, list: ListID)] {
        try times.prefix(limit ?? .max).compactMap { id, _ in
            guard let record = try snapshot.object(id),
                let alarm = self.useCases.reader.plan(record, self.settings).flatMap(alarm)
            else { return nil }
            return (AlarmView(alarm, of: record, in: state.names), record.list)
        }
    }

    // MARK: Planning

    /// Whether the alarms were planned; begins to plan those of many reminders on a thread.
    private var isReady: Bool {
        get {
            let isNew = self.phase.withLock { phase in
                defer { if phase == .new { phase = .planning } }
                return phase == .new
            }
            if isNew {
                // If the store cannot be read, the plan below reports the error.
                let open = try? self.useCases.store.read { snapshot throws(DatabaseError) in
                    try snapshot.versions().count { !$0.status.isClosed }
                }
                let isMany = open.map { $0 > Self.fewReminders } ?? false
                if !isMany || !startThread(named: "alarms", { self.plan() }) { self.plan() }
            }
            return self.isPlanned
        }
    }

    /// Whether the alarms of all reminders were planned once.
    package var isPlanned: Bool { self.phase.withLock { $0 == .ready } }
    /// Whether pages were shown without the number of alarms.
    var isAwaited: Bool { self.phase.withLock { $0 == .planning } }

    private func plan() {
        // After an error, the next request plans, and reports the error.
        try? self.withEntries { _, _ in }
        self.phase.withLock { $0 = .ready }
    }

    private func withEntries<Value: Sendable>(_ body: (StoreSnapshot, State) throws -> Value) throws -> Value {
        try self.state.withLock { state in
            let value = try self.useCases.store.read { snapshot in
                try self.update(&state, snapshot)
                return try body(snapshot, state)
            }
            self.phase.withLock { $0 = .ready }
            return value
        }
    }

    private func update(_ state: inout State, _ snapshot: StoreSnapshot) throws {
        let (version, now) = (try snapshot.contentVersion(), self.useCases.now)
        if version != state.version {
            state.names = try snapshot.listNames()
            state.filter = MuteFilter(self.muted, state.names)
            var entries: [ObjectID: Entry] = [:]
            var changed: [ObjectID] = []
            for object in try snapshot.versions() where !object.status.isClosed {
                if let entry = state.entries[object.id], entry.revision == object.revision, entry.list == object.list {
                    entries[object.id] = entry
                } else {
                    changed.append(object.id)
                }
            }
            if changed.count > Self.fewChanges {
                entries = [:]
                try snapshot.forEachOpenObject { entries[$0.id] = self.entry($0, now) }
            } else {
                for id in changed {
                    if let record = try snapshot.object(id) { entries[id] = self.entry(record, now) }
                }
            }
            state.entries = entries
            state.version = version
        }
        // Their next alarms have fired since they were planned.
        for (id, entry) in state.entries where entry.next.map({ $0 <= now }) ?? false {
            if let record = try snapshot.object(id) { state.entries[id] = self.entry(record, now) }
        }
    }

    private func entry(_ record: ObjectRecord, _ now: Instant) -> Entry {
        let isMuted = MuteFilter(MuteRules(labels: self.muted.labels), [:]).isMuted(record)
        let alarms = isMuted ? nil : self.useCases.reader.plan(record, self.settings)?.standing(at: now)
        return Entry(
            revision: record.revision,
            list: record.list,
            first: (alarms?.unacknowledged ?? alarms?.pending)?.fires,
            next: alarms?.pending?.fires
        )
    }
}

extension AlarmTable.State {
    /// The times of the reminders that are not in a muted list.
    fileprivate func shown(_ time: (AlarmTable.Entry) -> Instant?) -> [(id: ObjectID, time: Instant)] {
        self.entries.compactMap { id, entry in
            self.filter.isMuted(entry.list) ? nil : time(entry).map { (id, $0) }
        }
    }
}
