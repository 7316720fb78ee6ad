internal import RemindavHTTP

/// The limits on time and size of one exchange with a server.
public struct TransportLimits: Hashable, Sendable {
    /// The longest time in seconds to establish a connection with its encryption; every working network is faster.
    public var connectSeconds = 15.0
    /// The longest time in seconds from the last byte of the request to the first byte of the answer.
    ///
    /// A Radicale with 10,000 reminders and a cold cache computes for 100 s. It would start again after a timeout.
    public var firstByteSeconds = 300.0
    /// The longest time in seconds to the first byte of the answer to a small request, which needs no long work.
    public var smallFirstByteSeconds = 30.0
    /// The longest time in seconds for a complete small request.
    public var smallTotalSeconds = 60.0
    /// The time in seconds over which the average speed of a started transfer is measured.
    public var slowSeconds = 30.0
    /// The lowest average speed of a started transfer, in bytes per second.
    public var slowBytesPerSecond = 100.0
    /// The longest time in seconds for one complete exchange; without it, a very slow server could take forever.
    public var totalSeconds = 900.0
    /// The largest number of bytes in a decoded body; it protects against a gzip bomb.
    public var bodyBytes = 64 << 20
    /// The largest number of received bytes in an answer, with the header and the framing of the body.
    public var wireBytes = 128 << 20
    /// The largest number of header fields in an answer; a server behind several proxies sends fewer.
    public var headerFields = 200
    /// The largest number of bytes in all header fields of an answer; the cookies of a portal need less.
    public var headerBytes = 256 << 10
    /// The largest number of connections to one host; no measured server was faster with more.
    public var connectionsPerHost = 4
    /// Creates the limits above.
    public init() {}

    func limits(for request: Request) -> Self {
        guard request.isSmall else { return self }
        var limits = self
        limits.firstByteSeconds = min(self.firstByteSeconds, self.smallFirstByteSeconds)
        limits.totalSeconds = min(self.totalSeconds, self.smallTotalSeconds)
        return limits
    }

    /// The limits for every account.
    public static let standard = TransportLimits()
}
