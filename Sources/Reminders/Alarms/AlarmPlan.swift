public import RemindavICalendar
public import RemindavRecurrence

/// The alarms of one reminder, with the moments at which they fire.
///
/// A reminder fires at the times of its VALARMs, or when it is due if it has no VALARM. A snoozed reminder fires at the
/// end of the snooze, and not before. Acknowledged alarms (ACKNOWLEDGED, X-MOZ-LASTACK) do not fire. A repeating
/// reminder fires for each open occurrence. A completed or cancelled reminder never fires.
///
/// ```swift
/// let plan = AlarmPlan(reminder, zones: zones)
/// let pending = plan.next(after: now)
/// ```
///
/// Dates and floating times are local times in the local zone of `zones`. After a change of the local zone, create a
/// new plan.
public struct AlarmPlan: Sendable {
    private let id: String
    private let clock: AlarmClock
    private let pattern: Pattern
    /// X-MOZ-LASTACK: all alarms up to and including this moment are acknowledged.
    private let acknowledged: Instant?
    package let dependsOnLocalZone: Bool
    /// The number of steps that a search may take; a search that needs more steps may miss alarms.
    package let budget: StepBudget

    private enum Pattern: Sendable {
        case never
        case once(Reminder)
        case again(SeriesAlarms)
    }

    /// - Parameters:
    ///   - reminder: the reminder; the plan covers its whole series, even if ``Reminder/current(zones:)`` chose an
    ///     occurrence.
    ///   - id: the value of ``AlarmID/reminder``; by default the UID, which is not unique across lists.
    ///   - zones: the time zones of the calendar object, and the local zone for floating times.
    ///   - settings: the user's settings.
    ///   - budget: the number of steps that each search for alarms may take.
    public init(
        _ reminder: Reminder,
        id: String? = nil,
        zones: TimeZoneResolver,
        settings: AlarmSettings = AlarmSettings(),
        budget: StepBudget = StepBudget()
    ) {
        let reminder = Reminder(reminder, focus: nil)
        self.budget = budget
        self.id = id ?? reminder.uid
        self.clock = AlarmClock(zones: zones, settings: settings)
        self.dependsOnLocalZone = reminder.dependsOnLocalZone(zones)
        self.acknowledged = reminder.main.lastAcknowledged
        if reminder.main.status.isClosed, reminder.main.recurrenceID == nil || !reminder.isSeries {
            self.pattern = .never
        } else if reminder.isSeries, let series = try? ReminderSeries(reminder, zones: zones, budget: budget) {
            self.pattern = .again(SeriesAlarms(series, clock: self.clock))
        } else {
            self.pattern = .once(reminder)
        }
    }

    /// The first unacknowledged alarm after `moment`; `nil` when there is none.
    public func next(after moment: Instant) -> ReminderAlarm? {
        switch self.pattern {
        case .never: return nil
        case .once: return self.alarms(after: moment, upTo: Instant(secondsSince1970: .max)).first
        case .again(let series):
            var search = AlarmSearch(after: moment, upTo: nil)
            series.search(&search)
            return search.found.map(self.alarm).min(by: ReminderAlarm.inOrder)
        }
    }

    /// The unacknowledged alarms after `from` and up to and including `to`, also past ones, the earliest first.
    public func alarms(after from: Instant, upTo to: Instant) -> [ReminderAlarm] {
        var search = AlarmSearch(after: from, upTo: to)
        switch self.pattern {
        case .never: break
        case .once(let reminder): search.add(self.alarms(of: reminder).all, of: reminder, name: nil)
        case .again(let series): series.search(&search)
        }
        return search.found.map(self.alarm).sorted(by: ReminderAlarm.inOrder)
    }

    /// The first unacknowledged alarm up to and including `now`; `nil` when there is none.
    public func unacknowledged(at now: Instant) -> ReminderAlarm? {
        self.firstUnacknowledged.flatMap { $0.fires <= now ? $0 : nil }
    }

    /// The first unacknowledged alarm, in the past or the future; `nil` when there is none.
    package var firstUnacknowledged: ReminderAlarm? { self.next(after: self.beginning) }

    /// The first unacknowledged alarm up to and including `now`, and the first alarm after `now`.
    package func standing(at now: Instant) -> (unacknowledged: ReminderAlarm?, pending: ReminderAlarm?) {
        guard let first = self.firstUnacknowledged else { return (nil, self.next(after: now)) }
        return first.fires <= now ? (first, self.next(after: now)) : (nil, first)
    }

    /// The moment up to which all alarms are acknowledged; the beginning of 1970 if no alarm is acknowledged.
    var beginning: Instant { max(self.acknowledged ?? Self.longAgo, Self.longAgo) }

    /// The beginning of 1970, which is before every alarm.
    private static let longAgo = Instant(secondsSince1970: 0)

    private func alarms(of reminder: Reminder) -> OccurrenceAlarms {
        OccurrenceAlarms(
            reminder: reminder,
            alarms: reminder.todo.notifyingAlarms,
            snooze: Snoozes.all(reminder),
            acknowledged: reminder.main.lastAcknowledged,
            clock: self.clock
        )
    }

    private func alarm(_ found: AlarmSearch.Found) -> ReminderAlarm {
        ReminderAlarm(
            id: AlarmID(reminder: self.id, occurrence: found.name),
            fires: found.fires,
            cause: found.origin.cause,
            title: found.reminder.title,
            notes: found.reminder.notes,
            due: found.reminder.due.map(self.clock.inUTC),
            location: found.reminder.location,
            index: found.origin.number
        )
    }
}

struct AlarmSearch {
    struct Found {
        let fires: Instant
        let origin: OccurrenceAlarms.Origin
        /// The reminder with the fields of the occurrence.
        let reminder: Reminder
        /// See ``AlarmID/occurrence``; `nil` for a reminder that does not repeat.
        let name: String?
    }

    let from: Instant
    /// The last moment of the searched period; `nil` searches only for the first alarm.
    let to: Instant?
    private(set) var found: [Found] = []

    init(after from: Instant, upTo to: Instant?) {
        self.from = from
        self.to = to
    }

    /// The last moment at which an alarm can still change the result; `nil` means no limit.
    var last: Instant? { self.to ?? self.found.first?.fires }

    mutating func add(_ origins: [Instant: OccurrenceAlarms.Origin], of reminder: Reminder, name: String?) {
        for (fires, origin) in origins where fires > self.from && self.last.map({ fires <= $0 }) ?? true {
            let found = Found(fires: fires, origin: origin, reminder: reminder, name: name)
            // All alarms at the earliest moment are kept, because their titles determine the order.
            if self.to == nil, let first = self.found.first, fires < first.fires { self.found = [] }
            self.found.append(found)
        }
    }
}
