public import ICalendar
public import Recurrence

/// The alarms of one reminder and their times.
///
/// An open reminder fires when it is due, or at the times of its VALARMs if it has any. A snooze moves alarms up to its end
/// to its end. Acknowledged alarms (ACKNOWLEDGED, X-MOZ-LASTACK) are over. A repeating reminder fires for each open
/// occurrence; a completed or cancelled one never fires.
///
/// ```swift
/// let plan = AlarmPlan(reminder, zones: zones)
/// let pending = plan.next(after: now)
/// ```
///
/// Times without a zone and dates are local times in the zone that `zones` has for floating times, so another local zone
/// needs another plan.
public struct AlarmPlan: Sendable {
    private let id: String
    private let clock: AlarmClock
    private let pattern: Pattern
    /// X-MOZ-LASTACK: all alarms up to this time are acknowledged.
    private let acknowledged: Instant?
    /// Whether its alarms depend on the local time zone.
    package let followsWall: Bool
    /// After an exceeded budget, some alarms are unknown.
    package let budget: StepBudget

    private enum Pattern: Sendable {
        case never
        case once(Reminder)
        case again(SeriesAlarms)
    }

    /// - Parameters:
    ///   - reminder: whole: not one that ``Reminder/current(zones:)`` has read at an occurrence.
    ///   - id: the value of ``AlarmID/reminder``; by default the UID, which may be in several lists.
    ///   - zones: the zones as the object uses them, and the clock of floating times.
    ///   - settings: the user's settings.
    ///   - budget: the steps of each search for its alarms.
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
        self.followsWall = reminder.followsWall(zones)
        self.acknowledged = reminder.main.lastAcknowledged
        if reminder.main.status.isClosed, reminder.main.recurrenceID == nil || !reminder.isSeries {
            self.pattern = .never
        } else if reminder.isSeries, let series = try? ReminderSeries(reminder, zones: zones, budget: budget) {
            self.pattern = .again(SeriesAlarms(series, clock: self.clock))
        } else {
            self.pattern = .once(reminder)
        }
    }

    /// The first alarm that fires after `moment`; `nil` without one.
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

    /// The unacknowledged alarms after `from` and not after `to`, in order.
    ///
    /// Alarms in the past have fired.
    public func alarms(after from: Instant, upTo to: Instant) -> [ReminderAlarm] {
        var search = AlarmSearch(after: from, upTo: to)
        switch self.pattern {
        case .never: break
        case .once(let reminder): search.add(self.alarms(of: reminder).all, of: reminder, name: nil)
        case .again(let series): series.search(&search)
        }
        return search.found.map(self.alarm).sorted(by: ReminderAlarm.inOrder)
    }

    /// The first unacknowledged alarm up to `now`; `nil` without one.
    public func unacknowledged(at now: Instant) -> ReminderAlarm? {
        self.next(after: self.beginning).flatMap { $0.fires <= now ? $0 : nil }
    }

    /// The first unacknowledged alarm and the next one, with one search if no alarm has fired.
    package func standing(at now: Instant) -> (unacknowledged: ReminderAlarm?, pending: ReminderAlarm?) {
        guard let first = self.next(after: self.beginning) else { return (nil, self.next(after: now)) }
        return first.fires <= now ? (first, self.next(after: now)) : (nil, first)
    }

    /// All alarms up to this time are acknowledged.
    var beginning: Instant { max(self.acknowledged ?? Self.longAgo, Self.longAgo) }

    /// Before every alarm: 1970.
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
            body: ReminderAlarm.body(found.reminder.notes),
            index: found.origin.number
        )
    }
}

struct AlarmSearch {
    struct Found {
        let fires: Instant
        let origin: OccurrenceAlarms.Origin
        /// As read at its occurrence.
        let reminder: Reminder
        /// The name of the occurrence; `nil` for a reminder that does not repeat.
        let name: String?
    }

    let from: Instant
    /// The end of the searched period; `nil` for the first alarm only.
    let to: Instant?
    private(set) var found: [Found] = []

    init(after from: Instant, upTo to: Instant?) {
        self.from = from
        self.to = to
    }

    /// The last moment that can change the result; `nil` without a limit.
    var last: Instant? { self.to ?? self.found.first?.fires }

    /// Adds the alarms of the period.
    mutating func add(_ origins: [Instant: OccurrenceAlarms.Origin], of reminder: Reminder, name: String?) {
        for (fires, origin) in origins where fires > self.from && self.last.map({ fires <= $0 }) ?? true {
            let found = Found(fires: fires, origin: origin, reminder: reminder, name: name)
            // Alarms at one moment stay together, because their texts determine the order.
            if self.to == nil, let first = self.found.first, fires < first.fires { self.found = [] }
            self.found.append(found)
        }
    }
}
