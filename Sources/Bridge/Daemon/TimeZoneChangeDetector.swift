/// When the daemon looks which zone the clock on the wall is of, and what it makes of that: a value.
///
/// A zone is often set by taking the old one away first, and without one the clock shows UTC: whoever looked between the
/// two would take it for a journey. Times are nanoseconds of ``WakeSources/uptime``.
struct TimeZoneChangeDetector {
    /// When the next look is; `nil` for none.
    private(set) var next: Int64?
    /// Whether there was no zone at the last look.
    private var isGone = false

    /// The files that say it have changed.
    mutating func changed(at now: Int64) {
        self.next = now + DaemonLimits.zoneCalm
        self.isGone = false
    }

    func isDue(at now: Int64) -> Bool { self.next.map { $0 <= now } ?? false }

    /// A look at the machine.
    ///
    /// - Parameters:
    ///   - name: of the zone that the machine names.
    ///   - isNamed: whether something names it; else it is UTC for want of a name.
    ///   - known: the name of the zone that the clock goes by so far.
    /// - Returns: the zone that it goes by from now on; `nil` for the same as before.
    mutating func found(_ name: String, isNamed: Bool, known: String, at now: Int64) -> String? {
        self.next = nil
        guard name != known else { return nil }
        if !isNamed, !self.isGone {
            self.isGone = true
            self.next = now + DaemonLimits.zonePatience
            return nil
        }
        return name
    }
}
