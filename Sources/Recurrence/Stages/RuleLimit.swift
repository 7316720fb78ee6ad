import ICalendar

/// Where a rule ends by UNTIL, as a test on local seconds (RFC 5545 §3.3.10).
struct RuleLimit: Sendable {
    /// No candidate further than this from the limit needs the exact test: no clock change is as long.
    static let vagueSeconds = 2 * ClockTime.secondsPerDay

    /// The last local second that may be an occurrence; vague when ``isExact`` is there.
    let local: Int
    /// Decides about a candidate near ``local``, where a clock change may make the local order wrong.
    let isExact: (@Sendable (Int) -> Bool)?

    func allows(_ candidate: Int) -> Bool {
        guard let isExact = self.isExact, abs(candidate - self.local) <= Self.vagueSeconds else {
            return candidate <= self.local
        }
        return isExact(candidate)
    }
}
