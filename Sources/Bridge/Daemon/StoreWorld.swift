import ICalendar
import Notifications
import Recurrence
import Reminders
import Store

/// The reminders of a store, as the ``Ringer`` looks them up.
final class StoreWorld {
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

    /// Tells the Ringer what happened, with one view of the store for all that it asks.
    ///
    /// - Throws: when the store cannot be read; nothing has happened then.
    ///   ``Ending`` where the daemon is to end and all reminders, or many of them, are looked at.
    func take(_ event: RingEvent, by ringer: inout Ringer) throws -> [RingEffect] {
        defer { self.noteExcesses() }
        let mayEnd = event.isOfMany
        let now = self.useCases.configuration.now()
        // The end of the reading can fail, too.
        var next = ringer
        let effects = try self.useCases.store.read { (snapshot: StoreSnapshot) throws -> [RingEffect] in
            let world = RingWorld(
                reminder: { name, reckoning in
                    if mayEnd, WakeSources.isToEnd { throw Ending() }
                    return try self.reminder(name, reckoning, snapshot)
                },
                zones: { self.clock($0) }
            )
            return try next.take(event, at: now, in: world)
        }
        ringer = next
        return effects
    }

    /// Lists are named without regard to capitals, as they are in the settings.
    ///
    /// - Returns: `nil` when there is no such reminder, or its text cannot be read.
    private func reminder(
        _ name: String,
        _ reckoning: Reckoning,
        _ snapshot: StoreSnapshot
    ) throws -> RingingReminder? {
        guard let id = Int64(name), let record = try snapshot.object(ObjectID(id)),
            let reminder = Reminder(ICalendarDocument(record.source))
        else { return nil }
        let names = try self.names ?? snapshot.listNames()
        self.names = names
        let zones = self.useCases.configuration.zones
        let resolver = TimeZoneResolver(database: zones, calendar: reminder.object.calendar, local: reckoning.local)
        let budget = StepBudget(DaemonLimits.steps(after: self.excesses))
        self.budgets.append((name, budget))
        return RingingReminder(
            plan: AlarmPlan(reminder, id: name, zones: resolver, settings: reckoning.alarms, budget: budget),
            list: SilentReminders.key(ofList: names[record.list] ?? ""),
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

extension RingEvent {
    /// Whether all reminders are looked at for it, or many.
    fileprivate var isOfMany: Bool {
        switch self {
        case .started, .changed, .zoneChanged, .settings: true
        default: false
        }
    }
}
