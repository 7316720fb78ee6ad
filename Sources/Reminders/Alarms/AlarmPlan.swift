public import ICalendar
public import Recurrence

/// Which alarms of one reminder ring, and when.
///
/// An open reminder rings when it is due, or at the times of its alarms where it has any. Put off, it rings at the end of
/// that, and at what comes later. What somebody has seen to (ACKNOWLEDGED, X-MOZ-LASTACK) is over. One that comes again
/// rings for each of its open occurrences, and one that is completed or cancelled never.
///
/// ```swift
/// let plan = AlarmPlan(reminder, zones: zones)
/// let pending = plan.next(after: now)
/// ```
///
/// Times without a zone, and whole days, are on the clock that `zones` has for floating times: another place is another
/// plan.
public struct AlarmPlan: Sendable {
    private let id: String
    private let clock: AlarmClock
    private let rings: Rings
    /// Up to when all that it rang for has been seen to (X-MOZ-LASTACK); `nil` where nobody has said so.
    private let acknowledged: Instant?
    /// Whether its alarms may be at other moments where the clock on the wall is another.
    package let followsWall: Bool
    /// The steps of each search for its alarms.
    ///
    /// Where they were exceeded, there may be alarms that were not found.
    package let budget: StepBudget

    private enum Rings: Sendable {
        case never
        case once(Reminder)
        case again(SeriesAlarms)
    }

    /// - Parameters:
    ///   - reminder: whole: not one that ``Reminder/current(zones:)`` has read at an occurrence.
    ///   - id: what ``AlarmID/reminder`` says, its UID unless given: a UID may be in several lists.
    ///   - zones: the zones as the object uses them, and the clock of floating times.
    ///   - settings: what a person has chosen.
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
            self.rings = .never
        } else if reminder.isSeries, let series = try? ReminderSeries(reminder, zones: zones, budget: budget) {
            self.rings = .again(SeriesAlarms(series, clock: self.clock))
        } else {
            self.rings = .once(reminder)
        }
    }

    /// The first alarm that rings after `moment`: the pending one, when that is now; `nil` when none does.
    public func next(after moment: Instant) -> ReminderAlarm? {
        switch self.rings {
        case .never: return nil
        case .once: return self.alarms(after: moment, upTo: Instant(secondsSince1970: .max)).first
        case .again(let series):
            var search = AlarmSearch(after: moment, upTo: nil)
            series.search(&search)
            return search.found.map(self.alarm).min(by: ReminderAlarm.inOrder)
        }
    }

    /// The alarms that ring after `from` and not after `to`, in order.
    ///
    /// Those of the past are what an open reminder has rung for, and nobody has seen to.
    public func alarms(after from: Instant, upTo to: Instant) -> [ReminderAlarm] {
        var search = AlarmSearch(after: from, upTo: to)
        switch self.rings {
        case .never: break
        case .once(let reminder): search.add(self.rings(of: reminder).all, of: reminder, name: nil)
        case .again(let series): series.search(&search)
        }
        return search.found.map(self.alarm).sorted(by: ReminderAlarm.inOrder)
    }

    /// The first alarm that has rung by `now`, or would have, and that nobody has seen to; `nil` when there is none.
    public func unacknowledged(at now: Instant) -> ReminderAlarm? {
        self.next(after: self.beginning).flatMap { $0.fires <= now ? $0 : nil }
    }

    /// The same and the pending one, by one search where nothing has rung.
    package func standing(at now: Instant) -> (unacknowledged: ReminderAlarm?, pending: ReminderAlarm?) {
        guard let first = self.next(after: self.beginning) else { return (nil, self.next(after: now)) }
        return first.fires <= now ? (first, self.next(after: now)) : (nil, first)
    }

    /// Everything before that has been seen to, however many occurrences that are.
    var beginning: Instant { max(self.acknowledged ?? Self.longAgo, Self.longAgo) }

    /// Before anything that rings: 1970.
    private static let longAgo = Instant(secondsSince1970: 0)

    /// Whether the occurrence of an alarm rings at that time, whatever the words say now.
    ///
    /// It does no more when it was completed, moved, put off, or seen to somewhere else.
    public func has(_ alarm: ReminderAlarm) -> Bool {
        self.alarms(after: alarm.fires.adding(seconds: -1), upTo: alarm.fires).contains { $0.id == alarm.id }
    }

    private func rings(of reminder: Reminder) -> OccurrenceAlarms {
        OccurrenceAlarms(
            reminder: reminder,
            alarms: reminder.todo.ringingAlarms,
            snooze: Snoozes.all(reminder),
            acknowledged: reminder.main.lastAcknowledged,
            clock: self.clock
        )
    }

    private func alarm(_ found: AlarmSearch.Found) -> ReminderAlarm {
        ReminderAlarm(
            id: AlarmID(reminder: self.id, occurrence: found.name),
            fires: found.fires,
            cause: found.ring.cause,
            title: found.reminder.title,
            body: ReminderAlarm.body(found.reminder.notes),
            ring: found.ring.number
        )
    }
}

/// What is looked for in the rings of a reminder, and what was found.
struct AlarmSearch {
    struct Found {
        let fires: Instant
        let ring: OccurrenceAlarms.Ring
        /// Read at its occurrence.
        let reminder: Reminder
        /// The name of the occurrence; `nil` where there is only one.
        let name: String?
    }

    let from: Instant
    /// The last moment that is wanted; `nil` when only the first ring is.
    let to: Instant?
    private(set) var found: [Found] = []

    init(after from: Instant, upTo to: Instant?) {
        self.from = from
        self.to = to
    }

    /// The last moment that can still change what is found; `nil` for any.
    var last: Instant? { self.to ?? self.found.first?.fires }

    /// Takes the wanted ones.
    mutating func add(_ rings: [Instant: OccurrenceAlarms.Ring], of reminder: Reminder, name: String?) {
        for (fires, ring) in rings where fires > self.from && self.last.map({ fires <= $0 }) ?? true {
            let found = Found(fires: fires, ring: ring, reminder: reminder, name: name)
            // Only the first: those that ring at one moment stay together, to be put in order by their words.
            if self.to == nil, let first = self.found.first, fires < first.fires { self.found = [] }
            self.found.append(found)
        }
    }
}
