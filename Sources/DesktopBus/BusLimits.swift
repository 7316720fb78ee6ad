/// How long and how much a conversation over the session bus may take.
///
/// Whatever the bus and the notification service do, nothing waits for them longer than this, and nothing that they send
/// is kept beyond it.
package struct BusLimits: Hashable, Sendable {
    /// Seconds until a connection stands, greeting included: it is a socket on this machine.
    package var connectSeconds = 10.0
    /// Seconds for one call: what a desktop that has just begun, on a slow disk, takes to show its first bubble.
    package var callSeconds = 10.0
    /// Seconds for the start of a service: the bus gives up by itself after 25 or 120.
    package var startSeconds = 30.0
    /// Seconds between two tries of the same thing at the least, be it that a bubble is to be shown.
    package var shortestPauseSeconds = 1.0
    /// Seconds between two tries at the most.
    package var longestPauseSeconds = 300.0
    /// Seconds after which a connection that ends was a good one: the next is tried as soon as after the first.
    package var steadySeconds = 60.0
    /// Seconds that a service has to stay before another change of hands is looked into at once.
    package var settleSeconds = 1.0
    /// Seconds after which a service that did not say what it can is asked once more.
    package var askAgainSeconds = 60.0
    /// Calls at one time, those that wait for the service included: more than ever come together.
    package var calls = 256
    /// Calls that nobody waits for any more and whose answers are still listened for, to take a late bubble away.
    package var abandonedCalls = 256
    /// Bubbles whose clicks are listened for; of more, the oldest are forgotten.
    package var shownBubbles = 4096
    /// Clicks on one bubble: it has a handful of buttons and goes with the first.
    package var invocations = 16
    /// Signals that come before the number of their bubble does and are kept for it.
    package var earlySignals = 64
    /// Messages that are read before anything else is looked after: a flood must not keep a call from ending.
    package var messagesPerTurn = 256

    package init() {}

    /// The limits for every session.
    package static let standard = BusLimits()
}
