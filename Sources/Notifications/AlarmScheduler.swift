package import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

/// Decides which alarms fire and manages their notifications, as a value that maps events to effects.
///
/// The scheduler uses no clock, no bus and no file. The caller carries out the effects in order and reports their
/// results as events. After a restart, the caller passes in the stored records. The following holds for every
/// interruption and every clock change:
///
/// - Each alarm of an open reminder is delivered once and never before its time: as a notification, in a summary, or by
///   a later alarm of its reminder. A notification that was on the screen when the program or the service ended is
///   shown again.
/// - If the clock is put back by less than `SchedulerLimits.memorySeconds`, no alarm fires twice. If it is put back
///   further, the clock was wrong before, so alarms that were delivered too early fire again.
/// - An alarm that is past when its reminder is added or edited fires only if it became due after the previous scan of
///   the store.
/// - An alarm does not fire if its reminder is completed, deleted, rescheduled or acknowledged. Its notification
///   closes.
package struct AlarmScheduler: Sendable {
    /// The delivery state that the disk contains when all returned effects are carried out.
    package private(set) var records: DeliveryState
    package internal(set) var settings: SchedulerSettings
    var next = NextAlarms()
    /// The reminders with an unacknowledged past alarm, even if it was never shown; muted reminders are not included.
    var unacknowledged: Set<ReminderID> = []
    var screen = Screen()
    var service: String?
    var missing: Instant?
    /// The end of the current quiet hours; `nil` outside quiet hours.
    var quietUntil: Instant?
    /// Actions that could not be written to their reminders: the number of attempts, and the time of the next attempt.
    var unwritten: [Int: (tries: Int, again: Instant)] = [:]
    private var isStarted = false
    private var lastOperation: Int
    private var pruned: Instant?
    private var woken: Instant??
    private var changes: [DeliveryState.Change] = []
    private var effects: [SchedulerEffect] = []

    package init(records: DeliveryState, settings: SchedulerSettings) {
        self.records = records
        self.settings = settings
        self.lastOperation = records.actions.keys.max() ?? 0
    }

    package var pendingCount: Int { self.records.slots.count }
    package var unacknowledgedCount: Int { self.unacknowledged.count }

    package var nextAlarm: Instant? {
        var next = self.next
        return next.first()
    }

    /// Handles an event and returns the effects; before the `started` event, other events have no effect.
    ///
    /// - Parameter now: the time of the clock, which may have been set forward or back since the last event.
    /// - Throws: the error of `world`. The scheduler is then unchanged, and the event can be sent again.
    package mutating func handle(_ event: SchedulerEvent, at now: Instant, in world: ReminderSource) throws
        -> [SchedulerEffect]
    {
        let before = self
        do {
            if case .started(let reminders, let local, let changed, let since) = event {
                let later = since.map { since in Dictionary(changed.map { ($0, since) }) { first, _ in first } } ?? [:]
                try self.start(reminders, local, later, since: since, now, world)
            }
            guard self.isStarted else { return [] }
            self.updateQuietHours(now, world)
            try self.advance(to: now, world)
            try self.apply(event, now, world)
            self.updateQuietHours(now, world)
            try self.present(now, world)
            self.planWake(now)
        } catch {
            self = before
            throw error
        }
        defer { (self.changes, self.effects) = ([], []) }
        return (self.changes.isEmpty ? [] : [.save(self.changes)]) + self.effects
    }

    private mutating func apply(_ event: SchedulerEvent, _ now: Instant, _ world: ReminderSource) throws {
        switch event {
        case .started(_, let local, _, _):
            try self.change(\.local, to: local, now, world)
            try self.change(\.alarms, to: self.settings.alarms, now, world)
            for reminder in self.records.slots.keys.sorted() { try self.check(reminder, since: nil, now, world) }
        case .clock: self.woken = nil
        case .zoneChanged(let local): try self.change(\.local, to: local, now, world)
        case .changed(let reminders, let since):
            for reminder in reminders { try self.check(reminder, since: since, now, world) }
        case .settings(let settings):
            let isOfAll =
                settings.mutedLists != self.settings.mutedLists || settings.mutedLabels != self.settings.mutedLabels
            self.settings = settings
            try self.change(\.alarms, to: settings.alarms, now, world)
            // A change of mute rules requires a check of all reminders, because `unacknowledged` omits muted reminders.
            var reminders = Set(self.records.slots.keys)
            if isOfAll { reminders.formUnion(self.next.reminders) }
            for reminder in reminders.sorted() { try self.check(reminder, since: nil, now, world) }
        case .service(let service): try self.serve(service, now, world)
        case .shown(let token, let number): self.shown(token, number, now)
        case .notShown(let token): try self.notShown(token, now, world)
        case .deliveredByFallback(let token): self.deliveredByFallback(token)
        case .closed(let number, let end): self.closed(number, end, now)
        case .invoked(let number, let action): self.invoked(number, action, now)
        case .opened(let action): self.add(action)
        case .written(let action):
            self.unwritten[action] = nil
            if self.records.actions[action] != nil { self.record(.action(action, nil)) }
        case .notWritten(let action, let forGood): self.notWritten(action, forGood, now)
        }
    }

    // MARK: Records and effects

    var alarmBasis: AlarmBasis {
        self.records.clock?.alarmBasis ?? AlarmBasis(local: "UTC", alarms: self.settings.alarms)
    }

    var local: String { self.alarmBasis.local }
    var processed: Instant? { self.records.clock?.processed }

    mutating func record(_ change: DeliveryState.Change) {
        self.records.apply(change)
        self.changes.append(change)
    }

    mutating func request(_ effect: SchedulerEffect) { self.effects.append(effect) }

    /// Stores an action of the user and requests that it is written to its reminder.
    mutating func add(_ action: PendingAction) {
        self.lastOperation += 1
        self.record(.action(self.lastOperation, action))
        self.request(.write(number: self.lastOperation, action))
    }

    private mutating func notWritten(_ number: Int, _ forGood: Bool, _ now: Instant) {
        guard let action = self.records.actions[number] else { return }
        let tries = (self.unwritten[number]?.tries ?? 0) + 1
        guard !forGood, tries < SchedulerLimits.maximumTries else {
            self.unwritten[number] = nil
            self.record(.action(number, nil))
            self.request(.gaveUp(action))
            return
        }
        self.unwritten[number] = (tries, now.adding(seconds: Self.pause(after: tries)))
    }

    mutating func writeAgain(_ now: Instant) {
        for (number, state) in self.unwritten.sorted(by: { $0.key < $1.key }) where state.again <= now {
            guard let action = self.records.actions[number] else { continue }
            // No retry takes place before the answer to this request.
            self.unwritten[number] = (state.tries, Instant(secondsSince1970: .max))
            self.request(.write(number: number, action))
        }
    }

    /// Returns the seconds before the next attempt: 1, 2, 4 and so on, up to the limit.
    static func pause(after tries: Int) -> Int { min(1 << min(tries - 1, 16), SchedulerLimits.longestPauseSeconds) }

    // MARK: Start

    private mutating func start(
        _ reminders: [ReminderID],
        _ local: String,
        _ later: [ReminderID: Instant],
        since: Instant?,
        _ now: Instant,
        _ world: ReminderSource
    ) throws {
        let first = AlarmBasis(local: local, alarms: self.settings.alarms)
        let clock = self.records.clock ?? SchedulerClock(processed: since ?? now, by: first)
        self.isStarted = true
        self.next = NextAlarms()
        self.unacknowledged = []
        self.screen = Screen()
        self.missing = now
        if self.records.clock == nil { self.record(.clock(clock)) }
        for reminder in reminders {
            guard let known = try world.reminder(reminder, clock.alarmBasis) else { continue }
            self.pend(reminder, known, after: max(clock.processed, later[reminder] ?? clock.processed))
        }
        for (reminder, slot) in self.records.slots.sorted(by: { $0.key < $1.key }) {
            self.screen.place(reminder, slot.place)
        }
        for reminder in self.known where !self.next.knows(reminder) { self.forget(reminder) }
        self.screen.summary.isStale = !self.screen.summarized.isEmpty
        for (number, action) in self.records.actions.sorted(by: { $0.key < $1.key }) {
            self.request(.write(number: number, action))
        }
    }

    private var known: [ReminderID] { Set(self.records.slots.keys).union(self.records.delivered.keys).sorted() }

    // MARK: Time

    private mutating func updateQuietHours(_ now: Instant, _ world: ReminderSource) {
        self.quietUntil = self.settings.quietHours?.end(at: now, zones: world.zones(self.local))
    }

    /// Fires all alarms that have become due.
    private mutating func advance(to now: Instant, _ world: ReminderSource) throws {
        guard let processed = self.processed else { return }
        if now < processed { return try self.stepBack(to: now, from: processed, world) }
        while let (reminder, looked) = self.next.removeFirst(upTo: now) {
            guard let known = try self.lookUp(reminder, world) else { continue }
            self.fire(reminder, known, after: max(processed, looked), upTo: now)
            self.pend(reminder, known, after: now)
        }
        if now > processed { self.record(.clock(SchedulerClock(processed: now, by: self.alarmBasis))) }
        // Pruning once an hour is enough, because delivered alarms that are too old have no effect.
        if self.pruned.map({ now > $0.adding(seconds: 3600) }) ?? true {
            self.prune(before: now.adding(seconds: -SchedulerLimits.memorySeconds))
            self.pruned = now
        }
    }

    private mutating func stepBack(to now: Instant, from processed: Instant, _ world: ReminderSource) throws {
        let future = now.adding(seconds: SchedulerLimits.memorySeconds)
        self.prune(before: processed.adding(seconds: -SchedulerLimits.memorySeconds), after: future)
        self.pruned = now
        self.record(.clock(SchedulerClock(processed: now, by: self.alarmBasis)))
        try self.withdrawFutureAlarms(now, world)
        for (reminder, slot) in self.records.slots.sorted(by: { $0.key < $1.key }) {
            let isWrong = slot.alarm.map { $0.fires > future } ?? true
            if isWrong { self.drop(reminder) } else { self.rememberUnshown(reminder) }
        }
        self.screen.endPauses(now)
        for (number, state) in self.unwritten { self.unwritten[number] = (state.tries, min(state.again, now)) }
        if let missing = self.missing { self.missing = min(missing, now) }
        for reminder in self.next.lookedAfter(now) {
            guard let known = try self.lookUp(reminder, world) else { continue }
            self.pend(reminder, known, after: now)
        }
    }

    /// Looks up a reminder, and forgets the reminder if it no longer exists.
    private mutating func lookUp(_ reminder: ReminderID, _ world: ReminderSource) throws -> FiringReminder? {
        let known = try world.reminder(reminder, self.alarmBasis)
        if known == nil { self.forget(reminder) }
        return known
    }

    mutating func pend(_ reminder: ReminderID, _ known: FiringReminder, after moment: Instant) {
        let (unacknowledged, pending) = known.plan.standing(at: moment)
        if unacknowledged != nil, self.settings.fires(known) {
            self.unacknowledged.insert(reminder)
        } else {
            self.unacknowledged.remove(reminder)
        }
        self.next.set(reminder, pending?.fires, after: moment, dependsOnLocalZone: known.plan.dependsOnLocalZone)
    }

    private mutating func prune(before past: Instant, after future: Instant? = nil) {
        for (reminder, alarms) in self.records.delivered {
            for alarm in alarms where alarm.fires < past || future.map({ alarm.fires > $0 }) ?? false {
                self.record(.forgotten(reminder, alarm))
            }
        }
    }

    private mutating func planWake(_ now: Instant) {
        var times = [self.next.first()].compactMap { $0 }
        if let quietUntil, self.screen.waitsForQuiet { times.append(quietUntil) }
        if self.service != nil {
            times += self.screen.retries.filter { $0 > now }
        } else if self.settings.hasFallback, self.quietUntil == nil, self.screen.isWaiting {
            let patience = self.missing?.adding(seconds: self.settings.patienceSeconds)
            times += (self.screen.retries + [patience].compactMap { $0 }).filter { $0 > now }
        }
        times += self.unwritten.values.map(\.again).filter { $0.secondsSince1970 != .max }
        let wake = times.min().map { max($0, now.adding(seconds: 1)) }
        guard self.woken != .some(wake) else { return }
        self.woken = .some(wake)
        self.request(.wake(wake))
    }
}
