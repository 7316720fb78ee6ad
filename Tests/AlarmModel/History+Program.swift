import RemindavICalendar
import RemindavNotifications
import RemindavTestSupport

/// The program: its start, its events and effects, and kills.
extension History {
    func kill() throws {
        self.expectation.doubtAll()
        self.answers = []
        self.changed = []
        self.removeUnknownNotifications()
        self.time += self.chance(2) ? 1 : self.length(upTo: 40 * 86_400)
        if self.chance(10) { self.skew = -self.skew }
        if self.chance(10) { self.local = self.pick(PeerZone.names) }
        while self.chance(2) { _ = self.editOne() }
        if self.chance(10) { self.chooseOtherwise() }
        try self.restart()
    }

    func restart() throws {
        self.scheduler = AlarmScheduler(records: self.kept, settings: self.settings)
        self.wake = nil
        let isServiceNew = self.chance(3)
        self.service = nil
        self.missing = self.now
        self.log("starts")
        let all = self.world.lives.keys.sorted()
        try self.handle(.started(reminders: all, local: self.local))
        if isServiceNew || self.services == 0 {
            try self.startService()
        } else {
            self.service = "service \(self.services)"
            try self.handle(.service(self.service))
        }
    }

    /// Passes an event to the program, executes the effects and compares the state with the model.
    func handle(_ event: SchedulerEvent) throws {
        // The program is killed before this effect. The state of the model is copied only in this case.
        let kill = self.chance(150) && self.events > 3 && !self.isSettling ? self.number(0...4) : nil
        let before = kill == nil ? nil : self.expectation
        self.missing = self.missing.map { min($0, self.now) }
        self.events += 1
        self.expect(event)
        let effects = try self.scheduler.handle(event, at: Instant(secondsSince1970: self.now), in: self.world.source)
        self.log("  \(event) -> \(effects.count) effects")
        self.burst = Burst()
        self.isIdle = effects.allSatisfy { effect in
            switch effect {
            case .save, .wake: true
            default: false
            }
        }
        for (place, effect) in effects.enumerated() {
            if place == kill {
                self.log("killed before an effect")
                let rest = effects[place...]
                if let before, rest.contains(where: { if case .save = $0 { true } else { false } }) {
                    self.expectation = before
                }
                return try self.kill()
            }
            try self.perform(effect)
        }
        self.watch()
        try self.check()
    }

    /// Prints the state of one reminder in the program and in the model after each change.
    private func watch() {
        guard let watched else { return }
        let slot = self.kept.slots[watched].map { "\($0)" } ?? "no place"
        let open = self.expectation.open[watched].map { "\($0)" } ?? "nothing open"
        let delivered = (self.kept.delivered[watched] ?? []).map { "\($0.occurrence ?? "") \($0.fires)" }.sorted()
        let expected = (self.expectation.delivered[watched] ?? []).map { "\($0.occurrence ?? "") \($0.fires)" }.sorted()
        let words = "    \(slot)\n    \(open)\n    delivered \(delivered)\n    expected  \(expected)"
        if words != self.lastWatched { self.log(words) }
        self.lastWatched = words
    }

    private func expect(_ event: SchedulerEvent) {
        let now = self.now
        if case .started = event {
            self.expectation.showsMissed = self.settings.showsMissed
            return self.expectation.start(self.world, now: now, by: self.alarmBasis)
        }
        self.expectation.advance(to: now, self.world)
        switch event {
        case .zoneChanged(let local): self.expectation.changeZone(to: local, now, self.world)
        case .changed(let reminders, let since):
            self.expectation.changed(reminders, since: since?.secondsSince1970, now, self.world)
        case .settings(let settings):
            self.expectation.showsMissed = settings.showsMissed
            self.expectation.choose(settings.alarms, now, self.world)
            for reminder in Array(self.expectation.open.keys) {
                self.expectation.updateSlot(reminder, self.world)
            }
        case .service: self.expectation.takeBack(now)
        case .shown(let token, _): self.expectation.shown(token)
        case .deliveredByFallback(let token): self.expectation.deliveredByFallback(token)
        case .notShown(let token):
            for reminder in self.expectation.notShown(token) {
                self.expectation.takeBack(reminder, now)
                self.backingOff.insert(reminder)
            }
        case .closed(let number, let end): if end != .requested { self.leave(number) }
        case .invoked(let number, _): self.leave(number)
        case .started, .clock, .written, .notWritten, .opened: break
        }
    }

    private func leave(_ number: UInt32) {
        let notification = NotificationID(number: number, service: self.service ?? "")
        if self.kept.summary == notification {
            for (reminder, open) in self.expectation.open where open.isSummarized {
                self.expectation.leave(reminder)
            }
        }
        for (reminder, slot) in self.kept.slots where slot.notification == notification {
            self.expectation.leave(reminder)
        }
    }

    private func perform(_ effect: SchedulerEffect) throws {
        switch effect {
        case .save(let changes):
            for change in changes {
                self.kept.apply(change)
                if case .slot(let reminder, let slot) = change {
                    self.expectation.open[reminder]?.isSummarized = slot?.place == .summary
                }
            }
        case .show(let notification):
            guard self.service != nil else { throw Broken(description: "a request to a missing service") }
            try self.show(notification)
        case .deliverByFallback(let notification): try self.deliverByFallback(notification)
        case .close(let notification):
            guard notification.service == self.service else { break }
            self.notifications[notification.number] = nil
            self.answers.append(.closed(number: notification.number, .requested))
        case .write(let number, let action):
            if self.chance(10) {
                let isForGood = self.chance(3)
                if isForGood { self.refused.append(action) }
                self.answers.append(.notWritten(action: number, forGood: isForGood))
            } else {
                self.changed.append(try self.apply(action))
                self.answers.append(.written(action: number))
            }
        case .open(_, let seen):
            // Sometimes nothing opens. Then the alarm stays unacknowledged.
            if let seen, !self.chance(4) { self.answers.append(.opened(seen: seen)) }
        case .wake(let moment): self.wake = moment?.secondsSince1970
        case .gaveUp(let action):
            guard self.refused.contains(action) else { throw Broken(description: "it gave up too early: \(action)") }
        }
    }
}
