import ICalendar
import Recurrence
import Reminders

extension Ringer {
    /// Lets one reminder ring for what has become due and was not told.
    mutating func ring(_ reminder: String, _ known: RingingReminder, after heard: Instant, upTo now: Instant) {
        let told = self.records.told[reminder] ?? []
        let alarms = known.plan.latest(after: heard, upTo: now).filter { !told.contains(ToldAlarm($0)) }
        self.tell(reminder, known, alarms.map(ToldAlarm.init), since: heard.adding(seconds: 1), now)
    }

    /// - Parameters:
    ///   - alarms: in the order in which they fire.
    ///   - since: when the first of them can have fired; there may be more than these.
    private mutating func tell(
        _ reminder: String,
        _ known: RingingReminder,
        _ alarms: [ToldAlarm],
        since: Instant,
        _ now: Instant
    ) {
        guard let last = alarms.last, self.settings.rings(known) else { return }
        let kept = alarms.suffix(RingLimits.maximumTold)
        for alarm in kept { self.record(.told(reminder, alarm)) }
        self.forgetTooMany(reminder)
        guard self.settings.showsMissed || !last.isLate(now) else { return }
        var slot = self.records.slots[reminder] ?? Slot(alarm: last, place: .own)
        if slot.unshown == nil {
            slot.before = self.records.slots[reminder].flatMap { $0.place == .own ? $0.alarm : nil }
        }
        slot.alarm = last
        slot.unshown = min(slot.unshown ?? since, since)
        self.put(reminder, slot, self.quietUntil == nil ? .own : .held)
    }

    private mutating func forgetTooMany(_ reminder: String) {
        guard let told = self.records.told[reminder], told.count > RingLimits.maximumTold else { return }
        let oldest = told.sorted { $0.fires < $1.fires }.prefix(told.count - RingLimits.maximumTold)
        for alarm in oldest { self.record(.forgotten(reminder, alarm)) }
    }

    /// Looks at a reminder that has changed, that is new, or that is gone.
    mutating func look(at reminder: String, _ now: Instant, _ world: RingWorld) throws {
        guard let known = try world.reminder(reminder, self.local) else { return self.forget(reminder) }
        self.next.set(reminder, known.plan.next(after: now)?.fires)
        self.keepInStep(reminder, known)
    }

    /// Takes the bubble of a reminder away when it has no reason any more, or has its words looked at.
    private mutating func keepInStep(_ reminder: String, _ known: RingingReminder) {
        guard let slot = self.records.slots[reminder] else { return }
        if known.plan.alarm(slot.alarm) == nil || !self.settings.rings(known) {
            self.drop(reminder)
        } else if slot.place == .own {
            self.screen.waiting.insert(reminder)
        }
    }

    /// Of a reminder that is there no more nothing is kept, and nothing shown.
    mutating func forget(_ reminder: String) {
        self.drop(reminder)
        self.next.remove(reminder)
        for alarm in self.records.told[reminder] ?? [] { self.record(.forgotten(reminder, alarm)) }
    }

    /// What was told and not shown yet, and is to come again, rings when it comes.
    ///
    /// What had become due before, and was not shown either, is what is left to show.
    mutating func takeBackWhatIsToCome(_ now: Instant, _ world: RingWorld) throws {
        for reminder in self.records.slots.keys.sorted() { try self.takeBackWhatIsToCome(now, of: reminder, world) }
    }

    mutating func takeBackWhatIsToCome(_ now: Instant, of reminder: String, _ world: RingWorld) throws {
        guard var slot = self.records.slots[reminder], let unshown = slot.unshown, slot.alarm.fires > now else {
            return
        }
        // What was asked for may be on the screen already.
        let asked = self.screen.underWay(reminder, slot)
        if asked == slot.alarm { return }
        let told = (self.records.told[reminder] ?? []).filter { alarm in
            alarm.fires >= unshown && asked.map { alarm.fires > $0.fires } ?? true
        }
        for alarm in told where alarm.fires > now { self.record(.forgotten(reminder, alarm)) }
        var last = told.filter { $0.fires <= now }.max { $0.fires < $1.fires }
        if last == nil, unshown <= now, asked == nil {
            // So long ago that nobody remembers.
            let past =
                try world.reminder(reminder, self.local)?.plan
                .latest(after: unshown.adding(seconds: -1), upTo: now) ?? []
            for alarm in past.suffix(RingLimits.maximumTold) { self.record(.told(reminder, ToldAlarm(alarm))) }
            last = past.last.map(ToldAlarm.init)
        }
        if let last = last ?? asked {
            slot.alarm = last
        } else if let before = slot.before {
            slot.alarm = before
            (slot.unshown, slot.before) = (nil, nil)
        } else {
            return self.drop(reminder)
        }
        self.record(.slot(reminder, slot))
    }

    // MARK: Another clock on the wall

    /// Goes on by another clock on the wall: what was told stays told, and what it has left out is told now.
    mutating func changeZone(to local: String, _ now: Instant, _ world: RingWorld) throws {
        guard local != self.local else { return }
        let reach = RingLimits.longestJourneySeconds
        let before = self.local
        let start = now.adding(seconds: -RingLimits.memorySeconds)
        self.record(.clock(RingClock(heard: now, local: local)))
        for reminder in self.next.reminders.sorted() {
            guard let old = try world.reminder(reminder, before), let new = try world.reminder(reminder, local) else {
                self.forget(reminder)
                continue
            }
            let seen = old.plan.alarms(after: start.adding(seconds: -1), upTo: now.adding(seconds: reach))
            let moves = Moves(from: seen, to: new.plan)
            func move(_ alarm: ToldAlarm) -> ToldAlarm {
                let isNear = seen.contains { ToldAlarm($0) == alarm }
                return (isNear ? moves : Moves(of: alarm, old, new)).place(of: alarm)
            }
            // What was told longer ago counts no more.
            self.moveTold(reminder) { $0.fires >= start ? move($0) : $0 }
            if var slot = self.records.slots[reminder] {
                let place = move(slot.alarm)
                slot.before = slot.before.map(move)
                if let unshown = slot.unshown {
                    let shift = place.fires.secondsSince1970 - slot.alarm.fires.secondsSince1970
                    slot.unshown = unshown.adding(seconds: Int(shift))
                }
                slot.alarm = place
                self.record(.slot(reminder, slot))
                if let asked = self.screen.displays[reminder]?.asked {
                    self.screen.displays[reminder]?.asked = move(asked)
                }
            }
            let told = self.records.told[reminder] ?? []
            let skipped = seen.filter { $0.fires > now }.map { moves.place(of: ToldAlarm($0)) }
                .filter { $0.fires <= now && !told.contains($0) && new.plan.alarm($0) != nil }
            let lost = skipped.sorted { $0.fires < $1.fires }
            self.tell(reminder, new, lost, since: lost.first?.fires ?? now, now)
            self.next.set(reminder, new.plan.next(after: now)?.fires)
            self.keepInStep(reminder, new)
        }
        try self.takeBackWhatIsToCome(now, world)
    }

    private mutating func moveTold(_ reminder: String, _ move: (ToldAlarm) -> ToldAlarm) {
        let old = self.records.told[reminder] ?? []
        let new = Set(old.map(move))
        for alarm in old.subtracting(new) { self.record(.forgotten(reminder, alarm)) }
        for alarm in new.subtracting(old) { self.record(.told(reminder, alarm)) }
    }
}

/// Where alarms are on another clock.
private struct Moves {
    private struct Key: Hashable {
        let occurrence: String?
        let cause: ReminderAlarm.Cause
        let ring: Int
    }

    private var places: [ToldAlarm: ToldAlarm] = [:]

    init(from old: [ReminderAlarm], to plan: AlarmPlan) {
        guard let first = old.first, let last = old.last else { return }
        let reach = RingLimits.longestJourneySeconds
        let new = plan.alarms(after: first.fires.adding(seconds: -reach), upTo: last.fires.adding(seconds: reach))
        let byKey = Dictionary(new.map { (Self.key($0), ToldAlarm($0)) }, uniquingKeysWith: { first, _ in first })
        for alarm in old { self.places[ToldAlarm(alarm)] = byKey[Self.key(alarm)] }
    }

    /// For one alarm of long ago.
    init(of alarm: ToldAlarm, _ old: RingingReminder, _ new: RingingReminder) {
        self.init(from: old.plan.alarm(alarm).map { [$0] } ?? [], to: new.plan)
    }

    /// Where it was, when nobody knows better.
    func place(of alarm: ToldAlarm) -> ToldAlarm { self.places[alarm] ?? alarm }

    private static func key(_ alarm: ReminderAlarm) -> Key {
        Key(occurrence: alarm.id.occurrence, cause: alarm.cause, ring: alarm.ring)
    }
}

extension ToldAlarm {
    /// Whether nobody would say any more that it rings on time.
    func isLate(_ now: Instant) -> Bool { self.fires < now.adding(seconds: -RingLimits.graceSeconds) }

    init(_ alarm: ReminderAlarm) { self.init(occurrence: alarm.id.occurrence, fires: alarm.fires) }
}

extension AlarmPlan {
    /// The alarm with its words; `nil` when its occurrence does not ring at that time any more.
    func alarm(_ told: ToldAlarm) -> ReminderAlarm? {
        self.alarms(after: told.fires.adding(seconds: -1), upTo: told.fires)
            .first { $0.id.occurrence == told.occurrence }
    }

    /// The last alarms that ring after `from` and not after `to`, in order: those that are remembered, and at least the
    /// last of all.
    ///
    /// After a year without a look, a reminder of each minute is not read half a million times.
    func latest(after from: Instant, upTo to: Instant) -> [ReminderAlarm] {
        var width = 3600
        while true {
            let begin = to.adding(seconds: -width)
            let alarms = self.alarms(after: max(begin, from), upTo: to)
            let isEnough = width >= RingLimits.memorySeconds && !alarms.isEmpty
            if begin <= from || isEnough || alarms.count >= RingLimits.maximumTold { return alarms }
            width = width < RingLimits.memorySeconds ? RingLimits.memorySeconds : min(width, .max / 32) * 16
        }
    }
}
