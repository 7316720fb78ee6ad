/// When the daemon reads the file with the settings anew: a value.
///
/// Who saves it writes it in steps, takes the old one away first, or empties it: it is read when that has been over for
/// a moment. Times are nanoseconds of ``WakeSources/uptime``.
struct ReloadDebounce {
    /// When it is read; `nil` for not now.
    private(set) var next: Int64?
    /// When the first of the changes was that it is read for.
    private var first: Int64?
    /// Whether there was nothing in it at the last look, where there had been something.
    private var isGone = false

    /// Something has happened to the file.
    mutating func changed(at now: Int64) {
        let first = self.first ?? now
        self.first = first
        self.next = min(now + DaemonLimits.settingsCalm, first + DaemonLimits.settingsPatience)
        self.isGone = false
    }

    func isDue(at now: Int64) -> Bool { self.next.map { $0 <= now } ?? false }

    /// There is nothing to look at.
    mutating func passed() { self = Self() }

    /// A look at the file.
    ///
    /// - Parameters:
    ///   - isEmpty: whether it is not there, or has nothing in it.
    ///   - wasEmpty: the same of the last one that counted.
    /// - Returns: whether this one counts.
    mutating func found(isEmpty: Bool, wasEmpty: Bool, at now: Int64) -> Bool {
        self.next = nil
        self.first = nil
        guard isEmpty, !wasEmpty, !self.isGone else { return true }
        self.isGone = true
        self.next = now + DaemonLimits.settingsPatience
        return false
    }
}
