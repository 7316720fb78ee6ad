import CalDAV

/// The delay that a server requests with `Retry-After` (RFC 9110 §10.2.3), kept across runs.
enum ServerRest {
    /// A longer delay that a server requests is cut to this.
    static let longestSeconds = 3600

    /// The requested delay; `nil` when there is none.
    static func seconds(_ errors: [any Error]) -> Int? {
        let asked = errors.compactMap { error in
            (error as? CalDAVError).flatMap { $0.code == .busy ? $0.retryAfterSeconds : nil }
        }
        return asked.max().map { min($0, self.longestSeconds) }
    }

    /// An `end` too far in the future comes from a wrong clock.
    static func lasts(until end: Int64, at now: Int64) -> Bool { (1...Int64(self.longestSeconds)).contains(end - now) }
}
