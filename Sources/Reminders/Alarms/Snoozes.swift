import RemindavICalendar
import RemindavRecurrence

/// A snooze of an occurrence: its end, and the moment up to which the snooze is acknowledged.
struct Snooze: Hashable, Sendable {
    let until: Instant
    /// ACKNOWLEDGED of the snooze alarm (RFC 9074 §6.1); `nil` when the alarm has none.
    let acknowledged: Instant?

    /// Combines several snoozes into one, with the latest end and the latest acknowledgement.
    static func last(of snoozes: [Snooze]) -> Snooze? {
        guard let until = snoozes.map(\.until).max() else { return nil }
        return Snooze(until: until, acknowledged: snoozes.compactMap(\.acknowledged).max())
    }
}

struct Snoozes: Sendable {
    /// The snoozes by ``Focus/stamp`` of the occurrence that they name (X-MOZ-SNOOZE-TIME-‹number› of Thunderbird).
    let named: [Int64: Snooze]
    let unnamed: Snooze?

    init(_ reminder: Reminder) {
        var named: [Int64: [Snooze]] = [:]
        for snooze in reminder.object.todos.flatMap(\.snoozes) {
            guard let occurrence = snooze.occurrence, let until = snooze.property.stamp else { continue }
            named[occurrence, default: []].append(Snooze(until: until, acknowledged: nil))
        }
        let own = reminder.main.recurrenceID == nil ? reminder.main.unnamedSnoozes : []
        self.named = named.compactMapValues(Snooze.last)
        // One snooze may be written in two forms with the same end. The form without a number is then ignored.
        let twins = Set(named.values.joined().map(\.until))
        self.unnamed = Snooze.last(of: own.filter { !twins.contains($0.until) })
    }

    /// The combined snooze of a reminder that does not repeat.
    static func all(_ reminder: Reminder) -> Snooze? {
        let named = reminder.main.snoozes.filter { $0.occurrence != nil }.compactMap(\.property.stamp)
        return Snooze.last(of: reminder.main.unnamedSnoozes + named.map { Snooze(until: $0, acknowledged: nil) })
    }

    /// The combined snooze of one occurrence; `nil` when it has none.
    ///
    /// - Parameters:
    ///   - isFirst: whether the occurrence is the first open one of the series.
    ///   - isFirstOfItsOwn: whether the occurrence is the first open one that its component describes.
    func snooze(of focus: Focus, isFirst: Bool, isFirstOfItsOwn: Bool) -> Snooze? {
        var found = [self.named[focus.stamp]]
        if isFirst { found.append(self.unnamed) }
        let component = focus.occurrence.component
        if component.isSingle || component.isForFuture && isFirstOfItsOwn {
            found.append(Snooze.last(of: component.unnamedSnoozes))
        }
        return Snooze.last(of: found.compactMap { $0 })
    }
}

extension Component {
    /// The snoozes that name no occurrence: X-MOZ-SNOOZE-TIME, and snooze alarms (RFC 9074 §7) with an absolute time.
    var unnamedSnoozes: [Snooze] {
        let mozilla = self.all(.mozSnoozeTime).compactMap(\.stamp).map { Snooze(until: $0, acknowledged: nil) }
        return mozilla
            + self.components(.valarm).filter(\.isSnooze).compactMap { component in
                let alarm = Alarm(component)
                guard case .absolute(let until) = alarm.trigger else { return nil }
                return Snooze(until: until, acknowledged: alarm.acknowledged)
            }
    }
}
