public import ICalendar

/// What shows alarms: a desktop, a phone, a log.
///
/// An embedder supplies its own. Whoever changes a reminder tells it in this order: what is no longer true is cancelled
/// before anything is scheduled, and of a reminder that is completed or deleted before the change is made, so that
/// whatever breaks off in between, nothing rings for what is over.
public protocol AlarmSink {
    /// Takes an alarm in, to ring at its time; one with the same identifier gives way to it.
    func schedule(_ alarm: ReminderAlarm) throws

    /// Takes back what the identifier covers (``AlarmID/covers(_:)``): what is pending, then what is shown.
    ///
    /// No error when there is nothing.
    func cancel(_ id: AlarmID) throws

    /// Takes back everything: what is pending, then what is shown.
    ///
    /// No error when there is nothing.
    func cancelAll() throws
}

/// One thing to tell an ``AlarmSink``.
public enum AlarmStep: Hashable, Sendable {
    /// Take this back.
    case cancel(AlarmID)
    /// Take this in.
    case schedule(ReminderAlarm)
    /// Take back everything.
    case cancelAll
}

extension AlarmSink {
    /// Tells it one thing.
    public func take(_ step: AlarmStep) throws {
        switch step {
        case .cancel(let id): try self.cancel(id)
        case .schedule(let alarm): try self.schedule(alarm)
        case .cancelAll: try self.cancelAll()
        }
    }
}

extension AlarmPlan {
    /// What to tell a sink that was told of `known` alarms of this reminder, and when it is `now`: what is no longer so is
    /// taken back, then what is pending and not known is scheduled.
    ///
    /// One that has rung stays shown for as long as its occurrence is open and nobody has seen to it. Only the next is
    /// pending; another that is known to be is taken back. Told twice, there is nothing to tell the second time.
    public func steps(from known: [ReminderAlarm], now: Instant) -> [AlarmStep] {
        let next = self.next(after: now)
        let gone = known.filter { alarm in alarm.fires > now ? alarm != next : !self.has(alarm) }
        let stays = next.map { known.contains($0) } ?? true
        return gone.map { .cancel($0.id) } + (stays ? [] : next.map { [.schedule($0)] } ?? [])
    }
}
