/// What a stranger's client may use up.
///
/// A server on loopback answers one person's calendar programs: a dozen connections, requests of a few hundred bytes.
package struct ServerLimits: Hashable, Sendable {
    /// Connections at once.
    package var connections = 64
    /// Connections at once from one address: a reverse proxy is one address too, so this leaves it nearly all.
    package var connectionsPerAddress = 56
    /// Memory for one connection, in bytes.
    ///
    /// It bounds request line and headers together; longer ones get 431.
    package var connectionMemoryBytes = 32 * 1024
    /// The longest request body, in bytes.
    ///
    /// A longer one gets 413.
    package var bodyBytes = 1024 * 1024
    /// Seconds without a byte in either direction after which a connection is closed.
    package var timeoutSeconds = 10
    /// Seconds within which a request must have arrived whole, the wait for its first byte included.
    ///
    /// The timeout alone lets a client hold a connection for days with one byte now and then.
    package var requestSeconds = 30
    /// Seconds that ``Server/stop()`` gives answers that are already being written.
    package var graceSeconds = 5

    /// The limits of a server that nobody has told otherwise.
    package init() {}
}
