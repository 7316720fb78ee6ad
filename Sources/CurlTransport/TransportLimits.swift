internal import HTTP

/// The limits on time and size of one exchange with a server.
public struct TransportLimits: Hashable, Sendable {
    /// Seconds until a connection is established, encryption included: longer than any working network needs.
    public var connectSeconds = 15.0
    /// Seconds from the request's last byte to the answer's first: a Radicale with 10,000 reminders and a cold cache
    /// computes for 100 s before its first byte, and after a timeout it would start again.
    public var firstByteSeconds = 300.0
    /// The same for a small request, which a server can answer without long work: a server that is silent for this long
    /// hangs.
    public var smallFirstByteSeconds = 30.0
    /// Seconds for a small request as a whole.
    public var smallTotalSeconds = 60.0
    /// Seconds over which a started transfer must reach ``slowBytesPerSecond`` on average.
    public var slowSeconds = 30.0
    /// The lowest speed of a started transfer, in bytes per second.
    public var slowBytesPerSecond = 100.0
    /// Seconds for one complete exchange, so that a very slow server cannot hold it forever.
    public var totalSeconds = 900.0
    /// Bytes of a decoded body: the limit for a gzip bomb.
    public var bodyBytes = 64 << 20
    /// Bytes of a complete answer as received: the header and the framed body, which can also be endless.
    public var wireBytes = 128 << 20
    /// Header fields of one answer: more than a server behind several proxies sends.
    public var headerFields = 200
    /// Bytes of all header fields of one answer: enough for the cookies of a portal, too little for a flood.
    public var headerBytes = 256 << 10
    /// Connections to one host: more did not make any measured server faster.
    public var connectionsPerHost = 4
    /// The limits above.
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
