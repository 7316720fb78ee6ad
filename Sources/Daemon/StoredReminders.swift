package import RemindavBridge
package import RemindavICalendar
package import RemindavNotifications
import RemindavPlatform
import RemindavRecurrence
import RemindavReminders
package import RemindavStore

/// Looks up the reminders of a store for the ``AlarmScheduler``.
package final class StoredReminders {
    private let useCases: UseCases
    /// Whether lookups in ascending order read many reminders at once, because each statement takes a round trip.
    private let readsAhead: Bool
    private var ahead: [ObjectID: ObjectRecord] = [:]
    /// The id up to which all open reminders were read ahead.
    private var aheadEnd: ObjectID?
    private var clocks: [String: TimeZoneResolver] = [:]
    private var names: ListNames?
    private var budgets: [(reminder: ReminderID, budget: StepBudget)] = []
    /// Reminders whose search for alarms exceeded its budget since the last call of ``removeUnplanned()``.
    private var unplanned: [ReminderID] = []
    private var excesses = 0

    /// The process is terminating, so the event was not handled.
    struct Terminating: Error {}

    /// The number of reminders that one statement reads ahead; their texts are in memory.
    private static let portion = 500

    package init(_ useCases: UseCases, readsAhead: Bool = false) {
        self.useCases = useCases
        self.readsAhead = readsAhead
    }

    func read<Outcome: Sendable>(
        _ body: (StoreSnapshot) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.useCases.store.read(body)
    }

    package var now: Instant { self.useCases.configuration.now() }
    func forgetNames() { self.names = nil }

    /// Passes an event to the scheduler, with one snapshot of the store for all lookups of the event.
    ///
    /// After an error, the scheduler is unchanged. While the process is terminating, an event that affects many
    /// reminders throws ``Terminating``.
    package func handle(_ event: SchedulerEvent, by scheduler: inout AlarmScheduler) throws -> [SchedulerEffect] {
        try self.handle(by: &scheduler) { _ in event }
    }

    /// Passes the event that `makeEvent` returns for the snapshot.
    package func handle(
        by scheduler: inout AlarmScheduler,
        _ makeEvent: (StoreSnapshot) throws -> SchedulerEvent
    ) throws -> [SchedulerEffect] {
        defer {
            self.countExcesses()
            (self.ahead, self.aheadEnd) = ([:], nil)
        }
        let now = self.now
        // The scheduler is changed on a copy, which is dropped if the end of the transaction fails.
        var next = scheduler
        let effects = try self.useCases.store.read { (snapshot: StoreSnapshot) throws -> [SchedulerEffect] in
            let event = try makeEvent(snapshot)
            let isInterruptible = event.concernsMany
            let source = ReminderSource(
                reminder: { id, basis in
                    if isInterruptible, WakeSources.isTerminating { throw Terminating() }
                    return try self.reminder(id, basis, snapshot)
                },
                zones: { self.clock($0) }
            )
            return try next.handle(event, at: now, in: source)
        }
        scheduler = next
        return effects
    }

    /// - Returns: `nil` when there is no such reminder or its text cannot be parsed.
    private func reminder(
        _ id: ReminderID,
        _ basis: AlarmBasis,
        _ snapshot: StoreSnapshot
    ) throws -> FiringReminder? {
        guard let record = try self.record(ObjectID(id.rawValue), snapshot),
            let reminder = Reminder(ICalendarDocument(record.source))
        else { return nil }
        let names = try self.names ?? snapshot.listNames()
        self.names = names
        let listName = names[record.list] ?? ""
        let zones = self.useCases.configuration.zones
        let resolver = TimeZoneResolver(database: zones, calendar: reminder.object.calendar, local: basis.local)
        let budget = StepBudget(DaemonLimits.steps(after: self.excesses))
        self.budgets.append((id, budget))
        return FiringReminder(
            plan: AlarmPlan(reminder, zones: resolver, settings: basis.alarms, budget: budget),
            list: MuteRules.key(ofList: listName),
            listName: listName,
            labels: record.index.labels,
            priority: record.index.priority
        )
    }

    private func record(_ id: ObjectID, _ snapshot: StoreSnapshot) throws(DatabaseError) -> ObjectRecord? {
        if let known = self.ahead[id] { return known }
        guard self.readsAhead, self.aheadEnd.map({ $0 < id }) ?? true else { return try snapshot.object(id) }
        let open = Status.allCases.filter { !$0.isClosed }
        let found = try snapshot.objects(from: id, statuses: open, limit: Self.portion)
        self.ahead = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        self.aheadEnd = found.count < Self.portion ? ObjectID(rawValue: .max) : found.last?.id
        // A closed reminder is not among them.
        if let known = self.ahead[id] { return known }
        return try snapshot.object(id)
    }

    func removeUnplanned() -> [ReminderID] {
        defer { self.unplanned = [] }
        return self.unplanned
    }

    private func countExcesses() {
        for (reminder, budget) in self.budgets where budget.wasExceeded {
            self.excesses += 1
            self.unplanned.append(reminder)
        }
        self.budgets = []
    }

    private func clock(_ local: String) -> TimeZoneResolver {
        if let known = self.clocks[local] { return known }
        let clock = TimeZoneResolver(database: self.useCases.configuration.zones, calendar: nil, local: local)
        self.clocks[local] = clock
        return clock
    }
}

extension SchedulerEvent {
    fileprivate var concernsMany: Bool {
        switch self {
        case .started, .changed, .zoneChanged, .settings: true
        default: false
        }
    }
}
