import RemindavCalDAV

/// The pause that a server requests with `Retry-After` (RFC 9110 §10.2.3); the store keeps it across runs.
enum ServerRest {
    /// The maximum pause; a longer requested pause is shortened to this value.
    static let longestSeconds = 3600

    /// The longest pause that the errors request, at most ``longestSeconds``; `nil` when none requests a pause.
    static func seconds(_ errors: [any Error]) -> Int? {
        let asked = errors.compactMap { error in
            (error as? CalDAVError).flatMap { $0.code == .busy ? $0.retryAfterSeconds : nil }
        }
        return asked.max().map { min($0, self.longestSeconds) }
    }

    /// Whether the pause goes on; `false` for an `end` that is later than any pause, because of a wrong clock.
    static func lasts(until end: Int64, at now: Int64) -> Bool { (1...Int64(self.longestSeconds)).contains(end - now) }
}
