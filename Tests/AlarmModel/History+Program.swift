import ICalendar
import Notifications
import TestSupport

/// The program: that it begins and is killed, what it is told, and what it says is to be done.
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
        try self.tell(.started(reminders: all, local: self.local))
        if isServiceNew || self.services == 0 {
            try self.startService()
        } else {
            self.service = "service \(self.services)"
            try self.tell(.service(self.service))
        }
    }

    /// Tells the program, does what it says, and holds it against what is expected.
    func tell(_ event: SchedulerEvent) throws {
        // Killed before so many of its effects; what was expected before is copied only then.
        let kill = self.chance(150) && self.events > 3 && !self.isSettling ? self.number(0...4) : nil
        let before = kill == nil ? nil : self.expectation
        self.missing = self.missing.map { min($0, self.now) }
        self.events += 1
        self.expect(event)
        let effects = try self.scheduler.handle(event, at: Instant(secondsSince1970: self.now), in: self.world.door)
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

    /// What is known of one reminder, here and there, when that is another than before.
    private func watch() {
        guard let watched else { return }
        let slot = self.kept.slots[watched].map { "\($0)" } ?? "no place"
        let open = self.expectation.open[watched].map { "\($0)" } ?? "nothing open"
        let told = (self.kept.delivered[watched] ?? []).map { "\($0.occurrence ?? "") \($0.fires)" }.sorted()
        let expected = (self.expectation.told[watched] ?? []).map { "\($0.occurrence ?? "") \($0.fires)" }.sorted()
        let words = "    \(slot)\n    \(open)\n    told \(told)\n    for  \(expected)"
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
            guard self.service != nil else { throw Broken(description: "it asks a service that is not there") }
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
            // Sometimes nothing opens, and then nothing is seen.
            if let seen, !self.chance(4) { self.answers.append(.opened(seen: seen)) }
        case .wake(let moment): self.wake = moment?.secondsSince1970
        case .gaveUp(let action):
            guard self.refused.contains(action) else { throw Broken(description: "it gave up too early: \(action)") }
        }
    }
}
