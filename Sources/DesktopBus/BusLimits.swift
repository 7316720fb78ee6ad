/// The limits on time and memory of a conversation over the session bus.
///
/// They hold for every behaviour of the bus and of the notification service: no wait is longer, and no more of their
/// data is kept.
package struct BusLimits: Hashable, Sendable {
    /// Seconds until a connection is ready, authentication included: it is a socket on this machine.
    package var connectSeconds = 10.0
    /// Seconds for one call: a desktop that has just started on a slow disk needs this long for its first notification.
    package var callSeconds = 10.0
    /// Seconds for the start of a service: the bus itself gives up after 25 or 120.
    package var startSeconds = 30.0
    /// The shortest time in seconds between two attempts of the same action, even if a notification is waiting.
    package var shortestPauseSeconds = 1.0
    /// The longest time in seconds between two attempts.
    package var longestPauseSeconds = 300.0
    /// Seconds after which a connection counts as stable: when it ends, the pause starts at the shortest again.
    package var steadySeconds = 60.0
    /// Seconds that a service has to keep its name before the next change of owner is handled at once.
    package var settleSeconds = 1.0
    /// Seconds until a service that did not report its capabilities is asked once more.
    package var askAgainSeconds = 60.0
    /// Concurrent calls, including those that wait for the service: more than ever happen together.
    package var calls = 256
    /// Cancelled calls that may still be answered, so that a late notification can be closed.
    package var abandonedCalls = 256
    /// Notifications with tracked clicks; beyond this number, the oldest are dropped.
    package var shownNotifications = 4096
    /// Clicks on one notification: it has a handful of buttons and closes with the first click.
    package var invocations = 16
    /// Signals that arrive before the number of their notification and are kept for it.
    package var earlySignals = 64
    /// Messages that are read before other work: a flood of messages must not keep a call from ending.
    package var messagesPerTurn = 256
    package init() {}
    package static let standard = BusLimits()
}
