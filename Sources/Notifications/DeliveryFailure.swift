public import RemindavICalendar

/// Alarms that could not be shown; the value contains no text of a reminder.
public struct DeliveryFailure: Hashable, Sendable, CustomStringConvertible {
    /// When an alarm first could not be shown.
    public let since: Instant
    /// When the last of the alarms was shown or became unnecessary; `nil` while alarms are pending.
    public let over: Instant?
    /// The number of reminders with a pending alarm; when the failure is over, the last number before its end.
    public let count: Int
    /// The reason of the last failure, as a clause without a full stop.
    public let reason: String

    package init(since: Instant, over: Instant? = nil, count: Int, reason: String) {
        self.since = since
        self.over = over
        self.count = count
        self.reason = reason
    }

    /// A sentence without a full stop that states the failure.
    public var description: String { "Failed to schedule notification: \(self.reason)" }
    package var isOpen: Bool { self.over == nil }

    /// Returns the failure, or `nil` if it is obsolete: every alarm is acknowledged, and no daemon runs.
    ///
    /// - Parameter unacknowledged: the number of unacknowledged reminders; `nil` when it is unknown.
    package func standing(isRunning: Bool, unacknowledged: Int?) -> Self? {
        self.isOpen && !isRunning && unacknowledged == 0 ? nil : self
    }

    /// Returns the current failure, which begins when an alarm cannot be shown and ends when none is pending.
    ///
    /// - Parameters:
    ///   - showing: the number of reminders that must still appear on the screen, including the `unshown` ones.
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
