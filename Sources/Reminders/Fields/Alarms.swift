public import ICalendar

/// An alarm of a reminder (RFC 5545 §3.6.6, RFC 9074).
public struct Alarm: Hashable, Sendable {
    /// What identifies it, `nil` when the program that wrote it gave it none (RFC 9074 §4).
    public let uid: String?
    /// What it does, in capitals: DISPLAY, AUDIO, EMAIL or another (RFC 5545 §3.8.6.1).
    public let action: String
    /// When it sounds, `nil` when that cannot be read or when it waits for a place instead of a time.
    public let trigger: Trigger?
    /// Its own text, `nil` when there is none.
    public let description: String?
    /// When somebody last saw to it (RFC 9074 §6.1), `nil` when nobody has.
    public let acknowledged: Instant?
    /// Whether it waits for a place (RFC 9074 §8, and Apple's form of it).
    public let isLocation: Bool
}

extension Reminder {
    /// Its alarms in order, those of vCalendar 1.0 first; those that are snoozes of others are read as ``snoozedUntil``.
    public var alarms: [Alarm] {
        let due = self.due
        return self.todo.properties.compactMap { Alarm(old: $0, due: due) }
            + self.todo.components(.valarm).filter { !$0.isSnooze }.map { Alarm($0) }
    }

    /// Until when it is put off, `nil` when it is not.
    ///
    /// Both dialects are read, the later counts: a snooze alarm (RFC 9074 §7) and X-MOZ-SNOOZE-TIME (Thunderbird,
    /// Tasks.org), also in its form for one occurrence.
    public var snoozedUntil: Instant? {
        let alarms = self.todo.components(.valarm).filter(\.isSnooze).compactMap { alarm -> Instant? in
            guard case .absolute(let instant) = Alarm(alarm).trigger else { return nil }
            return instant
        }
        let mozilla = self.todo.properties
            .filter { $0.name.canonical.hasPrefix(Name.mozSnoozeTime.canonical) }
            .compactMap(\.stamp)
        return (alarms + mozilla).max()
    }
}

extension Alarm {
    init(_ component: Component) {
        let trigger = component.first(.trigger).flatMap { property in
            Trigger(
                wire: property.value.trimmingSpaces,
                related: property.parameter(.related)
            )
        }
        // Apple dates alarms that wait for a place, and those that never sound, to this instant of 1976.
        let isSentinel = component.first(.trigger)?.value == "19760401T005545Z"
        self.uid = component.first(.uid)?.text
        self.action = component.first(.action)?.value.uppercased() ?? "DISPLAY"
        self.trigger = isSentinel ? nil : trigger
        self.description = component.first(.description)?.text
        self.acknowledged = component.first(.acknowledged)?.stamp
        self.isLocation = component.first(.proximity) != nil || component.first(.appleProximity) != nil
    }
}

extension Component {
    /// Whether this alarm is the snooze of another (RFC 9074 §7).
    var isSnooze: Bool { self.first(.relatedTo)?.parameter(.reltype)?.uppercased() == "SNOOZE" }
}

extension Name {
    fileprivate static let appleProximity = Name("X-APPLE-PROXIMITY") ?? .proximity
}
