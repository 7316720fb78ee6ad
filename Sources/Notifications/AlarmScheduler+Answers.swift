import RemindavICalendar

extension AlarmScheduler {
    // MARK: The service

    /// Handles the start or end of the service; a new instance has no notifications, so the old ones are shown again.
    mutating func serve(_ service: String?, _ now: Instant, _ world: ReminderSource) throws {
        guard service != self.service else { return }
        self.screen.loseService()
        try self.withdrawFutureAlarms(now, world)
        self.service = service
        guard let service else {
            self.missing = now
            return
        }
        self.missing = nil
        for (reminder, slot) in self.records.slots.sorted(by: { $0.key < $1.key }) {
            guard let notification = slot.notification else { continue }
            if notification.service == service {
                self.screen.numbers[notification.number] = .reminder(reminder)
            } else {
                var slot = slot
                slot.notification = nil
                self.record(.slot(reminder, slot))
            }
            if slot.place == .own { self.screen.waiting.insert(reminder) }
        }
        if let notification = self.records.summary {
            if notification.service == service {
                self.screen.numbers[notification.number] = .summary
            } else {
                self.record(.summary(nil))
            }
        }
        if !self.screen.summarized.isEmpty { self.screen.summary.isStale = true }
        for notification in self.records.closing.sorted(by: { $0.number < $1.number }) {
            if notification.service == service {
                self.request(.close(notification))
            } else {
                self.record(.gone(notification))
            }
        }
    }

    mutating func shown(_ token: Int, _ number: UInt32, _ now: Instant) {
        guard let service else { return }
        let notification = NotificationID(number: number, service: service)
        guard let owner = self.screen.tokens.removeValue(forKey: token) else {
            // The scheduler no longer needs this notification and closes it, unless its number has another owner now.
            guard self.screen.numbers[number] == nil else { return }
            self.screen.early[number] = nil
            self.record(.closing(notification))
            return self.request(.close(notification))
        }
        // The service has reused the number, so the notification that was to be closed is already gone.
        if self.records.closing.contains(notification) { self.record(.gone(notification)) }
        switch owner {
        case .reminder(let reminder): self.shown(notification, of: reminder)
        case .summary: self.summaryShown(notification)
        }
        guard let answer = self.screen.early.removeValue(forKey: number) else { return }
        switch answer {
        case .closed(let end): self.closed(number, end, now)
        case .invoked(let action): self.invoked(number, action, now)
        }
    }

    private mutating func shown(_ notification: NotificationID, of reminder: ReminderID) {
        guard var slot = self.records.slots[reminder], var display = self.screen.displays[reminder] else { return }
        if let old = slot.notification, old != notification { self.screen.numbers[old.number] = nil }
        slot.notification = notification
        slot.show(display.requested)
        self.record(.slot(reminder, slot))
        self.screen.numbers[notification.number] = .reminder(reminder)
        if let released = display.released, released != notification { self.request(.close(released)) }
        display.released = nil
        display.token = nil
        display.requested = []
        display.failures = 0
        if display.isStale, slot.place == .own { self.screen.waiting.insert(reminder) }
        display.isStale = false
        self.screen.displays[reminder] = display
    }

    private mutating func summaryShown(_ notification: NotificationID) {
        if let old = self.records.summary, old != notification { self.screen.numbers[old.number] = nil }
        self.record(.summary(notification))
        self.screen.numbers[notification.number] = .summary
        self.screen.summary.token = nil
        self.screen.summary.failures = 0
        for (reminder, alarms) in self.removeMembers() {
            guard let old = self.records.slots[reminder] else { continue }
            var slot = old
            slot.show(alarms)
            // The summary lists the reminder, so the reminder's own notification of an earlier alarm is redundant.
            if let own = slot.notification {
                slot.notification = nil
                self.release(own, of: reminder)
            }
            if slot != old { self.record(.slot(reminder, slot)) }
        }
    }

    private mutating func removeMembers() -> [(key: ReminderID, value: [DeliveredAlarm])] {
        defer { self.screen.members = [:] }
        return self.screen.members.sorted { $0.key < $1.key }
    }

    mutating func deliveredByFallback(_ token: Int) {
        switch self.screen.tokens.removeValue(forKey: token) {
        case nil: break
        case .reminder(let reminder):
            let requested = self.screen.displays[reminder]?.requested ?? []
            self.screen.displays[reminder] = nil
            self.leave(reminder, deliveredByFallback: requested)
        case .summary:
            self.screen.summary.token = nil
            self.screen.summary.failures = 0
            for (reminder, alarms) in self.removeMembers() { self.leave(reminder, deliveredByFallback: alarms) }
        }
    }

    /// Handles alarms that the notify command or the terminal has delivered; later alarms are still pending.
    private mutating func leave(_ reminder: ReminderID, deliveredByFallback alarms: [DeliveredAlarm]) {
        guard var slot = self.records.slots[reminder] else { return }
        let notification = slot.notification
        slot.show(alarms)
        guard !slot.unshown.isEmpty else { return self.drop(reminder) }
        slot.leave()
        self.record(.slot(reminder, slot))
        if let notification { self.close(notification) }
        if slot.place == .own { self.screen.waiting.insert(reminder) }
    }

    mutating func notShown(_ token: Int, _ now: Instant, _ world: ReminderSource) throws {
        switch self.screen.tokens.removeValue(forKey: token) {
        case nil: break
        case .reminder(let reminder):
            guard var display = self.screen.displays[reminder] else { return }
            if let released = display.released { self.request(.close(released)) }
            display.released = nil
            display.token = nil
            display.requested = []
            display.text = nil
            display.isStale = false
            display.failures += 1
            display.again = now.adding(seconds: Self.pause(after: display.failures))
            self.screen.displays[reminder] = display
            if self.records.slots[reminder]?.place == .own { self.screen.waiting.insert(reminder) }
            // If the clock was put back during the request, some of these alarms may be in the future again.
            try self.withdrawFutureAlarms(now, of: reminder, world)
        case .summary:
            self.screen.summary.token = nil
            self.screen.summary.isStale = true
            self.screen.summary.failures += 1
            self.screen.summary.again = now.adding(seconds: Self.pause(after: self.screen.summary.failures))
            for (reminder, _) in self.removeMembers() { try self.withdrawFutureAlarms(now, of: reminder, world) }
        }
    }

    // MARK: User actions

    mutating func closed(_ number: UInt32, _ end: CloseReason, _ now: Instant) {
        guard let service else { return }
        let notification = NotificationID(number: number, service: service)
        if self.records.closing.contains(notification) {
            self.record(.gone(notification))
            if self.screen.numbers[number] == nil { return }
        }
        switch self.screen.numbers.removeValue(forKey: number) {
        case nil: self.remember(number, .closed(end))
        case .reminder(let reminder):
            guard let alarm = self.alarmOnScreen(reminder) else { return }
            if end == .dismissed {
                self.add(PendingAction(reminder, occurrence: alarm.occurrence, .acknowledgement(of: alarm, at: now)))
            }
            self.leave(reminder)
        case .summary:
            self.record(.summary(nil))
            self.leaveSummary()
        }
    }

    mutating func invoked(_ number: UInt32, _ key: String, _ now: Instant) {
        guard let service else { return }
        switch self.screen.numbers[number] {
        case nil: self.remember(number, .invoked(key))
        case .reminder(let reminder):
            guard let alarm = self.alarmOnScreen(reminder),
                let effect = NotificationAction.effect(of: key, on: alarm, at: now)
            else { return }
            let action = PendingAction(reminder, occurrence: alarm.occurrence, effect)
            // The alarm is acknowledged after a window has opened, because the user sees the reminder only then.
            if key == NotificationAction.open.key {
                self.request(.open(reminder, seen: action))
            } else {
                self.add(action)
            }
            // Not every service closes the notification when the user presses one of its buttons.
            self.release(NotificationID(number: number, service: service), of: reminder)
            self.leave(reminder)
        case .summary:
            guard NotificationAction.ofSummary(of: 0).contains(where: { $0.key == key }) else { return }
            if key == NotificationAction.open.key {
                self.request(.open(nil, seen: nil))
            } else {
                self.addToSummarized(key, now)
            }
            self.record(.summary(nil))
            self.close(NotificationID(number: number, service: service))
            self.leaveSummary()
        }
    }

    /// Adds an action for each reminder that the summary notification shows.
    private mutating func addToSummarized(_ key: String, _ now: Instant) {
        for reminder in self.screen.summarized.sorted() {
            guard let alarm = self.records.slots[reminder]?.shown,
                let effect = NotificationAction.effect(of: key, on: alarm, at: now)
            else { continue }
            self.add(PendingAction(reminder, occurrence: alarm.occurrence, effect))
        }
    }

    private func alarmOnScreen(_ reminder: ReminderID) -> DeliveredAlarm? {
        self.records.slots[reminder].flatMap { $0.shown ?? $0.alarm }
    }

    private mutating func leave(_ reminder: ReminderID) {
        guard var slot = self.records.slots[reminder], !slot.unshown.isEmpty else { return self.remove(reminder) }
        slot.leave()
        self.record(.slot(reminder, slot))
        if slot.place == .own, self.screen.displays[reminder]?.token == nil { self.screen.waiting.insert(reminder) }
    }

    /// Handles the end of the summary notification; reminders with alarms that it did not show get another summary.
    private mutating func leaveSummary() {
        for reminder in self.screen.summarized.sorted() {
            guard var slot = self.records.slots[reminder], !slot.unshown.isEmpty else {
                self.remove(reminder)
                continue
            }
            guard slot.shown != nil else { continue }
            slot.leave()
            self.record(.slot(reminder, slot))
        }
        self.screen.summary.isStale = !self.screen.summarized.isEmpty && self.screen.summary.token == nil
    }

    /// Stores an answer that arrived before the number of its notification is known.
    private mutating func remember(_ number: UInt32, _ answer: Screen.Answer) {
        guard !self.screen.tokens.isEmpty, self.screen.early.count < SchedulerLimits.maximumEarlyAnswers else { return }
        // A click also closes the notification. A stored click is not replaced, because it has more information.
        if case .closed = answer, self.screen.early[number] != nil { return }
        self.screen.early[number] = answer
    }
}
