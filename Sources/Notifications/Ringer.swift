package import ICalendar
import Recurrence
import Reminders

/// Decides what rings, what is shown, and what becomes of it: a value that is told what happens and says what to do.
///
/// It knows no clock, no bus and no file. Whoever runs it does its effects in order, and tells it how they went; when it
/// begins again it is given the records that were kept. Then holds, whatever breaks off and whatever the clock does:
///
/// - Each alarm of an open reminder is told once, as a bubble, in a summary, or by a later alarm of its reminder, and
///   never before its time. One that was on the screen when the program or the service ended comes back there.
/// - A clock that is put back by less than `RingLimits.memorySeconds` makes nothing ring again; one that is put back
///   further had been wrong, and all that it told ahead of time is still to come.
/// - What is not to come when the reminder becomes known or becomes otherwise does not ring, unless it was to come when
///   it was last looked for what is new.
/// - Nothing rings for what is completed, deleted, moved or seen to, and its bubble goes.
package struct Ringer: Sendable {
    /// What is on the disk when all effects so far are done.
    package private(set) var records: RingRecords
    package internal(set) var settings: RingSettings
    var next = NextAlarms()
    /// Reminders that have rung, or would have, and that nobody has seen to.
    var unheeded: Set<String> = []
    var screen = Screen()
    /// The run of the notification service; `nil` while there is none.
    var service: String?
    /// Since when there is none.
    var missing: Instant?
    /// When the quiet hours of now are over; `nil` when they are not now.
    var quietUntil: Instant?
    /// Deeds that could not be written: how often, and when to try again.
    var unwritten: [Int: (tries: Int, again: Instant)] = [:]
    private var isStarted = false
    private var lastDeed: Int
    private var pruned: Instant?
    private var woken: Instant??
    private var changes: [RingRecords.Change] = []
    private var effects: [RingEffect] = []

    /// - Parameter records: what was kept; empty at the very first start.
    package init(records: RingRecords, settings: RingSettings) {
        self.records = records
        self.settings = settings
        self.lastDeed = records.deeds.keys.max() ?? 0
    }

    /// How many reminders are on the screen or to come there: what nobody has seen to.
    package var pendingCount: Int { self.records.slots.count }

    /// How many reminders have rung, or would have, and nobody has seen to, whether there is a bubble of them or not.
    package var unheededCount: Int { self.unheeded.count }

    /// When the next alarm is, that is known of.
    package var nextAlarm: Instant? {
        var next = self.next
        return next.first()
    }

    /// Takes in what happened, and says what to do; nothing before it was told that it starts.
    ///
    /// - Parameters:
    ///   - now: what the clock shows; it may have been set, in either direction.
    ///   - world: where reminders are looked up.
    /// - Throws: what `world` throws; then nothing has happened, and the event can be told again.
    package mutating func take(_ event: RingEvent, at now: Instant, in world: RingWorld) throws -> [RingEffect] {
        let before = self
        do {
            if case .started(let reminders, let local) = event { try self.start(reminders, local, now, world) }
            guard self.isStarted else { return [] }
            self.lookForQuiet(now, world)
            try self.advance(to: now, world)
            try self.handle(event, now, world)
            self.lookForQuiet(now, world)
            try self.present(now, world)
            self.planWake(now)
        } catch {
            self = before
            throw error
        }
        defer { (self.changes, self.effects) = ([], []) }
        return (self.changes.isEmpty ? [] : [.keep(self.changes)]) + self.effects
    }

    private mutating func handle(_ event: RingEvent, _ now: Instant, _ world: RingWorld) throws {
        switch event {
        case .started(_, let local):
            try self.change(\.local, to: local, now, world)
            try self.change(\.alarms, to: self.settings.alarms, now, world)
            for reminder in self.records.slots.keys.sorted() { try self.look(at: reminder, since: nil, now, world) }
        case .clock: self.woken = nil
        case .zoneChanged(let local): try self.change(\.local, to: local, now, world)
        case .changed(let reminders, let since):
            for reminder in reminders { try self.look(at: reminder, since: since, now, world) }
        case .settings(let settings):
            let isOfAll =
                settings.silentLists != self.settings.silentLists || settings.silentLabels != self.settings.silentLabels
            self.settings = settings
            try self.change(\.alarms, to: settings.alarms, now, world)
            // What nobody is told of is not counted, whether it has something on the screen or not.
            var reminders = Set(self.records.slots.keys)
            if isOfAll { reminders.formUnion(self.next.reminders) }
            for reminder in reminders.sorted() { try self.look(at: reminder, since: nil, now, world) }
        case .service(let service): try self.serve(service, now, world)
        case .shown(let token, let number): self.shown(token, number, now)
        case .notShown(let token): try self.notShown(token, now, world)
        case .toldElsewhere(let token): self.toldElsewhere(token)
        case .closed(let number, let end): self.closed(number, end, now)
        case .invoked(let number, let action): self.invoked(number, action, now)
        case .written(let deed):
            self.unwritten[deed] = nil
            if self.records.deeds[deed] != nil { self.record(.deed(deed, nil)) }
        case .notWritten(let deed, let forGood): self.notWritten(deed, forGood, now)
        }
    }

    // MARK: What is kept, and what is to be done

    /// What says when alarms are, so far.
    var reckoning: Reckoning {
        self.records.clock?.reckoning ?? Reckoning(local: "UTC", alarms: self.settings.alarms)
    }

    /// The zone of the clock on the wall.
    var local: String { self.reckoning.local }

    /// Up to when alarms were looked at.
    var heard: Instant? { self.records.clock?.heard }

    mutating func record(_ change: RingRecords.Change) {
        self.records.apply(change)
        self.changes.append(change)
    }

    mutating func ask(_ effect: RingEffect) { self.effects.append(effect) }

    /// Writes down what a person has done, to be written to the reminder; until that is so it is tried again.
    mutating func add(_ deed: Deed) {
        self.lastDeed += 1
        self.record(.deed(self.lastDeed, deed))
        self.ask(.write(number: self.lastDeed, deed))
    }

    private mutating func notWritten(_ number: Int, _ forGood: Bool, _ now: Instant) {
        guard let deed = self.records.deeds[number] else { return }
        let tries = (self.unwritten[number]?.tries ?? 0) + 1
        guard !forGood, tries < RingLimits.maximumTries else {
            self.unwritten[number] = nil
            self.record(.deed(number, nil))
            self.ask(.gaveUp(deed))
            return
        }
        self.unwritten[number] = (tries, now.adding(seconds: Self.pause(after: tries)))
    }

    mutating func writeAgain(_ now: Instant) {
        for (number, state) in self.unwritten.sorted(by: { $0.key < $1.key }) where state.again <= now {
            guard let deed = self.records.deeds[number] else { continue }
            // Until there is an answer it is not tried again.
            self.unwritten[number] = (state.tries, Instant(secondsSince1970: .max))
            self.ask(.write(number: number, deed))
        }
    }

    /// Seconds: 1, 2, 4 and so on.
    static func pause(after tries: Int) -> Int { min(1 << min(tries - 1, 16), RingLimits.longestPauseSeconds) }

    // MARK: Beginning

    private mutating func start(
        _ reminders: [String],
        _ local: String,
        _ now: Instant,
        _ world: RingWorld
    ) throws {
        let first = Reckoning(local: local, alarms: self.settings.alarms)
        let clock = self.records.clock ?? RingClock(heard: now, by: first)
        self.isStarted = true
        self.next = NextAlarms()
        self.unheeded = []
        self.screen = Screen()
        self.missing = now
        if self.records.clock == nil { self.record(.clock(clock)) }
        for reminder in reminders {
            guard let known = try world.reminder(reminder, clock.reckoning) else { continue }
            self.pend(reminder, known, after: clock.heard)
        }
        for (reminder, slot) in self.records.slots.sorted(by: { $0.key < $1.key }) {
            self.screen.place(reminder, slot.place)
        }
        for reminder in self.known where !self.next.knows(reminder) { self.forget(reminder) }
        self.screen.summary.isStale = !self.screen.summarized.isEmpty
        for (number, deed) in self.records.deeds.sorted(by: { $0.key < $1.key }) {
            self.ask(.write(number: number, deed))
        }
    }

    /// All reminders of which something is kept.
    private var known: [String] { Set(self.records.slots.keys).union(self.records.told.keys).sorted() }

    // MARK: Time

    private mutating func lookForQuiet(_ now: Instant, _ world: RingWorld) {
        self.quietUntil = self.settings.quietHours?.end(at: now, zones: world.zones(self.local))
    }

    /// Lets everything ring that was pending, and is due.
    private mutating func advance(to now: Instant, _ world: RingWorld) throws {
        guard let heard = self.heard else { return }
        if now < heard { return try self.stepBack(to: now, from: heard, world) }
        while let reminder = self.next.take(upTo: now) {
            guard let known = try world.reminder(reminder, self.reckoning) else {
                self.forget(reminder)
                continue
            }
            self.ring(reminder, known, after: heard, upTo: now)
            self.pend(reminder, known, after: now)
        }
        if now > heard { self.record(.clock(RingClock(heard: now, by: self.reckoning))) }
        // Now and then is enough: what is forgotten late is looked at again before it counts.
        if self.pruned.map({ now > $0.adding(seconds: 3600) }) ?? true {
            self.prune(before: now.adding(seconds: -RingLimits.memorySeconds))
            self.pruned = now
        }
    }

    private mutating func stepBack(to now: Instant, from heard: Instant, _ world: RingWorld) throws {
        let future = now.adding(seconds: RingLimits.memorySeconds)
        self.prune(before: heard.adding(seconds: -RingLimits.memorySeconds), after: future)
        self.pruned = now
        self.record(.clock(RingClock(heard: now, by: self.reckoning)))
        try self.takeBackWhatIsToCome(now, world)
        for (reminder, slot) in self.records.slots.sorted(by: { $0.key < $1.key }) {
            let isWrong = slot.alarm.map { $0.fires > future } ?? true
            if isWrong { self.drop(reminder) } else { self.rememberUnshown(reminder) }
        }
        self.screen.hurry(now)
        for (number, state) in self.unwritten { self.unwritten[number] = (state.tries, min(state.again, now)) }
        if let missing = self.missing { self.missing = min(missing, now) }
        for reminder in self.next.lookedAfter(now) {
            guard let known = try world.reminder(reminder, self.reckoning) else {
                self.forget(reminder)
                continue
            }
            self.pend(reminder, known, after: now)
        }
    }

    /// Has a reminder ring next for what comes after a moment.
    mutating func pend(_ reminder: String, _ known: RingingReminder, after moment: Instant) {
        let (unheeded, pending) = known.plan.standing(at: moment)
        if unheeded != nil, self.settings.rings(known) {
            self.unheeded.insert(reminder)
        } else {
            self.unheeded.remove(reminder)
        }
        self.next.set(reminder, pending?.fires, after: moment, followsWall: known.plan.followsWall)
    }

    /// Forgets what was told too long ago, and what was told too far ahead.
    private mutating func prune(before past: Instant, after future: Instant? = nil) {
        for (reminder, alarms) in self.records.told {
            for alarm in alarms where alarm.fires < past || future.map({ alarm.fires > $0 }) ?? false {
                self.record(.forgotten(reminder, alarm))
            }
        }
    }

    /// When something is to be looked at, though nothing happens before.
    private mutating func planWake(_ now: Instant) {
        var times = [self.next.first()].compactMap { $0 }
        if let quietUntil, self.screen.waitsForQuiet { times.append(quietUntil) }
        if self.service != nil {
            times += self.screen.retries.filter { $0 > now }
        } else if self.settings.tellsElsewhere, self.quietUntil == nil, self.screen.isWaiting {
            let patience = self.missing?.adding(seconds: RingLimits.patienceSeconds)
            times += (self.screen.retries + [patience].compactMap { $0 }).filter { $0 > now }
        }
        times += self.unwritten.values.map(\.again).filter { $0.secondsSince1970 != .max }
        let wake = times.min().map { max($0, now.adding(seconds: 1)) }
        guard self.woken != .some(wake) else { return }
        self.woken = .some(wake)
        self.ask(.wake(wake))
    }
}
