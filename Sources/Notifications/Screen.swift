import ICalendar

/// What a ``Ringer`` knows of the screen and need not keep.
struct Screen: Sendable {
    /// Whose bubble it is.
    enum Owner: Hashable, Sendable {
        case reminder(String)
        case summary
    }

    /// One bubble, on its way or there.
    struct Display: Sendable {
        /// What was asked for and not answered.
        var token: Int?
        /// What it was asked to say.
        var words: BubbleWords?
        /// The alarms that it was asked to show, those that were not shown before.
        var asked: [ToldAlarm] = []
        /// A bubble that is to go, unless what was asked for takes its place.
        var released: ShownBubble?
        /// Whether there is something else to show than what was asked for.
        var isStale = false
        /// How often it could not be shown, and when to try again.
        var failures = 0
        var again: Instant?

        /// Whether it can be asked for.
        func isFree(_ now: Instant) -> Bool { self.token == nil && (self.again.map { $0 <= now } ?? true) }
    }

    /// An answer that came before the number of its bubble did.
    enum Answer: Sendable {
        case closed(BubbleEnd)
        case invoked(String)
    }

    var displays: [String: Display] = [:]
    var summary = Display()
    /// Reminders with a place of their own that have something to show.
    var waiting: Set<String> = []
    /// Those that wait for the end of the quiet hours.
    var held: Set<String> = []
    /// Those that the summary stands for.
    var summarized: Set<String> = []
    /// Of those the ones that the summary was asked to show, with their alarms that were not shown before.
    var members: [String: [ToldAlarm]] = [:]
    /// Whose the bubbles on the screen are, by number.
    var numbers: [UInt32: Owner] = [:]
    /// Whose the bubbles are that were asked for.
    var tokens: [Int: Owner] = [:]
    var lastToken = 0
    var early: [UInt32: Answer] = [:]
    /// How many bubbles came in the minute that began then.
    var minute: (began: Instant, count: Int)?

    mutating func place(_ reminder: String, _ place: Slot.Place?) {
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

    /// The alarms that may be on the screen already, though there is no answer.
    func asked(_ reminder: String) -> [ToldAlarm] {
        (self.displays[reminder]?.asked ?? []) + (self.members[reminder] ?? [])
    }

    /// Of what was asked for, only these count.
    mutating func keepAsked(_ reminder: String, _ alarms: [ToldAlarm]) {
        if let asked = self.displays[reminder]?.asked, !asked.isEmpty {
            self.displays[reminder]?.asked = asked.filter(alarms.contains)
        }
        if let asked = self.members[reminder] { self.members[reminder] = asked.filter(alarms.contains) }
    }

    /// What was asked for is at other moments now.
    mutating func moveAsked(_ reminder: String, _ move: (ToldAlarm) -> ToldAlarm) {
        func moved(_ asked: [ToldAlarm]) -> [ToldAlarm] { asked.map(move).sorted { $0.fires < $1.fires } }
        if let asked = self.displays[reminder]?.asked { self.displays[reminder]?.asked = moved(asked) }
        if let asked = self.members[reminder] { self.members[reminder] = moved(asked) }
    }

    /// Whether somebody waits for the end of quiet hours.
    var waitsForQuiet: Bool { !self.held.isEmpty || self.summary.isStale }

    var isWaiting: Bool { !self.waiting.isEmpty || self.summary.isStale }

    /// When what could not be shown can be tried again; what is past waits for something else.
    var retries: [Instant] {
        let own = self.waiting.compactMap { self.displays[$0]?.again }
        return own + (self.summary.isStale ? [self.summary.again].compactMap { $0 } : [])
    }

    /// What waits for a time on a clock that was put back waits no longer.
    mutating func hurry(_ now: Instant) {
        for (reminder, display) in self.displays where display.again != nil { self.displays[reminder]?.again = now }
        if self.summary.again != nil { self.summary.again = now }
        self.minute = nil
    }

    /// How many more bubbles may come in this minute.
    mutating func room(_ now: Instant) -> Int {
        guard let minute, minute.began <= now, now < minute.began.adding(seconds: 60) else {
            self.minute = (now, 0)
            return RingLimits.maximumPerMinute
        }
        return max(0, RingLimits.maximumPerMinute - minute.count)
    }

    /// All that was asked for is in doubt; what it was is to be shown again.
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
