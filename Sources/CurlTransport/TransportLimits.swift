internal import HTTP

/// How long and how much one exchange with a server may take.
public struct TransportLimits: Hashable, Sendable {
    /// Seconds until a connection stands, encryption included: longer than any working network needs.
    public var connectSeconds = 15.0
    /// Seconds from the request's last byte to the answer's first.
    ///
    /// Generous on purpose: a Radicale that has 10,000 reminders and a cold cache thinks for 100 s before it says a
    /// word, and giving up would make it start anew.
    public var firstByteSeconds = 300.0
    /// The same for a small request, whose answer takes a server no work: whoever is silent for so long hangs.
    public var smallFirstByteSeconds = 30.0
    /// Seconds for a small request as a whole.
    public var smallTotalSeconds = 60.0
    /// Seconds over which a transfer that has begun must move ``slowBytesPerSecond`` on average.
    public var slowSeconds = 30.0
    /// The least speed of a transfer that has begun, in bytes per second.
    public var slowBytesPerSecond = 100.0
    /// Seconds for one exchange as a whole, so that a server that drips cannot hold it for ever.
    public var totalSeconds = 900.0
    /// Bytes of a body after decoding: what a gzip bomb may grow to.
    public var bodyBytes = 64 << 20
    /// Bytes of a whole answer as they come: the header, and a body with what frames it, which can be endless as well.
    public var wireBytes = 128 << 20
    /// Header fields of one answer: more than a server behind several proxies sends.
    public var headerFields = 200
    /// Bytes of all header fields of one answer: room for the cookies of a portal, none for a flood.
    public var headerBytes = 256 << 10
    /// Connections to one host: more made no server that was measured faster.
    public var connectionsPerHost = 4

    /// The limits above.
    public init() {}

    /// The limits for one request.
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
