import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

extension AlarmScheduler {
    mutating func fire(_ reminder: ReminderID, _ known: FiringReminder, after from: Instant, upTo now: Instant) {
        guard from < now else { return }
        let delivered = self.records.delivered[reminder] ?? []
        let (alarms, isAll) = known.plan.latest(after: from, upTo: now)
        let new = alarms.map(DeliveredAlarm.init).filter { !delivered.contains($0) }
        self.deliver(reminder, known, new, unlisted: isAll ? nil : from.adding(seconds: 1), now)
    }

    /// Delivers alarms, which are sorted by time; the parameter `unlisted` is explained at ``Slot/unlisted``.
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
        // The reminder leaves the summary notification and gets its own notification for all its unshown alarms.
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

    /// Handles a new, changed or deleted reminder; alarms that became due after `since` fire.
    mutating func check(_ reminder: ReminderID, since: Instant?, _ now: Instant, _ world: ReminderSource) throws {
        guard let known = try world.reminder(reminder, self.alarmBasis) else { return self.forget(reminder) }
        self.updateSlot(reminder, known)
        if let since {
            // An alarm before `limit` may have been delivered and then forgotten, so only later alarms may fire.
            let delivered = self.records.delivered[reminder] ?? []
            let oldest = delivered.count < SchedulerLimits.maximumDelivered ? nil : delivered.map(\.fires).min()
            let limit = max(now.adding(seconds: -SchedulerLimits.memorySeconds), oldest ?? since)
            self.fire(reminder, known, after: max(since, limit), upTo: now)
        }
        self.pend(reminder, known, after: now)
    }

    /// Removes from the ``Slot`` the alarms that the reminder no longer has, and requests a check of the shown text.
    mutating func updateSlot(_ reminder: ReminderID, _ known: FiringReminder) {
        guard let old = self.records.slots[reminder] else { return }
        guard self.settings.fires(known) else { return self.drop(reminder) }
        var slot = old
        slot.unshown.removeAll { known.plan.alarm($0) == nil }
        if let shown = slot.shown, known.plan.alarm(shown) == nil { slot.leave() }
        guard slot.alarm != nil else { return self.drop(reminder) }
        if slot != old { self.record(.slot(reminder, slot)) }
        if let notification = old.notification, slot.notification == nil { self.release(notification, of: reminder) }
        self.screen.keepRequested(reminder, slot.unshown)
        if slot.place == .own { self.screen.waiting.insert(reminder) }
    }

    mutating func forget(_ reminder: ReminderID) {
        self.drop(reminder)
        self.next.remove(reminder)
        self.unacknowledged.remove(reminder)
        for alarm in self.records.delivered[reminder] ?? [] { self.record(.forgotten(reminder, alarm)) }
    }

    // MARK: Undelivered alarms

    /// Removes unshown alarms that are in the future again, after the clock was put back; they fire at their time.
    mutating func withdrawFutureAlarms(_ now: Instant, _ world: ReminderSource) throws {
        for reminder in self.records.slots.keys.sorted() { try self.withdrawFutureAlarms(now, of: reminder, world) }
    }

    mutating func withdrawFutureAlarms(_ now: Instant, of reminder: ReminderID, _ world: ReminderSource) throws {
        guard let old = self.records.slots[reminder] else { return }
        var slot = old
        // Alarms of a requested notification are not removed, because the notification may already be on the screen.
        let requested = self.screen.requested(reminder)
        slot.unshown.removeAll { $0.fires > now && !requested.contains($0) }
        guard slot != old else { return }
        for alarm in old.unshown where !slot.unshown.contains(alarm) { self.record(.forgotten(reminder, alarm)) }
        if let from = slot.unlisted {
            if from > now {
                slot.unlisted = nil
            } else if requested.isEmpty, let known = try world.reminder(reminder, self.alarmBasis) {
                self.list(&slot, of: reminder, known, since: from, upTo: now)
            }
        }
        guard slot.alarm != nil else { return self.drop(reminder) }
        self.record(.slot(reminder, slot))
    }

    /// Adds the alarms of a period to the ``Slot``'s unshown alarms, except delivered alarms and those in the ``Slot``.
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

    /// Records the unshown alarms as delivered, regardless of their age, so that none of them fires again.
    mutating func rememberUnshown(_ reminder: ReminderID) {
        self.rememberDelivered(reminder, self.records.slots[reminder]?.unshown ?? [])
    }

    private mutating func rememberDelivered(_ reminder: ReminderID, _ alarms: [DeliveredAlarm]) {
        let delivered = self.records.delivered[reminder] ?? []
        for alarm in alarms where !delivered.contains(alarm) { self.record(.delivered(reminder, alarm)) }
        self.forgetOldest(reminder)
    }

    // MARK: Alarms at other times

    /// Applies another time zone or other alarm settings.
    ///
    /// Delivered alarms do not fire again at their new times, and alarms that move into the past fire now.
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
        // `notifiesWhenDue` affects all reminders. Other changes affect only alarms in local time.
        let isOfAll = before.alarms.notifiesWhenDue != after.alarms.notifiesWhenDue
        for reminder in isOfAll ? self.next.reminders.sorted() : self.next.dependentOnLocalZone {
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
            // Delivered alarms before `start` are not moved, because they will be forgotten.
            self.moveDelivered(reminder) { $0.fires >= start ? move($0) : $0 }
            if var slot = self.records.slots[reminder] {
                slot.shown = slot.shown.map(move)
                // After the move, two alarms may have the same time. One of them is dropped.
                var seen: Set<DeliveredAlarm> = []
                slot.unshown = slot.unshown.map(move).filter { seen.insert($0).inserted }
                    .sorted { $0.fires < $1.fires }
                let (here, there) = (world.zones(before.local), world.zones(after.local))
                slot.unlisted = slot.unlisted.map { Self.sameTime(as: $0, here, there) }
                self.record(.slot(reminder, slot))
                self.screen.moveRequested(reminder, move)
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

    /// Returns the moment at which zone `there` shows the local time that zone `here` shows at `moment`.
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

/// The new times of alarms after a change of the time zone or the alarm settings.
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

    func place(of alarm: DeliveredAlarm) -> DeliveredAlarm { self.places[alarm] ?? alarm }

    private static func key(_ alarm: ReminderAlarm) -> Key {
        Key(occurrence: alarm.id.occurrence, cause: alarm.cause, index: alarm.index)
    }
}

extension DeliveredAlarm {
    func isLate(_ now: Instant) -> Bool { self.fires < now.adding(seconds: -SchedulerLimits.graceSeconds) }
    init(_ alarm: ReminderAlarm) { self.init(occurrence: alarm.id.occurrence, fires: alarm.fires) }
}

extension AlarmPlan {
    /// Returns the planned alarm for a delivered alarm; `nil` when the occurrence has no alarm at that time any more.
    func alarm(_ delivered: DeliveredAlarm) -> ReminderAlarm? {
        self.alarms(after: delivered.fires.adding(seconds: -1), upTo: delivered.fires)
            .first { $0.id.occurrence == delivered.occurrence }
    }

    /// Returns the last alarms after `from` up to and including `to`, sorted by time, and whether none was left out.
    ///
    /// The result has at least `maximumDelivered` alarms if that many exist. The search goes back in growing steps,
    /// because a reminder that repeats each minute has half a million alarms in a year.
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
