/// The limits that protect the server against hostile clients.
///
/// The calendar programs of one user need about a dozen connections, with requests of a few hundred bytes.
package struct ServerLimits: Hashable, Sendable {
    /// The maximum number of connections; for another one, the server closes the one that waits longest for a request.
    ///
    /// There is no limit per address, because all clients on this machine or behind a proxy have the same address.
    package var connections = 64
    /// The maximum number of connections when none can be closed, because all are being answered; further clients wait.
    package var answeredConnections = 128
    /// The memory for the request line and the headers of one connection, in bytes; longer headers get status 431.
    package var connectionMemoryBytes = 32 * 1024
    /// The maximum length of a request body, in bytes; a longer body gets status 413.
    package var bodyBytes = 1024 * 1024
    /// The maximum length of a body that goes to a file, in bytes; the rest of a longer one is dropped.
    ///
    /// The file of a person with 10,000 reminders has about 8 MB.
    package var uploadBytes = 32 * 1024 * 1024
    /// A connection on which no byte is sent or received for this many seconds is closed.
    package var timeoutSeconds = 10
    /// The seconds in which a request must arrive completely, including the wait for its first byte.
    ///
    /// With ``timeoutSeconds`` alone, a client could occupy a connection for days by sending a byte now and then.
    package var requestSeconds = 10
    /// The seconds in which an answer must be created and sent, so that a slow client occupies no connection for days.
    package var answerSeconds = 120
    /// The seconds that ``Server/stop()`` waits for answers that are being written.
    package var graceSeconds = 5
    package init() {}
}
