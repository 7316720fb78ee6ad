public import ICalendar

/// Alarms that could not be shown; contains no text of a reminder.
public struct DeliveryFailure: Hashable, Sendable, CustomStringConvertible {
    /// The time of the first failure.
    public let since: Instant
    /// The time at which the last of the alarms was shown or became unnecessary; `nil` while some are pending.
    public let over: Instant?
    /// The number of reminders that are pending, or were pending at the end.
    public let count: Int
    /// The reason of the last failure, in one clause.
    public let reason: String

    package init(since: Instant, over: Instant? = nil, count: Int, reason: String) {
        self.since = since
        self.over = over
        self.count = count
        self.reason = reason
    }

    /// The failure in one sentence without a full stop.
    public var description: String { "Failed to schedule notification: \(self.reason)" }
    package var isOpen: Bool { self.over == nil }

    /// The failure; `nil` if it has no effect any more: no daemon runs, and every alarm is acknowledged.
    ///
    /// - Parameter unacknowledged: `nil` when it is unknown.
    package func standing(isRunning: Bool, unacknowledged: Int?) -> Self? {
        self.isOpen && !isRunning && unacknowledged == 0 ? nil : self
    }

    /// The current failure: it begins with the first alarm that cannot be shown, and is over when none is pending.
    ///
    /// - Parameters:
    ///   - showing: reminders that are to be shown and are not yet, including the unshown ones.
    ///   - reason: the reason of the last failure; `nil` when the current service has not failed.
    package static func now(after known: Self?, unshown: Int, showing: Int, reason: String?, at now: Instant) -> Self? {
        guard let known, known.isOpen else {
            guard unshown > 0, let reason else { return known }
            return Self(since: now, count: unshown, reason: reason)
        }
        let isOver = showing == 0
        return Self(
            since: known.since,
            over: isOver ? now : nil,
            count: isOver ? known.count : unshown > 0 ? unshown : showing,
            reason: reason ?? known.reason
        )
    }
}
