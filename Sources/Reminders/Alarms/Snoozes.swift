import ICalendar
import Recurrence

/// The end of a snooze of an occurrence, and its acknowledgement.
struct Snooze: Hashable, Sendable {
    let until: Instant
    /// ACKNOWLEDGED of the snooze alarm (RFC 9074 §6.1); `nil` without one.
    let acknowledged: Instant?

    /// The last of several snoozes; an acknowledgement counts for each of them.
    static func last(of snoozes: [Snooze]) -> Snooze? {
        guard let until = snoozes.map(\.until).max() else { return nil }
        return Snooze(until: until, acknowledged: snoozes.compactMap(\.acknowledged).max())
    }
}

struct Snoozes: Sendable {
    /// The snoozes with an occurrence, by its number (``Focus/stamp``): X-MOZ-SNOOZE-TIME-‹number› of Thunderbird.
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
        // A snooze in both dialects has its end twice, and its occurrence once (Snoozing.swift).
        let twins = Set(named.values.joined().map(\.until))
        self.unnamed = Snooze.last(of: own.filter { !twins.contains($0.until) })
    }

    /// All of a reminder that does not repeat.
    static func all(_ reminder: Reminder) -> Snooze? {
        let named = reminder.main.snoozes.filter { $0.occurrence != nil }.compactMap(\.property.stamp)
        return Snooze.last(of: reminder.main.unnamedSnoozes + named.map { Snooze(until: $0, acknowledged: nil) })
    }

    /// The snooze of one occurrence.
    ///
    /// `isFirst`: the first open occurrence; `isFirstOfItsOwn`: the first open one of its component.
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
    /// X-MOZ-SNOOZE-TIME, and the snooze alarms of RFC 9074 §7 with a time.
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
