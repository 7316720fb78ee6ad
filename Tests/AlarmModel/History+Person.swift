import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import RemindavTestSupport

/// Changes of settings and of reminders by the user.
extension History {
    func choose() throws {
        self.chooseOtherwise()
        try self.handle(.settings(self.settings))
    }

    func chooseOtherwise() {
        // The defaults are more frequent, so that many alarms fire and are shown.
        if self.chance(2) { (self.settings.showsMissed, self.settings.alarms.notifiesWhenDue) = (true, true) }
        switch self.number(0...9) {
        case 0: self.world.listIsMuted.toggle()
        case 1: self.world.labelIsMuted.toggle()
        case 2: self.settings.hasFallback.toggle()
        case 3: self.settings.appearance.makesSound.toggle()
        case 4: self.settings.showsMissed.toggle()
        case 5: self.settings.alarms.notifiesWhenDue.toggle()
        case 6: self.settings.alarms.dayTime = ClockTime(secondsOfDay: self.number(0...95) * 900)
        case 7: self.settings.alarms.dayTime = ClockTime(secondsOfDay: self.number(1...10) * 3600)
        default:
            let from = ClockTime(secondsOfDay: self.number(0...95) * 900)
            let to = ClockTime(secondsOfDay: self.number(0...95) * 900)
            self.settings.quietHours = self.settings.quietHours == nil ? QuietHours(from: from, to: to) : nil
        }
        self.settings.mutedLists = self.world.listIsMuted ? [World.mutedList] : []
        self.settings.mutedLabels = self.world.labelIsMuted ? [LabelKey(World.mutedLabel)] : []
        self.log("chose \(self.settings)")
    }

    // MARK: Reminders

    func newLife(within span: Int64) -> Life {
        let forms: [Life.Form] = [.utc, .floating, .floating, .day, .day, .zoned(self.pick(PeerZone.names))]
        var life = Life(form: self.pick(forms), start: 0)
        let day = (self.now + Int64.random(in: -86_400...max(span, 86_400), using: &self.random)) / 86_400
        life.start = day * 86_400 + (life.form == .day ? 0 : Int64(self.pick([0, 9, 18, 95, 34, 36, 72]) * 900))
        life.step = self.pick([nil, nil, nil, 1, 1, 7, 30, 365])
        if let step = life.step { life.count = self.number(1...(step == 7 ? 20 : step == 30 ? 30 : 8)) }
        for _ in 0..<self.pick([0, 0, 0, 1, 1, 2]) {
            var alarm = Life.Alarm()
            switch self.number(0...2) {
            case 0: alarm.days = -self.number(0...2)
            case 1: alarm.seconds = -60 * self.number(1...600)
            // For all-day reminders some alarms have an hour that may be the configured time of such reminders.
            default: alarm.seconds = self.chance(2) ? 3600 * self.number(1...10) : 60 * self.number(1...600)
            }
            if self.chance(4) { (alarm.repeats, alarm.interval) = (self.number(1...3), self.pick([60, 300, 3600])) }
            life.alarms.append(alarm)
        }
        life.isInMutedList = self.chance(5)
        life.hasMutedLabel = self.chance(5)
        return life
    }

    private func anyReminder() -> ReminderID? {
        // The order of a dictionary differs in each run.
        let reminders = self.world.lives.keys.sorted()
        return reminders.isEmpty ? nil : self.pick(reminders)
    }

    func editOne() -> [ReminderID] {
        if self.world.lives.count < self.size || self.chance(12) {
            return [self.world.add(self.newLife(within: self.length(upTo: self.end - self.begin)))]
        }
        // Reminders that are or were on the screen are edited more often.
        let open = self.expectation.open.keys.sorted()
        guard let reminder = open.isEmpty || self.chance(2) ? self.anyReminder() : self.pick(open) else { return [] }
        let rings = self.world.rings(reminder, self.alarmBasis)
        switch self.number(0...7) {
        case 0: self.world.delete(reminder)
        case 1:
            let new = self.newLife(within: self.length(upTo: 31_556_952))
            self.world.change(reminder) { life in
                let version = life.version
                life = new
                life.version = version
            }
        case 2: self.world.change(reminder) { $0.title += 1 }
        case 3, 4:
            guard let open = rings.first?.occurrence else { break }
            self.world.change(reminder) { life in
                life.done.insert(open)
                if life.snooze?.occurrence == open { life.snooze = nil }
            }
        case 5:
            let now = self.now
            self.world.change(reminder) { $0.acknowledged = max(now, $0.acknowledged ?? .min) }
        case 6:
            // Thunderbird numbers an occurrence by its local time. The model supports this for two kinds of times.
            guard let life = self.world.lives[reminder], let open = rings.first?.occurrence,
                life.step == nil || life.form == .utc || life.form == .floating
            else { break }
            let until = self.now + self.length(upTo: 86_400)
            self.world.change(reminder) { $0.snooze = (open, until) }
        default:
            self.world.change(reminder) { life in
                if life.alarms.isEmpty {
                    life.alarms.append(Life.Alarm(seconds: -600))
                } else {
                    life.alarms.removeLast()
                }
            }
        }
        return [reminder]
    }

    func edit() throws {
        // The scan for changes follows a moment later.
        let since = self.now
        let reminders = self.editOne()
        self.log("edited \(reminders)")
        guard self.chance(2) else { return try self.handle(.changed(reminders)) }
        self.time += Int64(self.number(0...60))
        try self.handle(.changed(reminders, since: Instant(secondsSince1970: since)))
    }

    func editMany() throws {
        var reminders: [ReminderID] = []
        for _ in 0..<self.number(2...12) { reminders += self.editOne() }
        self.log("edited many: \(reminders)")
        try self.handle(.changed(reminders))
    }

    func apply(_ action: PendingAction) throws -> ReminderID {
        let reminder = action.reminder
        switch action.effect {
        case .acknowledge(let upTo):
            self.world.change(reminder) { $0.acknowledged = max(upTo.secondsSince1970, $0.acknowledged ?? .min) }
        case .snooze(let moment, let until):
            guard let occurrence = self.occurrence(reminder, action.occurrence) else { break }
            guard let life = self.world.lives[reminder], life.step == nil || life.form == .utc || life.form == .floating
            else {
                self.world.change(reminder) {
                    $0.acknowledged = max(moment.secondsSince1970, $0.acknowledged ?? .min)
                }
                break
            }
            self.world.change(reminder) { $0.snooze = (occurrence, until.secondsSince1970) }
        case .complete:
            guard let occurrence = self.occurrence(reminder, action.occurrence) else { break }
            self.world.change(reminder) { $0.done.insert(occurrence) }
        }
        return reminder
    }

    func occurrence(_ reminder: ReminderID, _ name: String?) -> Int? {
        guard let life = self.world.lives[reminder] else { return nil }
        return (0..<life.count).first { life.name($0, self.world.clocks) == name && !life.done.contains($0) }
    }
}
