import RemindavICalendar
import RemindavNotifications
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport

/// The time zones of the fixtures: the tests do not depend on the zones of this machine.
let database = ZoneDatabase { name in try? Fixture.bytes("tz/\(name)") }

func zones(_ local: String) -> TimeZoneResolver { TimeZoneResolver(database: database, calendar: nil, local: local) }

/// Returns the moment of a UTC time in its iCalendar form.
///
/// A time without a date (`0900`, `090001`) is on 2026-11-21.
func at(_ wire: String) -> Instant {
    let digits = wire.count == 4 ? "\(wire)00" : wire
    return Instant(wire: digits.count == 6 ? "20261121T\(digits)Z" : digits) ?? Instant(secondsSince1970: 0)
}

/// A scheduler with its reminders and a saved delivery state.
///
/// Effects are returned as lines of text.
final class Bench {
    struct Broken: Error {}

    /// The properties of each to-do.
    ///
    /// The name of a to-do is also its title.
    var todos: [ReminderID: [String]] = [:]
    var lists: [ReminderID: String] = [:]
    var labels: [ReminderID: [String]] = [:]
    /// Whether reading a reminder throws ``Broken``.
    var isBroken = false
    /// How often the scheduler has read a reminder.
    var lookups = 0
    var scheduler: AlarmScheduler
    /// The saved delivery state.
    private(set) var kept = DeliveryState()
    /// The tokens of the requested notifications, by reminder.
    ///
    /// The key `nil` is the summary.
    private(set) var tokens: [ReminderID?: Int] = [:]
    private(set) var notifications: [Notification] = []
    /// The number of effects that are executed before a simulated kill.
    ///
    /// `nil` means all of them.
    var breaksOffAfter: Int?
    private(set) var effects: [SchedulerEffect] = []

    init(_ todos: [ReminderID: [String]] = [:], _ settings: SchedulerSettings = SchedulerSettings()) {
        self.todos = todos
        self.scheduler = AlarmScheduler(records: DeliveryState(), settings: settings)
    }

    convenience init(named todos: [(String, [String])], _ settings: SchedulerSettings = SchedulerSettings()) {
        self.init(Dictionary(uniqueKeysWithValues: todos.map { (ReminderID(named: $0.0), $0.1) }), settings)
    }

    var world: ReminderSource {
        ReminderSource(
            reminder: { id, alarmBasis in
                if self.isBroken { throw Broken() }
                self.lookups += 1
                guard let lines = self.todos[id] else { return nil }
                let body = (["UID:\(id.name)", "SUMMARY:\(id.name)"] + lines).map { $0 + "\r\n" }.joined()
                let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\n\(body)END:VTODO\r\nEND:VCALENDAR\r\n"
                guard let reminder = Reminder(ICalendarDocument(text)) else { return nil }
                return FiringReminder(
                    plan: AlarmPlan(
                        reminder,
                        zones: zones(alarmBasis.local),
                        settings: alarmBasis.alarms
                    ),
                    list: self.lists[id] ?? "home",
                    listName: "",
                    labels: self.labels[id, default: []],
                    priority: reminder.priority
                )
            },
            zones: zones
        )
    }

    /// Passes an event to the scheduler, executes the effects and returns them as lines.
    @discardableResult
    func handle(_ event: SchedulerEvent, _ now: String) throws -> [String] {
        self.effects = try self.scheduler.handle(event, at: at(now), in: self.world)
        for effect in self.effects.prefix(self.breaksOffAfter ?? self.effects.count) { self.perform(effect) }
        return self.effects.compactMap(self.line)
    }

    private func perform(_ effect: SchedulerEffect) {
        switch effect {
        case .save(let changes): for change in changes { self.kept.apply(change) }
        case .show(let notification), .deliverByFallback(let notification):
            self.tokens[notification.reminder] = notification.token
            self.notifications.append(notification)
        default: break
        }
    }

    private func line(_ effect: SchedulerEffect) -> String? {
        switch effect {
        case .save, .wake: return nil
        case .show(let notification):
            let words = "\(notification.text.title)/\(notification.text.body)".replacing("\n", with: "|")
            let place = notification.replaces.map { " replacing \($0.number)" } ?? ""
            return "show \(words)\(place)\(notification.appearance.makesSound ? " with sound" : "")"
        case .close(let notification): return "close \(notification.number)"
        case .deliverByFallback(let notification): return "fallback \(notification.text.title)"
        case .write(_, let action): return "write \(Self.line(action))"
        case .open(let reminder, _): return "open \(reminder?.name ?? "what is due")"
        case .gaveUp(let action): return "gave up \(Self.line(action))"
        }
    }

    private static func line(_ action: PendingAction) -> String {
        let target = "\(action.reminder.name)\(action.occurrence.map { "@\($0)" } ?? "")"
        return switch action.effect {
        case .acknowledge(let upTo): "acknowledge \(target) \(upTo.wire)"
        case .snooze(let moment, let until): "snooze \(target) \(moment.wire) \(until.wire)"
        case .complete: "complete \(target)"
        }
    }

    /// The wake-up time in the last effects; `nil` without a wake-up.
    var wake: String? {
        for case .wake(let moment?) in self.effects { return moment.wire }
        return nil
    }

    /// Starts the scheduler and then reports the service, if there is one.
    @discardableResult
    func start(_ now: String, local: String = "Europe/Berlin", service: String? = "dunst") throws -> [String] {
        let lines = try self.handle(
            .started(reminders: self.todos.keys.sorted { $0.name < $1.name }, local: local),
            now
        )
        return try lines + (service.map { try self.handle(.service($0), now) } ?? [])
    }

    /// Starts a new scheduler with the saved delivery state.
    @discardableResult
    func restart(_ now: String, local: String = "Europe/Berlin", service: String? = "dunst") throws -> [String] {
        self.scheduler = AlarmScheduler(records: self.kept, settings: self.scheduler.settings)
        return try self.start(now, local: local, service: service)
    }

    /// Reports the number that the service gave to the notification of a reminder; `nil` is the summary.
    @discardableResult
    func shown(_ reminder: ReminderID?, _ number: UInt32, _ now: String) throws -> [String] {
        try self.handle(.shown(token: self.tokens[reminder] ?? 0, number: number), now)
    }
}

extension Bench {
    static let dueAtNine = "DUE:20261121T090000Z"
    /// The line for the notification of the reminder "milk".
    static let milkShown = Bench.milkShown(due: "10:00")
    static func milkShown(due: String) -> String { "show milk/Due \(due) with sound" }

    /// Returns a bench with one reminder that fired at nine and has notification 7.
    static func fired(_ lines: [String] = [dueAtNine]) throws -> Bench {
        let bench = Bench(["milk": lines])
        try bench.start("0800")
        try bench.handle(.clock, "0900")
        try bench.shown("milk", 7, "0900")
        return bench
    }

    /// Returns settings with the hour at which all-day reminders fire.
    static func alarms(at hour: Int, _ notifiesWhenDue: Bool = true) -> AlarmSettings {
        AlarmSettings(dayTime: ClockTime(secondsOfDay: hour * 3600), notifiesWhenDue: notifiesWhenDue)
    }
}
