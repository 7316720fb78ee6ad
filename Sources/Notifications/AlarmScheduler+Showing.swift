import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

extension AlarmScheduler {
    mutating func put(_ reminder: ReminderID, _ slot: Slot, _ place: Slot.Place) {
        let wasSummarized = self.records.slots[reminder]?.place == .summary
        var slot = slot
        slot.place = place
        self.record(.slot(reminder, slot))
        self.screen.place(reminder, place)
        var display = self.screen.displays[reminder] ?? Screen.Display()
        display.text = nil
        display.again = nil
        display.failures = 0
        display.isStale = display.token != nil
        self.screen.displays[reminder] = display
        if wasSummarized { self.shortenSummary() }
    }

    mutating func drop(_ reminder: ReminderID) {
        guard let slot = self.records.slots[reminder] else { return }
        if let notification = slot.notification { self.close(notification) }
        self.remove(reminder)
    }

    /// Removes the ``Slot`` of a reminder; the caller closes the slot's notification if it is still on the screen.
    mutating func remove(_ reminder: ReminderID) {
        let wasSummarized = self.records.slots[reminder]?.place == .summary
        self.record(.slot(reminder, nil))
        self.screen.place(reminder, nil)
        self.screen.members[reminder] = nil
        if let display = self.screen.displays.removeValue(forKey: reminder) {
            if let token = display.token { self.screen.tokens[token] = nil }
            if let released = display.released { self.request(.close(released)) }
        }
        if wasSummarized { self.shortenSummary() }
    }

    mutating func close(_ notification: NotificationID) {
        self.screen.numbers[notification.number] = nil
        self.record(.closing(notification))
        if notification.service == self.service { self.request(.close(notification)) }
    }

    /// Closes a notification, but only after the answer about a requested replacement, which may have the same number.
    mutating func release(_ notification: NotificationID, of reminder: ReminderID) {
        guard notification.service == self.service, self.screen.displays[reminder]?.token != nil else {
            return self.close(notification)
        }
        self.screen.numbers[notification.number] = nil
        self.record(.closing(notification))
        self.screen.displays[reminder]?.released = notification
    }

    /// Closes the summary notification if no reminder is left in it; if some are left, the summary is not updated.
    private mutating func shortenSummary() {
        guard self.screen.summarized.isEmpty else { return }
        if let notification = self.records.summary {
            self.record(.summary(nil))
            self.close(notification)
        }
        if let token = self.screen.summary.token { self.screen.tokens[token] = nil }
        self.screen.summary = Screen.Display()
        self.screen.members = [:]
    }

    // MARK: Showing

    /// Shows the waiting notifications, if there is a service or, in its place, a notify command or a terminal.
    mutating func present(_ now: Instant, _ world: ReminderSource) throws {
        self.writeAgain(now)
        self.updateInQuietHours()
        let usesFallback = self.service == nil
        if usesFallback {
            let isOver = self.missing.map { now >= $0.adding(seconds: self.settings.patienceSeconds) } ?? false
            guard self.settings.hasFallback, isOver else { return }
        }
        // A user's action is written before the next alarm of the reminder is shown: the action may prevent that alarm.
        let actions = Dictionary(grouping: self.records.actions.values, by: \.reminder)
        let ready = self.screen.waiting.filter { reminder in
            guard self.screen.displays[reminder]?.isFree(now) ?? true, let slot = self.records.slots[reminder] else {
                return false
            }
            // The notify command and the terminal cannot update a notification that they have delivered.
            guard !usesFallback || !slot.unshown.isEmpty else { return false }
            return !(actions[reminder] ?? []).contains { $0.comes(before: slot.alarm) }
        }.sorted()
        let fresh = ready.filter { self.isFresh($0) }
        let own = self.gather(fresh, now) + ready.filter { !self.isFresh($0) && self.screen.waiting.contains($0) }
        for reminder in own { try self.show(reminder, usesFallback, now, world) }
        try self.showSummary(usesFallback, now, world)
    }

    /// In quiet hours, holds back reminders with unshown alarms or without a notification; otherwise, releases all.
    private mutating func updateInQuietHours() {
        if self.quietUntil == nil {
            for reminder in self.screen.held.sorted() { self.place(reminder, .own) }
        } else {
            for reminder in self.screen.waiting.sorted() where self.screen.displays[reminder]?.token == nil {
                let isNews = self.records.slots[reminder].map { !$0.unshown.isEmpty } ?? true
                if isNews || self.notification(of: reminder) == nil { self.place(reminder, .held) }
            }
        }
    }

    private func notification(of reminder: ReminderID) -> NotificationID? {
        guard let notification = self.records.slots[reminder]?.notification, notification.service == self.service else {
            return nil
        }
        return notification
    }

    private mutating func place(_ reminder: ReminderID, _ place: Slot.Place) {
        guard var slot = self.records.slots[reminder] else { return }
        slot.place = place
        self.record(.slot(reminder, slot))
        self.screen.place(reminder, place)
    }

    /// Whether the reminder has no notification on the screen, and no attempt to show one has failed.
    private func isFresh(_ reminder: ReminderID) -> Bool {
        self.notification(of: reminder) == nil && self.screen.displays[reminder]?.failures ?? 0 == 0
    }

    /// Moves reminders beyond the limits into the summary notification, and returns the other reminders.
    private mutating func gather(_ fresh: [ReminderID], _ now: Instant) -> [ReminderID] {
        var late: [ReminderID] = []
        var onTime: [ReminderID] = []
        for reminder in fresh {
            self.markIfMissed(reminder, now)
            let isLate = self.records.slots[reminder]?.alarm?.isLate(now) ?? false
            if isLate { late.append(reminder) } else { onTime.append(reminder) }
        }
        if late.count > SchedulerLimits.maximumMissed { self.summarize(&late) }
        if onTime.count > SchedulerLimits.maximumAtOnce { self.summarize(&onTime) }
        var rest = late + onTime
        if rest.count > self.screen.room(now) { self.summarize(&rest) }
        self.screen.minute?.count += rest.count
        return rest.sorted()
    }

    private mutating func markIfMissed(_ reminder: ReminderID, _ now: Instant) {
        guard var slot = self.records.slots[reminder], let alarm = slot.unshown.last,
            slot.isMissed != alarm.isLate(now)
        else { return }
        slot.isMissed.toggle()
        self.record(.slot(reminder, slot))
    }

    private mutating func summarize(_ reminders: inout [ReminderID]) {
        for reminder in reminders { self.place(reminder, .summary) }
        self.screen.summary.isStale = true
        reminders = []
    }

    private mutating func show(_ reminder: ReminderID, _ usesFallback: Bool, _ now: Instant, _ world: ReminderSource)
        throws
    {
        // The store may contain a change of the reminder whose event has not arrived yet.
        guard let known = try world.reminder(reminder, self.alarmBasis) else { return self.drop(reminder) }
        self.updateSlot(reminder, known)
        self.markIfMissed(reminder, now)
        guard let slot = self.records.slots[reminder], let alarm = slot.alarm.flatMap(known.plan.alarm),
            !usesFallback || !slot.unshown.isEmpty
        else { return }
        // After a change of the time zone, the alarm may be in the future.
        let isMissed = slot.isMissed && alarm.fires <= now
        let text = NotificationText(alarm, of: known, isMissed: isMissed, zones: world.zones(self.local))
        self.screen.waiting.remove(reminder)
        var display = self.screen.displays[reminder] ?? Screen.Display()
        // An edit that does not change the text needs no new notification.
        guard display.text != text || self.notification(of: reminder) == nil else { return }
        let notification = Notification(
            token: self.screen.newToken(.reminder(reminder)),
            replaces: self.notification(of: reminder),
            reminder: reminder,
            text: text,
            priority: known.priority,
            appearance: self.settings.appearance.silenced(unless: !slot.unshown.isEmpty && self.quietUntil == nil),
            actions: usesFallback ? [] : NotificationAction.ofReminder
        )
        display.token = notification.token
        display.text = text
        display.requested = slot.unshown
        display.isStale = false
        display.again = nil
        self.screen.displays[reminder] = display
        self.request(usesFallback ? .deliverByFallback(notification) : .show(notification))
    }

    private mutating func showSummary(_ usesFallback: Bool, _ now: Instant, _ world: ReminderSource) throws {
        guard self.screen.summary.isStale, self.screen.summary.isFree(now), self.quietUntil == nil else { return }
        // The notify command and the terminal receive only reminders with unshown alarms.
        let members = self.screen.summarized.compactMap { name in
            self.records.slots[name].flatMap { !usesFallback || !$0.unshown.isEmpty ? (name, $0) : nil }
        }
        self.screen.summary.isStale = false
        guard !members.isEmpty else { return }
        let times = members.compactMap { name, slot in slot.alarm.map { (name, $0) } }
        let first = times.sorted { one, other in
            one.1.fires == other.1.fires ? one.0 < other.0 : one.1.fires < other.1.fires
        }
        var ranked: [(priority: Priority, alarm: ReminderAlarm)] = []
        for (name, delivered) in first.prefix(SchedulerLimits.maximumRanked) {
            guard let known = try world.reminder(name, self.alarmBasis), let alarm = known.plan.alarm(delivered) else {
                continue
            }
            ranked.append((known.priority, alarm))
        }
        // The important reminders come first, in the order of their times.
        let order: [Priority] = [.high, .medium, .low, .undefined]
        let important = order.flatMap { priority in ranked.filter { $0.priority == priority } }
        let zones = world.zones(self.local)
        let today = (zones.dateTime(of: now, in: .floating) ?? CalendarDateTime(utc: now)).date
        let named = important.prefix(SchedulerLimits.maximumNamed).map { one in
            NotificationText.line(one.alarm, today: today, zones: zones)
        }
        let notification = Notification(
            token: self.screen.newToken(.summary),
            replaces: self.records.summary,
            reminder: nil,
            text: NotificationText(
                count: members.count,
                areMissed: members.allSatisfy { $0.1.isMissed },
                named: named
            ),
            priority: important.first?.priority ?? .undefined,
            appearance: self.settings.appearance.silenced(unless: members.contains { !$0.1.unshown.isEmpty }),
            actions: usesFallback ? [] : NotificationAction.ofSummary(of: members.count)
        )
        self.screen.summary.again = nil
        self.screen.summary.token = notification.token
        self.screen.members = Dictionary(uniqueKeysWithValues: members.map { ($0.0, $0.1.unshown) })
        self.request(usesFallback ? .deliverByFallback(notification) : .show(notification))
    }
}
