import ICalendar
import Recurrence
import Reminders

extension AlarmScheduler {
    mutating func fire(_ reminder: ReminderID, _ known: FiringReminder, after from: Instant, upTo now: Instant) {
        guard from < now else { return }
        let delivered = self.records.delivered[reminder] ?? []
        let (alarms, isAll) = known.plan.latest(after: from, upTo: now)
        let new = alarms.map(DeliveredAlarm.init).filter { !delivered.contains($0) }
        self.deliver(reminder, known, new, unlisted: isAll ? nil : from.adding(seconds: 1), now)
    }

    /// `alarms` are in the order of their times; ``Slot/unlisted`` explains `unlisted`.
    private mutating func deliver(
        _ reminder: ReminderID,
        _ known: FiringReminder,
        _ alarms: [DeliveredAlarm],
        unlisted: Instant?,
        _ now: Instant
    ) {
        guard let last = alarms.last, self.settings.fires(known) else { return }
        let past = now.adding(seconds: -SchedulerLimits.memorySeconds)
        for alarm in alarms.suffix(SchedulerLimits.maximumDelivered) where alarm.fires >= past {
            self.record(.delivered(reminder, alarm))
        }
        self.forgetOldest(reminder)
        guard self.settings.showsMissed || !last.isLate(now) else { return }
        var slot = self.records.slots[reminder] ?? Slot(place: .own)
        // It leaves the summary and gets its own notification for all alarms that were not shown.
        if slot.place == .summary { slot.shown = nil }
        self.screen.members[reminder] = nil
        slot.add(alarms, unlisted: unlisted)
        self.put(reminder, slot, self.quietUntil == nil ? .own : .held)
    }

    private mutating func forgetOldest(_ reminder: ReminderID) {
        guard let delivered = self.records.delivered[reminder], delivered.count > SchedulerLimits.maximumDelivered
        else { return }
        let oldest = delivered.sorted { $0.fires < $1.fires }.prefix(delivered.count - SchedulerLimits.maximumDelivered)
        for alarm in oldest { self.record(.forgotten(reminder, alarm)) }
    }

    /// Handles a reminder that is changed, new, or deleted; alarms that became due after `since` fire.
    mutating func check(_ reminder: ReminderID, since: Instant?, _ now: Instant, _ world: ReminderSource) throws {
        guard let known = try world.reminder(reminder, self.alarmBasis) else { return self.forget(reminder) }
        self.updateSlot(reminder, known)
        if let since {
            // Delivered alarms before this time are no longer remembered.
            let delivered = self.records.delivered[reminder] ?? []
            let oldest = delivered.count < SchedulerLimits.maximumDelivered ? nil : delivered.map(\.fires).min()
            let limit = max(now.adding(seconds: -SchedulerLimits.memorySeconds), oldest ?? since)
            self.fire(reminder, known, after: max(since, limit), upTo: now)
        }
        self.pend(reminder, known, after: now)
    }

    /// Removes alarms of a reminder that no longer need to be shown, and checks its text for changes.
    mutating func updateSlot(_ reminder: ReminderID, _ known: FiringReminder) {
        guard let old = self.records.slots[reminder] else { return }
        guard self.settings.fires(known) else { return self.drop(reminder) }
        var slot = old
        slot.unshown.removeAll { known.plan.alarm($0) == nil }
        if let shown = slot.shown, known.plan.alarm(shown) == nil { slot.leave() }
        guard slot.alarm != nil else { return self.drop(reminder) }
        if slot != old { self.record(.slot(reminder, slot)) }
        if let notification = old.notification, slot.notification == nil { self.release(notification, of: reminder) }
        self.screen.keepAsked(reminder, slot.unshown)
        if slot.place == .own { self.screen.waiting.insert(reminder) }
    }

    mutating func forget(_ reminder: ReminderID) {
        self.drop(reminder)
        self.next.remove(reminder)
        self.unacknowledged.remove(reminder)
        for alarm in self.records.delivered[reminder] ?? [] { self.record(.forgotten(reminder, alarm)) }
    }

    // MARK: Undelivered alarms

    /// Removes alarms from the unshown list that are in the future again; they fire at their time.
    ///
    /// Alarms that were due before and were not shown either remain to be shown.
    mutating func withdrawFutureAlarms(_ now: Instant, _ world: ReminderSource) throws {
        for reminder in self.records.slots.keys.sorted() { try self.withdrawFutureAlarms(now, of: reminder, world) }
    }

    mutating func withdrawFutureAlarms(_ now: Instant, of reminder: ReminderID, _ world: ReminderSource) throws {
        guard let old = self.records.slots[reminder] else { return }
        var slot = old
        // A requested notification may already be on the screen.
        let asked = self.screen.asked(reminder)
        slot.unshown.removeAll { $0.fires > now && !asked.contains($0) }
        guard slot != old else { return }
        for alarm in old.unshown where !slot.unshown.contains(alarm) { self.record(.forgotten(reminder, alarm)) }
        if let from = slot.unlisted {
            if from > now {
                slot.unlisted = nil
            } else if asked.isEmpty, let known = try world.reminder(reminder, self.alarmBasis) {
                self.list(&slot, of: reminder, known, since: from, upTo: now)
            }
        }
        guard slot.alarm != nil else { return self.drop(reminder) }
        self.record(.slot(reminder, slot))
    }

    /// Lists unshown alarms that are older than the remembered ones.
    private mutating func list(
        _ slot: inout Slot,
        of reminder: ReminderID,
        _ known: FiringReminder,
        since: Instant,
        upTo moment: Instant
    ) {
        let delivered = self.records.delivered[reminder] ?? []
        let found = known.plan.latest(after: since.adding(seconds: -1), upTo: moment).alarms.map(DeliveredAlarm.init)
            .filter { !delivered.contains($0) && !slot.unshown.contains($0) && $0 != slot.shown }
        slot.add(found, unlisted: nil)
        self.rememberDelivered(reminder, found)
    }

    /// Keeps unshown alarms remembered, at any age.
    mutating func rememberUnshown(_ reminder: ReminderID) {
        self.rememberDelivered(reminder, self.records.slots[reminder]?.unshown ?? [])
    }

    private mutating func rememberDelivered(_ reminder: ReminderID, _ alarms: [DeliveredAlarm]) {
        let delivered = self.records.delivered[reminder] ?? []
        for alarm in alarms where !delivered.contains(alarm) { self.record(.delivered(reminder, alarm)) }
        self.forgetOldest(reminder)
    }

    // MARK: Alarms at other times

    /// Applies another time zone or other alarm settings: delivered alarms stay delivered, and alarms that the change
    /// skips are delivered now.
    mutating func change<Part: Equatable>(
        _ part: WritableKeyPath<AlarmBasis, Part>,
        to value: Part,
        _ now: Instant,
        _ world: ReminderSource
    ) throws {
        let before = self.alarmBasis
        guard value != before[keyPath: part] else { return }
        var after = before
        after[keyPath: part] = value
        let reach = SchedulerLimits.longestMoveSeconds
        let start = now.adding(seconds: -SchedulerLimits.memorySeconds)
        self.record(.clock(SchedulerClock(processed: now, by: after)))
        // Alarms of all-day reminders also depend on the local time zone.
        let isOfAll = before.alarms.notifiesWhenDue != after.alarms.notifiesWhenDue
        for reminder in isOfAll ? self.next.reminders.sorted() : self.next.followersOfWall {
            guard let old = try world.reminder(reminder, before), let new = try world.reminder(reminder, after) else {
                self.forget(reminder)
                continue
            }
            let seen = old.plan.alarms(after: start.adding(seconds: -1), upTo: now.adding(seconds: reach))
            let moves = Moves(from: seen, to: new.plan)
            func move(_ alarm: DeliveredAlarm) -> DeliveredAlarm {
                let isNear = seen.contains { DeliveredAlarm($0) == alarm }
                return (isNear ? moves : Moves(of: alarm, old, new)).place(of: alarm)
            }
            // Older delivered alarms no longer count.
            self.moveDelivered(reminder) { $0.fires >= start ? move($0) : $0 }
            if var slot = self.records.slots[reminder] {
                slot.shown = slot.shown.map(move)
                // Two alarms may now be at the same moment.
                var seen: Set<DeliveredAlarm> = []
                slot.unshown = slot.unshown.map(move).filter { seen.insert($0).inserted }
                    .sorted { $0.fires < $1.fires }
                let (here, there) = (world.zones(before.local), world.zones(after.local))
                slot.unlisted = slot.unlisted.map { Self.sameTime(as: $0, here, there) }
                self.record(.slot(reminder, slot))
                self.screen.moveAsked(reminder, move)
            }
            let delivered = self.records.delivered[reminder] ?? []
            let skipped = seen.filter { $0.fires > now }.map { moves.place(of: DeliveredAlarm($0)) }
                .filter { $0.fires <= now && !delivered.contains($0) && new.plan.alarm($0) != nil }
            self.deliver(reminder, new, skipped.sorted { $0.fires < $1.fires }, unlisted: nil, now)
            self.pend(reminder, new, after: now)
            self.updateSlot(reminder, new)
        }
        try self.withdrawFutureAlarms(now, world)
    }

    /// The moment at which another clock shows the same local time.
    private static func sameTime(
        as moment: Instant,
        _ here: TimeZoneResolver,
        _ there: TimeZoneResolver
    ) -> Instant {
        here.dateTime(of: moment, in: .floating).flatMap { there.instant(of: $0) } ?? moment
    }

    private mutating func moveDelivered(_ reminder: ReminderID, _ move: (DeliveredAlarm) -> DeliveredAlarm) {
        let old = self.records.delivered[reminder] ?? []
        let new = Set(old.map(move))
        for alarm in old.subtracting(new) { self.record(.forgotten(reminder, alarm)) }
        for alarm in new.subtracting(old) { self.record(.delivered(reminder, alarm)) }
    }
}

/// The new times of alarms after a change of settings.
private struct Moves {
    private struct Key: Hashable {
        let occurrence: String?
        let cause: ReminderAlarm.Cause
        let index: Int
    }

    private var places: [DeliveredAlarm: DeliveredAlarm] = [:]

    init(from old: [ReminderAlarm], to plan: AlarmPlan) {
        guard let first = old.first, let last = old.last else { return }
        let reach = SchedulerLimits.longestMoveSeconds
        let new = plan.alarms(after: first.fires.adding(seconds: -reach), upTo: last.fires.adding(seconds: reach))
        let byKey = Dictionary(new.map { (Self.key($0), DeliveredAlarm($0)) }, uniquingKeysWith: { first, _ in first })
        for alarm in old { self.places[DeliveredAlarm(alarm)] = byKey[Self.key(alarm)] }
    }

    init(of alarm: DeliveredAlarm, _ old: FiringReminder, _ new: FiringReminder) {
        self.init(from: old.plan.alarm(alarm).map { [$0] } ?? [], to: new.plan)
    }

    /// The new place of an alarm, or its old place if the new one is unknown.
    func place(of alarm: DeliveredAlarm) -> DeliveredAlarm { self.places[alarm] ?? alarm }

    private static func key(_ alarm: ReminderAlarm) -> Key {
        Key(occurrence: alarm.id.occurrence, cause: alarm.cause, index: alarm.index)
    }
}

extension DeliveredAlarm {
    /// Whether it is later than the grace period.
    func isLate(_ now: Instant) -> Bool { self.fires < now.adding(seconds: -SchedulerLimits.graceSeconds) }
    init(_ alarm: ReminderAlarm) { self.init(occurrence: alarm.id.occurrence, fires: alarm.fires) }
}

extension AlarmPlan {
    /// The alarm with its text; `nil` when its occurrence no longer fires at that time.
    func alarm(_ delivered: DeliveredAlarm) -> ReminderAlarm? {
        self.alarms(after: delivered.fires.adding(seconds: -1), upTo: delivered.fires)
            .first { $0.id.occurrence == delivered.occurrence }
    }

    /// The last alarms after `from` and not after `to`, in order: at least as many as are remembered, if there are that
    /// many; and whether these are all.
    ///
    /// After a year without a scan, a reminder of each minute is not read half a million times.
    func latest(after from: Instant, upTo to: Instant) -> (alarms: [ReminderAlarm], isAll: Bool) {
        var width = 3600
        while true {
            let begin = to.adding(seconds: -width)
            let alarms = self.alarms(after: max(begin, from), upTo: to)
            if begin <= from { return (alarms, true) }
            if alarms.count >= SchedulerLimits.maximumDelivered { return (alarms, false) }
            width = min(width, .max / 32) * 16
        }
    }
}
