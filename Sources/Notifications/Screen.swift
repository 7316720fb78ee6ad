import RemindavICalendar

/// The state of an ``AlarmScheduler`` that is only in memory: requests, their answers, and shown notifications.
struct Screen: Sendable {
    enum Owner: Hashable, Sendable {
        case reminder(ReminderID)
        case summary
    }

    /// A notification that is on the screen or requested.
    struct Display: Sendable {
        /// The token of the request that has no answer yet; `nil` without such a request.
        var token: Int?
        /// The text of the last request.
        var text: NotificationText?
        /// The unshown alarms that the requested notification will show.
        var requested: [DeliveredAlarm] = []
        /// A notification to close after the answer to the request, unless the requested notification replaces it.
        var released: NotificationID?
        /// Whether the content has changed since the request.
        var isStale = false
        /// The number of failures in a row; ``again`` is the time of the next attempt.
        var failures = 0
        var again: Instant?

        func isFree(_ now: Instant) -> Bool { self.token == nil && (self.again.map { $0 <= now } ?? true) }
    }

    /// An answer that arrived before the number of its notification was known.
    enum Answer: Sendable {
        case closed(CloseReason)
        case invoked(String)
    }

    var displays: [ReminderID: Display] = [:]
    var summary = Display()
    /// Reminders with their own notification (``Slot/Place/own``), which must be requested or compared with the slot.
    var waiting: Set<ReminderID> = []
    /// Reminders that wait for the end of the quiet hours.
    var held: Set<ReminderID> = []
    var summarized: Set<ReminderID> = []
    /// The reminders in the requested summary notification, each with the unshown alarms that the summary will show.
    var members: [ReminderID: [DeliveredAlarm]] = [:]
    /// The owners of the notifications on the screen, by the notification's number.
    var numbers: [UInt32: Owner] = [:]
    /// The owners of the requested notifications, by the request's token.
    var tokens: [Int: Owner] = [:]
    var lastToken = 0
    var early: [UInt32: Answer] = [:]
    /// The start of the current minute, and the number of notifications since then.
    var minute: (began: Instant, count: Int)?

    mutating func place(_ reminder: ReminderID, _ place: Slot.Place?) {
        self.waiting.remove(reminder)
        self.held.remove(reminder)
        self.summarized.remove(reminder)
        switch place {
        case .own: self.waiting.insert(reminder)
        case .held: self.held.insert(reminder)
        case .summary: self.summarized.insert(reminder)
        case nil: break
        }
    }

    mutating func newToken(_ owner: Owner) -> Int {
        self.lastToken += 1
        self.tokens[self.lastToken] = owner
        return self.lastToken
    }

    /// Returns the alarms of requests that have no answer yet; these alarms may already be on the screen.
    func requested(_ reminder: ReminderID) -> [DeliveredAlarm] {
        (self.displays[reminder]?.requested ?? []) + (self.members[reminder] ?? [])
    }

    mutating func keepRequested(_ reminder: ReminderID, _ alarms: [DeliveredAlarm]) {
        if let requested = self.displays[reminder]?.requested, !requested.isEmpty {
            self.displays[reminder]?.requested = requested.filter(alarms.contains)
        }
        if let requested = self.members[reminder] { self.members[reminder] = requested.filter(alarms.contains) }
    }

    mutating func moveRequested(_ reminder: ReminderID, _ move: (DeliveredAlarm) -> DeliveredAlarm) {
        func moved(_ requested: [DeliveredAlarm]) -> [DeliveredAlarm] {
            requested.map(move).sorted { $0.fires < $1.fires }
        }
        if let requested = self.displays[reminder]?.requested { self.displays[reminder]?.requested = moved(requested) }
        if let requested = self.members[reminder] { self.members[reminder] = moved(requested) }
    }

    var waitsForQuiet: Bool { !self.held.isEmpty || self.summary.isStale }
    var isWaiting: Bool { !self.waiting.isEmpty || self.summary.isStale }

    /// The times of the next attempts; attempts without a time wait for another event.
    var retries: [Instant] {
        let own = self.waiting.compactMap { self.displays[$0]?.again }
        return own + (self.summary.isStale ? [self.summary.again].compactMap { $0 } : [])
    }

    /// Ends all pauses, because their ends were computed before the clock was put back.
    mutating func endPauses(_ now: Instant) {
        for (reminder, display) in self.displays where display.again != nil { self.displays[reminder]?.again = now }
        if self.summary.again != nil { self.summary.again = now }
        self.minute = nil
    }

    /// Returns the number of notifications that are still allowed in this minute.
    mutating func room(_ now: Instant) -> Int {
        guard let minute, minute.began <= now, now < minute.began.adding(seconds: 60) else {
            self.minute = (now, 0)
            return SchedulerLimits.maximumPerMinute
        }
        return max(0, SchedulerLimits.maximumPerMinute - minute.count)
    }

    /// Forgets all requests, because their outcome is unknown; their content is shown again.
    mutating func loseService() {
        for (reminder, display) in self.displays {
            let waits = !self.held.contains(reminder) && !self.summarized.contains(reminder)
            if display.token != nil, waits { self.waiting.insert(reminder) }
            self.displays[reminder] = nil
        }
        if self.summary.token != nil { self.summary.isStale = true }
        self.members = [:]
        self.summary.token = nil
        self.summary.again = nil
        self.summary.failures = 0
        self.tokens = [:]
        self.numbers = [:]
        self.early = [:]
    }
}
