/// The limits on time and memory for the communication over the session bus.
///
/// The limits hold even if the bus or the service misbehaves: no wait is longer, and no more data is stored.
package struct BusLimits: Hashable, Sendable {
    /// The seconds in which a connection must be ready, including authentication; the bus is a socket on this machine.
    package var connectSeconds = 10.0
    /// The seconds for one call; a desktop that has just started needs this long for its first notification.
    package var callSeconds = 10.0
    /// The seconds for the start of a service; the bus itself gives up after 25 or 120 seconds.
    package var startSeconds = 30.0
    /// The shortest time between attempts to connect or to start the service, in seconds, even if a notification waits.
    package var shortestPauseSeconds = 1.0
    /// The longest time between attempts to connect or to start the service, in seconds.
    package var longestPauseSeconds = 300.0
    /// If a connection has lasted this many seconds, the pause after its end is the shortest one.
    package var steadySeconds = 60.0
    /// If the service's name changes its owner twice within this many seconds, the new owner is used after this time.
    package var settleSeconds = 1.0
    /// If a service did not report its capabilities, it is asked again after this many seconds.
    package var askAgainSeconds = 60.0
    /// The maximum number of concurrent calls, including those that wait for the service; normal use needs fewer.
    package var calls = 256
    /// The maximum number of cancelled calls whose answers are awaited, so that a late notification can be closed.
    package var abandonedCalls = 256
    /// The maximum number of notifications whose clicks are tracked; if there are more, the oldest are dropped.
    package var shownNotifications = 4096
    /// The maximum number of clicks on one notification, which normally closes with the first click.
    package var invocations = 16
    /// The maximum number of stored signals that arrived before the number of their notification is known.
    package var earlySignals = 64
    /// The maximum number of messages to read before other work, so that many messages do not delay the end of a call.
    package var messagesPerTurn = 256
    package init() {}
    package static let standard = BusLimits()
}
