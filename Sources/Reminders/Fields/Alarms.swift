public import ICalendar
import Recurrence

/// An alarm of a reminder (RFC 5545 §3.6.6, RFC 9074).
public struct Alarm: Hashable, Sendable {
    /// UID; `nil` for none (RFC 9074 §4).
    public let uid: String?
    /// ACTION in capitals: DISPLAY, AUDIO, EMAIL or another (RFC 5545 §3.8.6.1).
    public let action: String
    /// When it sounds, `nil` when that cannot be read or when it waits for a place instead of a time.
    public let trigger: Trigger?
    /// Its own text, `nil` when there is none.
    public let description: String?
    /// ACKNOWLEDGED (RFC 9074 §6.1); `nil` for none.
    public let acknowledged: Instant?
    /// Whether it waits for a place (RFC 9074 §8, and Apple's form of it).
    public let isLocation: Bool
    /// The number of repetitions after the first time, at most ``maximumRepeats`` (REPEAT, RFC 5545 §3.8.6.2).
    public let repeats: Int
    /// How long after the time before it sounds again, `nil` when it does not (DURATION, RFC 5545 §3.8.2.5).
    public let interval: CalendarDuration?

    /// Five minutes for four hours, or a day for seven weeks; a hostile file asks for a million.
    public static let maximumRepeats = 50
}

extension Reminder {
    /// Its alarms in order, those of vCalendar 1.0 first, without snooze alarms; fixed times move to the read
    /// occurrence.
    public var alarms: [Alarm] {
        let alarms = self.todo.alarms
        guard let shift = self.focus?.shift, shift != 0 else { return alarms }
        return alarms.map { $0.moved(bySeconds: shift) }
    }

    /// The end of its snooze; `nil` for none.
    ///
    /// The later of a snooze alarm (RFC 9074 §7) and X-MOZ-SNOOZE-TIME (Thunderbird, Tasks.org), also in its form for
    /// one
    /// occurrence, unless that is before the occurrence that is read.
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

/// A snooze as Thunderbird writes it.
struct MozillaSnooze {
    let property: Property
    /// In seconds since 1970; `nil` for the to-do itself.
    let occurrence: Int64?

    init?(_ property: Property) {
        self.property = property
        if property.name == .mozSnoozeTime {
            self.occurrence = nil
            return
        }
        // The text of a well-known name need not be made.
        guard property.nameNumber == 0 else { return nil }
        let name = property.name.canonical
        guard name.hasPrefix(Self.prefix) else { return nil }
        self.occurrence = Int64(name.dropFirst(Self.prefix.count)).map { $0 / Self.fractions }
    }

    static func name(of occurrence: Int64) -> Name? { Name("\(self.prefix)\(occurrence * self.fractions)") }

    private static let prefix = "\(Name.mozSnoozeTime.canonical)-"
    /// The number in the name counts microseconds.
    private static let fractions: Int64 = 1_000_000
}

extension Component {
    var alarms: [Alarm] {
        let due = self.due
        return self.properties.compactMap { Alarm(old: $0, due: due) }
            + self.components(.valarm).filter { !$0.isSnooze }.map { self.alarm($0) }
    }

    /// The first `maximum` alarms that notify; the others are not read.
    func audibleAlarms(atMost maximum: Int) -> [Alarm] {
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
        // Apple dates alarms that wait for a place, and those that never sound, to this instant of 1976.
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

    /// A count without an interval, or with one that is not positive, is no repetition.
    static func repetition(count: String?, interval: String?) -> (repeats: Int, interval: CalendarDuration?) {
        guard let count = count.flatMap({ Int($0.trimmingSpaces) }), count > 0,
            let interval = interval.flatMap({ CalendarDuration(wire: $0.trimmingSpaces) }),
            interval != .zero, !interval.isNegative
        else { return (0, nil) }
        return (min(count, Self.maximumRepeats), interval)
    }
}

extension Component {
    /// RFC 9074 §7.
    var isSnooze: Bool { self.first(.relatedTo)?.parameter(.reltype)?.uppercased() == "SNOOZE" }
}
