import ICalendar
import Notifications
import Platform
import Recurrence
import Reminders
import Store

/// The reminders of a store, as the ``AlarmScheduler`` looks them up.
final class StoredReminders {
    private let useCases: UseCases
    private var clocks: [String: TimeZoneResolver] = [:]
    private var names: ListNames?
    /// The budgets of the plans that were made for the event under way.
    private var budgets: [(reminder: String, budget: StepBudget)] = []
    /// Reminders with incomplete alarms that were not reported yet.
    private var unplanned: [String] = []
    /// The number of plans that have exceeded their budget.
    private var excesses = 0

    /// The daemon is to end before an event was taken in.
    struct Ending: Error {}

    init(_ useCases: UseCases) { self.useCases = useCases }

    func read<Outcome: Sendable>(
        _ body: (StoreSnapshot) throws(DatabaseError) -> Outcome
    ) throws(DatabaseError) -> Outcome {
        try self.useCases.store.read(body)
    }

    /// What the clock shows.
    var now: Instant { self.useCases.configuration.now() }

    /// Lists may be called otherwise.
    func forgetNames() { self.names = nil }

    /// Tells the AlarmScheduler what happened, with one view of the store for all that it asks.
    ///
    /// - Throws: when the store cannot be read; nothing has happened then.
    ///   ``Ending`` where the daemon is to end and all reminders, or many of them, are looked at.
    func take(_ event: SchedulerEvent, by scheduler: inout AlarmScheduler) throws -> [SchedulerEffect] {
        defer { self.noteExcesses() }
        let mayEnd = event.isOfMany
        let now = self.useCases.configuration.now()
        // The end of the reading can fail, too.
        var next = scheduler
        let effects = try self.useCases.store.read { (snapshot: StoreSnapshot) throws -> [SchedulerEffect] in
            let world = ReminderSource(
                reminder: { name, alarmBasis in
                    if mayEnd, WakeSources.isTerminating { throw Ending() }
                    return try self.reminder(name, alarmBasis, snapshot)
                },
                zones: { self.clock($0) }
            )
            return try next.take(event, at: now, in: world)
        }
        scheduler = next
        return effects
    }

    /// Lists are named without regard to capitals, as they are in the settings.
    ///
    /// - Returns: `nil` when there is no such reminder, or its text cannot be read.
    private func reminder(
        _ name: String,
        _ alarmBasis: AlarmBasis,
        _ snapshot: StoreSnapshot
    ) throws -> FiringReminder? {
        guard let id = Int64(name), let record = try snapshot.object(ObjectID(id)),
            let reminder = Reminder(ICalendarDocument(record.source))
        else { return nil }
        let names = try self.names ?? snapshot.listNames()
        self.names = names
        let zones = self.useCases.configuration.zones
        let resolver = TimeZoneResolver(database: zones, calendar: reminder.object.calendar, local: alarmBasis.local)
        let budget = StepBudget(DaemonLimits.steps(after: self.excesses))
        self.budgets.append((name, budget))
        return FiringReminder(
            plan: AlarmPlan(reminder, id: name, zones: resolver, settings: alarmBasis.alarms, budget: budget),
            list: MuteRules.key(ofList: names[record.list] ?? ""),
            labels: record.index.labels.map { LabelKey($0) },
            priority: Priority.allCases[clamped: record.index.priority]
        )
    }

    /// Returns the reminders with incomplete alarms since the last call.
    func takeUnplanned() -> [String] {
        defer { self.unplanned = [] }
        return self.unplanned
    }

    private func noteExcesses() {
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
    /// Whether all reminders are looked at for it, or many.
    fileprivate var isOfMany: Bool {
        switch self {
        case .started, .changed, .zoneChanged, .settings: true
        default: false
        }
    }
}
