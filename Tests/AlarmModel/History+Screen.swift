import RemindavICalendar
import RemindavNotifications

/// The notification service: its presence, its requests and its answers.
extension History {
    func startService() throws {
        self.expectation.doubtAll()
        self.answers.removeAll(where: Self.isOfService)
        self.services += 1
        self.notifications = [:]
        self.service = "service \(self.services)"
        self.log("service starts")
        try self.handle(.service(self.service))
    }

    func loseOrFindService() throws {
        guard let service else {
            // Either the bus failed for a moment, or another service starts.
            guard self.services > 0, self.chance(3) else { return try self.startService() }
            self.expectation.doubtAll()
            self.answers.removeAll(where: Self.isOfService)
            self.service = "service \(self.services)"
            self.removeUnknownNotifications()
            self.log("service is there again")
            return try self.handle(.service(self.service))
        }
        self.log("\(service) is lost")
        self.expectation.doubtAll()
        self.service = nil
        self.missing = self.now
        self.answers.removeAll(where: Self.isOfService)
        try self.handle(.service(nil))
    }

    private static func isOfService(_ event: SchedulerEvent) -> Bool {
        switch event {
        case .shown, .notShown, .deliveredByFallback, .closed, .invoked: true
        default: false
        }
    }

    /// Removes notifications with numbers that never arrived: no program can close them.
    func removeUnknownNotifications() {
        var known = Set(self.kept.slots.values.compactMap(\.notification)).union(self.kept.closing)
        if let summary = self.kept.summary { known.insert(summary) }
        let numbers = Set(known.filter { $0.service == "service \(self.services)" }.map(\.number))
        self.notifications = self.notifications.filter { numbers.contains($0.key) }
    }

    func click() throws {
        guard self.service != nil, !self.notifications.isEmpty else { return try self.sleepUntilWoken() }
        let number = self.pick(self.notifications.keys.sorted())
        guard let owner = self.notifications[number] else { return }
        let isUnderWay = self.expectation.asked.values.contains { asked in
            owner.map { asked.serials[$0] != nil } ?? true
        }
        // A notification that is being requested cannot be closed yet. A button of its predecessor may be pressed.
        let wasThere = owner.map { self.kept.slots[$0]?.notification?.number == number } ?? false
        guard isUnderWay ? wasThere : self.answers.isEmpty else { return }
        if !isUnderWay, self.chance(2) {
            let end: CloseReason = self.pick([.dismissed, .dismissed, .expired, .undefined])
            self.notifications[number] = nil
            self.log("\(number) \(end)")
            return try self.handle(.closed(number: number, end))
        }
        let action = self.pick(owner == nil ? NotificationAction.ofSummary(of: 0) : NotificationAction.ofReminder)
        self.log("\(action.key) on \(number) of \(owner.map { "\($0)" } ?? "many")")
        try self.handle(.invoked(number: number, action: action.key))
    }

    func answer() throws {
        if !self.changed.isEmpty {
            let changed = self.changed
            self.changed = []
            return try self.handle(.changed(changed, since: Instant(secondsSince1970: self.now - 2)))
        }
        guard !self.answers.isEmpty else { return }
        if self.chance(4) { self.time += Int64(self.number(0...2)) }
        let event = self.answers.remove(at: self.number(0...self.answers.count - 1))
        try self.handle(event)
    }

    // MARK: Requests

    func deliverByFallback(_ notification: Notification) throws {
        guard self.service == nil, self.settings.hasFallback, let missing, self.now >= missing + 10 else {
            throw Broken(description: "the fallback was used instead of the service")
        }
        if self.quietEnd != nil { throw Broken(description: "the fallback was used in quiet hours") }
        let isNews = { (reminder: ReminderID) in self.expectation.open[reminder].map { !$0.unshown.isEmpty } ?? false }
        let members = notification.reminder.map { [$0] } ?? self.summarized.filter(isNews)
        guard members.allSatisfy(isNews) else { throw Broken(description: "\(members) are delivered again") }
        for reminder in members { try self.check(reminder, notification) }
        self.expectation.ask(notification.token, members, isSummary: notification.reminder == nil)
        self.answers.append(
            self.chance(10) ? .notShown(token: notification.token) : .deliveredByFallback(token: notification.token)
        )
    }

    func show(_ notification: Notification) throws {
        let inSummary = notification.reminder == nil
        let members = notification.reminder.map { [$0] } ?? self.summarized
        for reminder in members {
            let isRetry = self.backingOff.contains(reminder)
            try self.check(reminder, notification)
            guard let open = self.expectation.open[reminder], !inSummary else { continue }
            // A notification with a number that has not arrived yet is closed later.
            let onTheWay = Set(self.answers.compactMap { if case .shown(_, let number) = $0 { number } else { nil } })
            let isThere = self.notifications.contains { number, owner in
                owner == reminder && number != notification.replaces?.number && !onTheWay.contains(number)
            }
            if isThere { throw Broken(description: "\(reminder) is on the screen twice") }
            // The first notification makes a sound, repeated ones do not.
            if open.unshown.isEmpty, notification.appearance.makesSound {
                throw Broken(description: "\(reminder) makes a second sound for \(open.last as Any)")
            }
            if !open.unshown.isEmpty, notification.appearance.makesSound != self.settings.appearance.makesSound {
                throw Broken(description: "\(reminder) is shown with a sound or without, for \(open.last as Any)")
            }
            guard notification.replaces == nil else { continue }
            self.burst.all += 1
            guard !isRetry, let last = open.last else { continue }
            if last.fires < self.now - 60 { self.burst.late += 1 } else { self.burst.onTime += 1 }
        }
        self.expectation.ask(notification.token, members, isSummary: inSummary)
        if inSummary { self.summaries += 1 }
        guard self.isSettling || !self.chance(20) else {
            self.answers.append(.notShown(token: notification.token))
            return
        }
        var number = notification.replaces?.number ?? 0
        if notification.replaces?.service != self.service || self.notifications[number] == nil {
            self.lastNumber += 1
            number = self.lastNumber
        }
        self.notifications.updateValue(notification.reminder, forKey: number)
        self.answers.append(.shown(token: notification.token, number: number))
    }
}
