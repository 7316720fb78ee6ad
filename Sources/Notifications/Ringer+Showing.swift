import ICalendar
import Recurrence
import Reminders

extension Ringer {
    /// Gives a reminder a place, with something new to show.
    mutating func put(_ reminder: String, _ slot: Slot, _ place: Slot.Place) {
        let wasSummarized = self.records.slots[reminder]?.place == .summary
        var slot = slot
        slot.place = place
        self.record(.slot(reminder, slot))
        self.screen.place(reminder, place)
        var display = self.screen.displays[reminder] ?? Screen.Display()
        display.words = nil
        display.again = nil
        display.failures = 0
        display.isStale = display.token != nil
        self.screen.displays[reminder] = display
        if wasSummarized { self.shortenSummary() }
    }

    /// Takes its place from a reminder, and its bubble from the screen.
    mutating func drop(_ reminder: String) {
        guard let slot = self.records.slots[reminder] else { return }
        if let bubble = slot.bubble { self.close(bubble) }
        self.remove(reminder)
    }

    /// The same where its bubble is gone already, or goes elsewhere.
    mutating func remove(_ reminder: String) {
        let wasSummarized = self.records.slots[reminder]?.place == .summary
        self.record(.slot(reminder, nil))
        self.screen.place(reminder, nil)
        if let token = self.screen.displays.removeValue(forKey: reminder)?.token { self.screen.tokens[token] = nil }
        if wasSummarized { self.shortenSummary() }
    }

    private mutating func close(_ bubble: ShownBubble) {
        self.screen.numbers[bubble.number] = nil
        self.record(.closing(bubble))
        if bubble.service == self.service { self.ask(.close(bubble)) }
    }

    /// A summary of nothing goes; one of fewer is not shown anew for that.
    private mutating func shortenSummary() {
        guard self.screen.summarized.isEmpty else { return }
        if let bubble = self.records.summary {
            self.record(.summary(nil))
            self.close(bubble)
        }
        if let token = self.screen.summary.token { self.screen.tokens[token] = nil }
        self.screen.summary = Screen.Display()
    }

    // MARK: Showing

    /// Shows what is to be shown, where that can be.
    mutating func present(_ now: Instant, _ world: RingWorld) throws {
        self.writeAgain(now)
        self.keepQuiet()
        let isElsewhere = self.service == nil
        if isElsewhere {
            let isOver = self.missing.map { now >= $0.adding(seconds: RingLimits.patienceSeconds) } ?? false
            guard self.settings.tellsElsewhere, isOver else { return }
        }
        // What a person has just done to a reminder is written first: it may ring no more.
        let busy = Set(self.records.deeds.values.map(\.reminder))
        let ready = self.screen.waiting.subtracting(busy)
            .filter { self.screen.displays[$0]?.isFree(now) ?? true }.sorted()
        let fresh = ready.filter { self.isFresh($0) }
        let own = self.gather(fresh, now) + ready.filter { !self.isFresh($0) && self.screen.waiting.contains($0) }
        for reminder in own { try self.show(reminder, isElsewhere, now, world) }
        try self.showSummary(isElsewhere, now, world)
    }

    /// In quiet hours only what is on the screen already is shown, where its words are others now.
    private mutating func keepQuiet() {
        if self.quietUntil == nil {
            for reminder in self.screen.held.sorted() { self.place(reminder, .own) }
        } else {
            for reminder in self.screen.waiting.sorted() where self.records.slots[reminder]?.bubble == nil {
                if self.screen.displays[reminder]?.token == nil { self.place(reminder, .held) }
            }
        }
    }

    private mutating func place(_ reminder: String, _ place: Slot.Place) {
        guard var slot = self.records.slots[reminder] else { return }
        slot.place = place
        self.record(.slot(reminder, slot))
        self.screen.place(reminder, place)
    }

    /// Whether it would be one more on the screen, and was not tried yet.
    private func isFresh(_ reminder: String) -> Bool {
        self.records.slots[reminder]?.bubble == nil && self.screen.displays[reminder]?.failures ?? 0 == 0
    }

    /// Puts what would be too many into the summary.
    ///
    /// - Returns: the others.
    private mutating func gather(_ fresh: [String], _ now: Instant) -> [String] {
        var late: [String] = []
        var onTime: [String] = []
        for reminder in fresh {
            self.markIfMissed(reminder, now)
            guard let slot = self.records.slots[reminder] else { continue }
            if slot.alarm.isLate(now) { late.append(reminder) } else { onTime.append(reminder) }
        }
        if late.count > RingLimits.maximumMissed { self.summarize(&late) }
        if onTime.count > RingLimits.maximumAtOnce { self.summarize(&onTime) }
        var rest = late + onTime
        if rest.count > self.screen.room(now) { self.summarize(&rest) }
        self.screen.minute?.count += rest.count
        return rest.sorted()
    }

    /// What is shown for the first time is late or not by the time at which it is.
    private mutating func markIfMissed(_ reminder: String, _ now: Instant) {
        guard var slot = self.records.slots[reminder], slot.unshown != nil, slot.isMissed != slot.alarm.isLate(now)
        else {
            return
        }
        slot.isMissed.toggle()
        self.record(.slot(reminder, slot))
    }

    private mutating func summarize(_ reminders: inout [String]) {
        for reminder in reminders { self.place(reminder, .summary) }
        self.screen.summary.isStale = true
        reminders = []
    }

    private mutating func show(_ reminder: String, _ isElsewhere: Bool, _ now: Instant, _ world: RingWorld) throws {
        self.markIfMissed(reminder, now)
        guard let slot = self.records.slots[reminder] else { return }
        guard let known = try world.reminder(reminder, self.local), let alarm = known.plan.alarm(slot.alarm) else {
            return self.drop(reminder)
        }
        let words = BubbleWords(alarm, isMissed: slot.isMissed, zones: world.zones(self.local))
        self.screen.waiting.remove(reminder)
        var display = self.screen.displays[reminder] ?? Screen.Display()
        // An edit that nobody sees needs no new bubble.
        guard display.words != words || slot.bubble == nil else { return }
        let bubble = Bubble(
            token: self.screen.newToken(.reminder(reminder)),
            replaces: slot.bubble,
            reminder: reminder,
            words: words,
            priority: known.priority,
            makesSound: self.settings.makesSound && slot.unshown != nil && self.quietUntil == nil,
            actions: isElsewhere ? [] : BubbleAction.ofReminder
        )
        guard !isElsewhere else {
            self.ask(.tellElsewhere(bubble))
            self.screen.tokens[bubble.token] = nil
            return self.remove(reminder)
        }
        display.token = bubble.token
        display.words = words
        display.asked = slot.alarm
        display.isStale = false
        display.again = nil
        self.screen.displays[reminder] = display
        self.ask(.show(bubble))
    }

    private mutating func showSummary(_ isElsewhere: Bool, _ now: Instant, _ world: RingWorld) throws {
        guard self.screen.summary.isStale, self.screen.summary.isFree(now), self.quietUntil == nil else { return }
        let members = self.screen.summarized.compactMap { name in self.records.slots[name].map { (name, $0) } }
        guard !members.isEmpty else { return }
        let first = members.sorted { one, other in
            one.1.alarm.fires == other.1.alarm.fires ? one.0 < other.0 : one.1.alarm.fires < other.1.alarm.fires
        }
        let named = try first.prefix(RingLimits.maximumNamed).compactMap { name, slot in
            try world.reminder(name, self.local)?.plan.alarm(slot.alarm)?.title
        }
        let bubble = Bubble(
            token: self.screen.newToken(.summary),
            replaces: self.records.summary,
            reminder: nil,
            words: BubbleWords(count: members.count, areMissed: members.allSatisfy { $0.1.isMissed }, named: named),
            priority: .undefined,
            makesSound: self.settings.makesSound && members.contains { $0.1.unshown != nil },
            actions: isElsewhere ? [] : BubbleAction.ofSummary
        )
        self.screen.summary.isStale = false
        self.screen.summary.again = nil
        guard !isElsewhere else {
            self.ask(.tellElsewhere(bubble))
            self.screen.tokens[bubble.token] = nil
            for (name, _) in members { self.remove(name) }
            return
        }
        self.screen.summary.token = bubble.token
        self.ask(.show(bubble))
    }
}
