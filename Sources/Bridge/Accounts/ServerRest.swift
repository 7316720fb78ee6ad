import CalDAV

/// The delay that a server requests with `Retry-After` (RFC 9110 §10.2.3), kept across runs.
enum ServerRest {
    /// The longest delay in seconds, even if the server requests a longer one.
    static let longestSeconds = 3600

    /// For how many seconds the next runs leave the server alone; `nil` when it does not ask for it.
    static func seconds(_ errors: [any Error]) -> Int? {
        let asked = errors.compactMap { error in
            (error as? CalDAVError).flatMap { $0.code == .busy ? $0.retryAfterSeconds : nil }
        }
        return asked.max().map { min($0, self.longestSeconds) }
    }

    /// Whether the delay is still running.
    ///
    /// - Parameter end: seconds since 1970. A time too far in the future comes from a wrong clock.
    static func lasts(until end: Int64, at now: Int64) -> Bool { (1...Int64(self.longestSeconds)).contains(end - now) }
}
