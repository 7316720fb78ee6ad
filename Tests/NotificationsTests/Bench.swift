import ICalendar
import Notifications
import Recurrence
import Reminders
import TestSupport

/// Zones from the fixtures, so that the tests do not depend on those of the machine.
let database = ZoneDatabase { name in try? Fixture.bytes("tz/\(name)") }

func zones(_ local: String) -> TimeZoneResolver { TimeZoneResolver(database: database, calendar: nil, local: local) }

/// A moment by its wire form; of one without a date the 21st of November 2026, in UTC: `0900`, `090001`.
func at(_ wire: String) -> Instant {
    let digits = wire.count == 4 ? "\(wire)00" : wire
    return Instant(wire: digits.count == 6 ? "20261121T\(digits)Z" : digits) ?? Instant(secondsSince1970: 0)
}

/// A scheduler, its reminders, and a disk that keeps what it is told to; effects as lines that can be read.
final class Bench {
    struct Broken: Error {}

    /// The lines of each to-do, by its name, which is its title.
    var todos: [ReminderID: [String]] = [:]
    var lists: [ReminderID: String] = [:]
    var labels: [ReminderID: [String]] = [:]
    /// Reminders cannot be read.
    var isBroken = false
    /// How often one was looked up.
    var looks = 0
    var scheduler: AlarmScheduler
    private(set) var kept = DeliveryState()
    /// The requested notifications, by reminder; `nil` for the summary.
    private(set) var tokens: [ReminderID?: Int] = [:]
    private(set) var notifications: [Notification] = []
    /// How many effects are done before it breaks off; `nil`: all.
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
                self.looks += 1
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
                    labels: self.labels[id, default: []].map(LabelKey.init),
                    priority: reminder.priority
                )
            },
            zones: zones
        )
    }

    /// Tells it something, does what it says, and says what that was.
    @discardableResult
    func tell(_ event: SchedulerEvent, _ now: String) throws -> [String] {
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
            let place = notification.replaces.map { " for \($0.number)" } ?? ""
            return "show \(words)\(place)\(notification.makesSound ? " aloud" : "")"
        case .close(let notification): return "close \(notification.number)"
        case .deliverByFallback(let notification): return "tell \(notification.text.title)"
        case .write(_, let action): return "write \(Self.line(action))"
        case .open(let reminder, _): return "open \(reminder?.name ?? "what is due")"
        case .gaveUp(let action): return "gave up \(Self.line(action))"
        }
    }

    private static func line(_ action: PendingAction) -> String {
        switch action {
        case .acknowledge(let reminder, let occurrence, let upTo):
            "seen \(reminder.name)\(occurrence.map { "@\($0)" } ?? "") \(upTo.wire)"
        case .snooze(let reminder, let occurrence, let moment, let until):
            "snooze \(reminder.name)\(occurrence.map { "@\($0)" } ?? "") \(moment.wire) \(until.wire)"
        case .complete(let reminder, let occurrence): "complete \(reminder.name)\(occurrence.map { "@\($0)" } ?? "")"
        }
    }

    /// When it wants to be woken; `nil` when it has not said anything new, or at no time.
    var wake: String? {
        for case .wake(let moment?) in self.effects { return moment.wire }
        return nil
    }

    /// Begins, in Berlin unless somewhere else, with a service unless there is none.
    @discardableResult
    func start(_ now: String, local: String = "Europe/Berlin", service: String? = "dunst") throws -> [String] {
        let lines = try self.tell(.started(reminders: self.todos.keys.sorted { $0.name < $1.name }, local: local), now)
        return try lines + (service.map { try self.tell(.service($0), now) } ?? [])
    }

    /// Begins once more, with what was kept.
    @discardableResult
    func restart(_ now: String, local: String = "Europe/Berlin", service: String? = "dunst") throws -> [String] {
        self.scheduler = AlarmScheduler(records: self.kept, settings: self.scheduler.settings)
        return try self.start(now, local: local, service: service)
    }

    /// The service reports the number of a notification; `nil` for the summary.
    @discardableResult
    func shown(_ reminder: ReminderID?, _ number: UInt32, _ now: String) throws -> [String] {
        try self.tell(.shown(token: self.tokens[reminder] ?? 0, number: number), now)
    }
}
