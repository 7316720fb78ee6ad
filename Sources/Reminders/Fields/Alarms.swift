public import RemindavICalendar
package import RemindavRecurrence

/// An alarm of a reminder (VALARM, RFC 5545 §3.6.6, RFC 9074).
public struct Alarm: Hashable, Sendable {
    /// The UID of the alarm (RFC 9074 §4); `nil` when it has none.
    public let uid: String?
    /// ACTION in upper case: DISPLAY, AUDIO, EMAIL or another word (RFC 5545 §3.8.6.1).
    public let action: String
    /// The value of TRIGGER; `nil` when it is missing, unreadable or Apple's placeholder for an alarm without a time.
    public let trigger: Trigger?
    /// DESCRIPTION of the alarm; `nil` when it has none.
    public let description: String?
    /// The moment up to which the alarm is acknowledged (ACKNOWLEDGED, RFC 9074 §6.1); `nil` when there is none.
    public let acknowledged: Instant?
    /// Whether the alarm fires at a location (PROXIMITY, RFC 9074 §8, or X-APPLE-PROXIMITY).
    public let isLocation: Bool
    /// The number of repetitions after the first firing (REPEAT, RFC 5545 §3.8.6.2), at most ``maximumRepeats``.
    public let repeats: Int
    /// The time between repetitions (DURATION, RFC 5545 §3.8.2.5); `nil` when the alarm does not repeat.
    public let interval: CalendarDuration?

    /// The largest number of repetitions: one every five minutes for four hours; a hostile file may ask for a million.
    public static let maximumRepeats = 50
}

extension Reminder {
    /// The alarms in file order, those of vCalendar 1.0 first; snooze alarms are not included.
    ///
    /// An absolute TRIGGER is moved to the current occurrence.
    public var alarms: [Alarm] {
        let alarms = self.todo.alarms
        guard let shift = self.focus?.shift, shift != 0 else { return alarms }
        return alarms.map { $0.moved(bySeconds: shift) }
    }

    /// The alarms that this machine shows, as choices; equal choices occur once.
    package func alarmChoices(dayTime: ClockTime, zones: TimeZoneResolver) -> [AlarmChoice] {
        let writer = AlarmWriter(uid: self.uid, due: self.due, dayTime: dayTime, zones: zones)
        var choices: [AlarmChoice] = []
        for alarm in self.alarms where alarm.isAudible {
            guard let choice = writer.choice(of: alarm, start: self.start), !choices.contains(choice) else { continue }
            choices.append(choice)
        }
        return choices
    }

    /// The first moment at which an alarm of the reminder fires; `nil` for an alarm without a time.
    package func firing(of alarm: Alarm, settings: AlarmSettings, zones: TimeZoneResolver) -> Instant? {
        AlarmClock(zones: zones, settings: settings).times(of: alarm, start: self.start, due: self.due).first
    }

    /// The end of the snooze; `nil` when the reminder is not snoozed.
    ///
    /// The result is the latest time in all snooze alarms (RFC 9074 §7) and all X-MOZ-SNOOZE-TIME properties
    /// (Thunderbird, Tasks.org). An X-MOZ-SNOOZE-TIME-‹number› of an occurrence before the current one is ignored.
    public var snoozedUntil: Instant? {
        let alarms = self.todo.components(.valarm).filter(\.isSnooze).compactMap { alarm -> Instant? in
            guard case .absolute(let instant) = Alarm(alarm).trigger else { return nil }
            return instant
        }
        let own = self.focus?.occurrence.isOverride == true ? self.main.snoozes : []
        let mozilla = (self.todo.snoozes + own)
            .filter { snooze in
                guard let focus = self.focus, let occurrence = snooze.occurrence else { return true }
                return occurrence >= focus.stamp
            }
            .compactMap(\.property.stamp)
        return (alarms + mozilla).max()
    }
}

/// A snooze in Thunderbird's form: X-MOZ-SNOOZE-TIME, or X-MOZ-SNOOZE-TIME-‹number› for one occurrence.
struct MozillaSnooze {
    let property: Property
    /// ``Focus/stamp`` of the occurrence (seconds since 1970); `nil` when the property names no occurrence.
    let occurrence: Int64?

    init?(_ property: Property) {
        self.property = property
        if property.name == .mozSnoozeTime {
            self.occurrence = nil
            return
        }
        // A fast check: if `nameNumber` is not 0, the property is well known, and no well-known name has the prefix.
        guard property.nameNumber == 0 else { return nil }
        let name = property.name.canonical
        guard name.hasPrefix(Self.prefix) else { return nil }
        self.occurrence = Int64(name.dropFirst(Self.prefix.count)).map { $0 / Self.fractions }
    }

    static func name(of occurrence: Int64) -> Name? { Name("\(self.prefix)\(occurrence * self.fractions)") }

    private static let prefix = "\(Name.mozSnoozeTime.canonical)-"
    /// The number of microseconds in a second, because the name of the property contains microseconds.
    private static let fractions: Int64 = 1_000_000
}

extension Component {
    var alarms: [Alarm] {
        let due = self.due
        return self.properties.compactMap { Alarm(old: $0, due: due) }
            + self.components(.valarm).filter { !$0.isSnooze }.map { self.alarm($0) }
    }

    /// The first `maximum` alarms that this machine shows (``Alarm/isAudible``); further alarms are not read.
    func notifyingAlarms(atMost maximum: Int) -> [Alarm] {
        let due = self.due
        let old = self.properties.lazy.compactMap { Alarm(old: $0, due: due) }
        let new = self.components(.valarm).lazy.filter { !$0.isSnooze }.map { self.alarm($0) }
        let first = Array(old.filter(\.isAudible).prefix(maximum))
        return first + new.filter(\.isAudible).prefix(maximum - first.count)
    }

    var snoozes: [MozillaSnooze] { self.properties.compactMap(MozillaSnooze.init) }
    var hasOccurrenceSnooze: Bool { self.snoozes.contains { $0.occurrence != nil } }
}

extension Alarm {
    func moved(bySeconds seconds: Int) -> Alarm {
        guard case .absolute(let instant)? = self.trigger else { return self }
        return self.with(.absolute(instant.adding(seconds: seconds)))
    }

    private static let appleProximity = Name("X-APPLE-PROXIMITY") ?? .proximity

    init(_ component: Component) {
        let trigger = component.first(.trigger).flatMap { property in
            Trigger(wire: property.value.trimmingSpaces, related: property.parameter(.related))
        }
        // Apple writes this moment of 1976 into alarms at a location, and into alarms that never fire.
        let isSentinel = component.first(.trigger)?.value == "19760401T005545Z"
        self.uid = component.first(.uid)?.text
        self.action = component.first(.action)?.value.uppercased() ?? "DISPLAY"
        self.trigger = isSentinel ? nil : trigger
        self.description = component.first(.description)?.text
        self.acknowledged = component.first(.acknowledged)?.stamp
        self.isLocation = component.first(.proximity) != nil || component.first(Self.appleProximity) != nil
        (self.repeats, self.interval) = Self.repetition(
            count: component.first(.repeatCount)?.value,
            interval: component.first(.duration)?.value
        )
    }

    /// Reads REPEAT and DURATION; the alarm does not repeat without a positive count and a positive interval.
    static func repetition(count: String?, interval: String?) -> (repeats: Int, interval: CalendarDuration?) {
        guard let count = count.flatMap({ Int($0.trimmingSpaces) }), count > 0,
            let interval = interval.flatMap({ CalendarDuration(wire: $0.trimmingSpaces) }),
            interval != .zero, !interval.isNegative
        else { return (0, nil) }
        return (min(count, Self.maximumRepeats), interval)
    }
}

extension Component {
    /// Whether a VALARM is an alarm that the user set and that this machine fires, and not a snooze.
    package var isOwnAlarm: Bool { !self.isSnooze && Alarm(self).isAudible }

    /// Whether a VALARM is a snooze alarm (RFC 9074 §7).
    var isSnooze: Bool { self.first(.relatedTo)?.parameter(.reltype)?.uppercased() == "SNOOZE" }
}

extension Component {
    /// Reads a VALARM of this to-do; if its TRIGGER equals ``Name/dueAlarm``, the alarm becomes relative to DUE.
    func alarm(_ component: Component) -> Alarm {
        let alarm = Alarm(component)
        return self.isForDue(alarm) ? alarm.atDue : alarm
    }

    /// Whether this VALARM is the alarm at the due time of its to-do, see ``Name/dueAlarm``.
    package var isDueAlarm: Bool { self.parent?.isForDue(Alarm(self)) ?? false }

    func isForDue(_ alarm: Alarm) -> Bool {
        guard case .absolute(let instant)? = alarm.trigger else { return false }
        return self.first(.dueAlarm)?.stamp == instant
    }
}

extension Alarm {
    fileprivate var atDue: Alarm { self.with(.relative(.zero, to: .end)) }

    func with(_ trigger: Trigger) -> Alarm {
        Alarm(
            uid: self.uid,
            action: self.action,
            trigger: trigger,
            description: self.description,
            acknowledged: self.acknowledged,
            isLocation: self.isLocation,
            repeats: self.repeats,
            interval: self.interval
        )
    }
}

extension AlarmWriter {
    /// The choice that corresponds to an alarm of the reminder; `nil` for an alarm without a trigger.
    func choice(of alarm: Alarm, start: CalendarDateOrDateTime?) -> AlarmChoice? {
        alarm.trigger.map { self.choice(of: $0, start: start) }
    }
}
