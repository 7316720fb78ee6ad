import ICalendar

/// The state of the screen that a ``AlarmScheduler`` needs only in memory.
struct Screen: Sendable {
    /// The owner of a notification.
    enum Owner: Hashable, Sendable {
        case reminder(ReminderID)
        case summary
    }

    /// A notification that is on the screen or requested.
    struct Display: Sendable {
        /// The request without an answer yet.
        var token: Int?
        /// The requested text.
        var text: NotificationText?
        /// The newly shown alarms of the request.
        var asked: [DeliveredAlarm] = []
        /// A notification to close, unless the request replaces it.
        var released: NotificationID?
        /// Whether the content differs from the request.
        var isStale = false
        /// The number of failures, and the time of the next attempt.
        var failures = 0
        var again: Instant?

        /// Whether it can be requested now.
        func isFree(_ now: Instant) -> Bool { self.token == nil && (self.again.map { $0 <= now } ?? true) }
    }

    /// An answer that arrived before the number of its notification.
    enum Answer: Sendable {
        case closed(CloseReason)
        case invoked(String)
    }

    var displays: [ReminderID: Display] = [:]
    var summary = Display()
    /// Reminders with a place of their own that have a pending notification.
    var waiting: Set<ReminderID> = []
    /// Reminders that wait for the end of the quiet hours.
    var held: Set<ReminderID> = []
    /// Reminders in the summary.
    var summarized: Set<ReminderID> = []
    /// The members of the requested summary, with their newly shown alarms.
    var members: [ReminderID: [DeliveredAlarm]] = [:]
    /// The owners of the notifications on the screen, by number.
    var numbers: [UInt32: Owner] = [:]
    /// The owners of the requested notifications.
    var tokens: [Int: Owner] = [:]
    var lastToken = 0
    var early: [UInt32: Answer] = [:]
    /// The number of notifications in the minute that began at this time.
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

    /// The alarms that may already be on the screen, without an answer yet.
    func asked(_ reminder: ReminderID) -> [DeliveredAlarm] {
        (self.displays[reminder]?.asked ?? []) + (self.members[reminder] ?? [])
    }

    /// Keeps only these alarms of the request.
    mutating func keepAsked(_ reminder: ReminderID, _ alarms: [DeliveredAlarm]) {
        if let asked = self.displays[reminder]?.asked, !asked.isEmpty {
            self.displays[reminder]?.asked = asked.filter(alarms.contains)
        }
        if let asked = self.members[reminder] { self.members[reminder] = asked.filter(alarms.contains) }
    }

    /// Moves the alarms of the request to their new times.
    mutating func moveAsked(_ reminder: ReminderID, _ move: (DeliveredAlarm) -> DeliveredAlarm) {
        func moved(_ asked: [DeliveredAlarm]) -> [DeliveredAlarm] { asked.map(move).sorted { $0.fires < $1.fires } }
        if let asked = self.displays[reminder]?.asked { self.displays[reminder]?.asked = moved(asked) }
        if let asked = self.members[reminder] { self.members[reminder] = moved(asked) }
    }

    /// Whether a notification waits for the end of quiet hours.
    var waitsForQuiet: Bool { !self.held.isEmpty || self.summary.isStale }
    var isWaiting: Bool { !self.waiting.isEmpty || self.summary.isStale }

    /// The times of the next attempts; attempts without a time wait for another event.
    var retries: [Instant] {
        let own = self.waiting.compactMap { self.displays[$0]?.again }
        return own + (self.summary.isStale ? [self.summary.again].compactMap { $0 } : [])
    }

    /// Ends waits that were set before the clock was put back.
    mutating func hurry(_ now: Instant) {
        for (reminder, display) in self.displays where display.again != nil { self.displays[reminder]?.again = now }
        if self.summary.again != nil { self.summary.again = now }
        self.minute = nil
    }

    /// The number of further notifications allowed in this minute.
    mutating func room(_ now: Instant) -> Int {
        guard let minute, minute.began <= now, now < minute.began.adding(seconds: 60) else {
            self.minute = (now, 0)
            return SchedulerLimits.maximumPerMinute
        }
        return max(0, SchedulerLimits.maximumPerMinute - minute.count)
    }

    /// Marks all requests as uncertain; their content is shown again.
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
