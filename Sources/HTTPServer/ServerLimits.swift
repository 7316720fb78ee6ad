/// The resources that an unknown client may use: a server on loopback answers one user's calendar programs, with a
/// dozen connections and requests of a few hundred bytes.
package struct ServerLimits: Hashable, Sendable {
    /// Connections at once; a further one ends the one that has waited longest for its request; there is no limit for
    /// one address: all clients on this machine or behind a reverse proxy have the same.
    package var connections = 64
    /// Connections at once when all of them are being answered; further ones wait to be accepted.
    package var answeredConnections = 128
    /// Memory for one connection, in bytes: for request line and headers together; longer ones get 431.
    package var connectionMemoryBytes = 32 * 1024
    /// The longest request body, in bytes; a longer one gets 413.
    package var bodyBytes = 1024 * 1024
    /// Seconds without a byte in either direction after which a connection is closed.
    package var timeoutSeconds = 10
    /// Seconds for a whole request to arrive, the wait for its first byte included: the timeout alone lets a client
    /// hold a connection for days with one byte now and then.
    package var requestSeconds = 10
    /// Seconds for creating and sending a whole answer: the timeout alone lets a client hold an answer for days.
    package var answerSeconds = 120
    /// Seconds that ``Server/stop()`` gives answers that are already being written.
    package var graceSeconds = 5
    package init() {}
}
