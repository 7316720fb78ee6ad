import ICalendar
import Notifications
import Recurrence
import Reminders
import TestSupport

/// A law that does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// Twenty years of a person's reminders: the program, the screen, and everything that comes between.
final class History {
    private let world: World
    private let home: String
    private let verbose: Bool
    /// The reminder that is told of after each event.
    private let watched: String?
    private var lastWatched = ""
    private let size: Int
    private let calm: Int
    private var random: SeededGenerator
    /// The clock without its errors.
    private var time: Int64
    private let begin: Int64
    private let end: Int64
    private var skew: Int64 = 0
    private var local: String
    private var settings = RingSettings()
    private var ringer: Ringer
    private var kept = RingRecords()
    private var expectation: Expectation
    private var wake: Int64?
    /// Since when there is no service, on the clock.
    private var missing: Int64?
    /// What was said never to be writable.
    private var refused: [Deed] = []
    // The screen.
    private var service: String?
    private var services = 0
    private var bubbles: [UInt32: String?] = [:]
    private var lastNumber: UInt32 = 0
    private var answers: [RingEvent] = []
    private var changed: [String] = []
    private var backingOff: Set<String> = []
    private var ownInThisEvent = 0
    /// Of those the ones that were not tried before and whose time was long ago, and the others.
    private var lateInThisEvent = 0
    private var onTimeInThisEvent = 0
    private var isSettling = false
    private var isIdle = false
    private var idle = 0
    private(set) var events = 0
    private(set) var told = 0
    private(set) var summaries = 0

    private var now: Int64 { self.time + self.skew }
    private var reckoning: Reckoning { Reckoning(local: self.local, alarms: self.settings.alarms) }

    init(
        seed: UInt64,
        index: Int,
        size: Int,
        years: Int,
        clocks: [String: Clock],
        database: ZoneDatabase,
        verbose: Bool,
        watched: String? = nil
    ) {
        self.watched = watched
        self.world = World(clocks: clocks, database: database)
        self.home = PeerZone.names[index % PeerZone.names.count]
        self.size = size
        self.calm = size >= 500 ? 60 : 10
        self.verbose = verbose
        self.random = SeededGenerator(seed &* 1_000_003 &+ UInt64(index))
        // 2026-11-22
        self.begin = 1_795_305_600
        self.time = self.begin
        self.end = self.begin + Int64(years) * 31_556_952
        self.local = self.home
        self.ringer = Ringer(records: RingRecords(), settings: RingSettings())
        self.expectation = Expectation(heard: self.begin, by: Reckoning(local: self.home))
    }

    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }
    private func chance(_ count: Int) -> Bool { self.number(1...count) == 1 }
    private func pick<Value>(_ values: [Value]) -> Value { values[self.number(0...values.count - 1)] }

    /// From a second to so much, short ones as often as long ones.
    private func length(upTo limit: Int64) -> Int64 {
        var length = limit
        while length > 60, self.chance(2) { length /= 8 }
        return Int64.random(in: 1...max(length, 1), using: &self.random)
    }

    private func log(_ words: @autoclosure () -> String) {
        guard self.verbose else { return }
        print("\(Instant(secondsSince1970: self.now)) \(words())")
    }

    // MARK: Running

    func run() throws {
        for _ in 0..<self.size { _ = self.world.add(self.newLife(within: self.end - self.begin)) }
        try self.restart()
        while self.time < self.end { try self.step() }
        try self.settle()
    }

    /// In the end, with everything working, everything is shown.
    private func settle() throws {
        self.isSettling = true
        self.settings = RingSettings()
        self.world.listIsSilent = false
        self.world.labelIsSilent = false
        try self.tell(.settings(self.settings))
        if self.service == nil { try self.startService() }
        for _ in 0..<10 {
            while !self.answers.isEmpty || !self.changed.isEmpty { try self.answer() }
            self.time += 400
            try self.tell(.clock)
        }
        try self.compare()
        let left = self.expectation.unshown.sorted()
        guard left.isEmpty else { throw Broken(description: "never shown: \(left.prefix(5))") }
    }

    private func step() throws {
        guard self.changed.isEmpty, self.answers.isEmpty || self.chance(10) else { return try self.answer() }
        guard self.chance(self.calm) else {
            switch self.number(0...9) {
            case 0...5: try self.sleepUntilWoken()
            case 6, 7: try self.edit()
            default: try self.click()
            }
            return
        }
        switch self.number(0...9) {
        case 0, 1: try self.suspend()
        case 2, 3: try self.setClock()
        case 4: try self.travel()
        case 5: try self.loseOrFindService()
        case 6: try self.choose()
        case 7:
            self.log("killed")
            try self.kill()
        case 8: try self.editMany()
        default: try self.tell(.clock)
        }
    }

    private func sleepUntilWoken() throws {
        let limit = self.now + 40 * 86_400
        let wake = min(self.wake ?? limit, limit)
        let step = max(wake - self.now, 0)
        guard self.time + step <= self.end else {
            self.time = self.end
            return
        }
        self.time += step
        try self.tell(.clock)
        self.idle = step <= 1 && self.isIdle ? self.idle + 1 : 0
        if self.idle > 20 { throw Broken(description: "it wakes again and again, for nothing") }
    }

    private func suspend() throws {
        self.time += self.length(upTo: 40 * 86_400)
        self.log("wakes up")
        try self.tell(.clock)
    }

    private func setClock() throws {
        if self.skew != 0, self.chance(2) {
            self.skew = 0
        } else {
            let length = self.length(upTo: 10 * 31_556_952)
            self.skew = max(-315_569_520, min(315_569_520, self.skew + (self.chance(2) ? length : -length)))
        }
        self.log("clock was set")
        try self.tell(.clock)
    }

    private func travel() throws {
        self.local = self.chance(2) ? self.home : self.pick(PeerZone.names)
        self.log("in \(self.local)")
        try self.tell(.zoneChanged(self.local))
    }

    private func choose() throws {
        self.chooseOtherwise()
        try self.tell(.settings(self.settings))
    }

    private func chooseOtherwise() {
        switch self.number(0...9) {
        case 0: self.world.listIsSilent.toggle()
        case 1: self.world.labelIsSilent.toggle()
        case 2: self.settings.tellsElsewhere.toggle()
        case 3: self.settings.makesSound.toggle()
        case 4: self.settings.showsMissed.toggle()
        case 5: self.settings.alarms.ringsWhenDue.toggle()
        case 6, 7: self.settings.alarms.dayTime = ClockTime(secondsOfDay: self.number(0...95) * 900)
        default:
            let from = ClockTime(secondsOfDay: self.number(0...95) * 900)
            let to = ClockTime(secondsOfDay: self.number(0...95) * 900)
            self.settings.quietHours = self.settings.quietHours == nil ? QuietHours(from: from, to: to) : nil
        }
        self.settings.silentLists = self.world.listIsSilent ? [World.silentList] : []
        self.settings.silentLabels = self.world.labelIsSilent ? [LabelKey(World.silentLabel)] : []
        self.log("chose \(self.settings)")
    }

    // MARK: Reminders

    private func newLife(within span: Int64) -> Life {
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
            default: alarm.seconds = 60 * self.number(1...600)
            }
            if self.chance(4) { (alarm.repeats, alarm.interval) = (self.number(1...3), self.pick([60, 300, 3600])) }
            life.alarms.append(alarm)
        }
        life.isInSilentList = self.chance(5)
        life.hasSilentLabel = self.chance(5)
        return life
    }

    private func someone() -> String? {
        // A dictionary's order is another in each run.
        let reminders = self.world.lives.keys.sorted()
        return reminders.isEmpty ? nil : self.pick(reminders)
    }

    private func editOne() -> [String] {
        if self.world.lives.count < self.size || self.chance(12) {
            return [self.world.add(self.newLife(within: self.length(upTo: self.end - self.begin)))]
        }
        // Rather one that is on the screen, or was.
        let open = self.expectation.open.keys.sorted()
        guard let reminder = open.isEmpty || self.chance(2) ? self.someone() : self.pick(open) else { return [] }
        let rings = self.world.rings(reminder, self.reckoning)
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
            // Thunderbird's number of an occurrence counts on its own clock; the model has that of two kinds.
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

    private func edit() throws {
        // Who looks for what is new does so a moment later.
        let since = self.now
        let reminders = self.editOne()
        self.log("edited \(reminders)")
        guard self.chance(2) else { return try self.tell(.changed(reminders)) }
        self.time += Int64(self.number(0...60))
        try self.tell(.changed(reminders, since: Instant(secondsSince1970: since)))
    }

    private func editMany() throws {
        var reminders: [String] = []
        for _ in 0..<self.number(2...12) { reminders += self.editOne() }
        self.log("edited many: \(reminders)")
        try self.tell(.changed(reminders))
    }

    private func apply(_ deed: Deed) throws -> String {
        switch deed {
        case .acknowledge(let reminder, _, let upTo):
            self.world.change(reminder) { $0.acknowledged = max(upTo.secondsSince1970, $0.acknowledged ?? .min) }
            return reminder
        case .snooze(let reminder, let name, let moment, let until):
            guard let occurrence = self.occurrence(reminder, name) else { return reminder }
            guard let life = self.world.lives[reminder], life.step == nil || life.form == .utc || life.form == .floating
            else {
                self.world.change(reminder) {
                    $0.acknowledged = max(moment.secondsSince1970, $0.acknowledged ?? .min)
                }
                return reminder
            }
            self.world.change(reminder) { $0.snooze = (occurrence, until.secondsSince1970) }
            return reminder
        case .complete(let reminder, let name):
            guard let occurrence = self.occurrence(reminder, name) else { return reminder }
            self.world.change(reminder) { $0.done.insert(occurrence) }
            return reminder
        }
    }

    private func occurrence(_ reminder: String, _ name: String?) -> Int? {
        guard let life = self.world.lives[reminder] else { return nil }
        return (0..<life.count).first { life.name($0, self.world.clocks) == name && !life.done.contains($0) }
    }

    // MARK: The screen

    private func startService() throws {
        self.expectation.doubtAll()
        self.answers.removeAll(where: Self.isOfService)
        self.services += 1
        self.bubbles = [:]
        self.service = "service \(self.services)"
        self.log("service starts")
        try self.tell(.service(self.service))
    }

    private func loseOrFindService() throws {
        guard let service else {
            // The bus only hiccuped, or the service is another one.
            guard self.services > 0, self.chance(3) else { return try self.startService() }
            self.expectation.doubtAll()
            self.answers.removeAll(where: Self.isOfService)
            self.service = "service \(self.services)"
            self.removeUnknownBubbles()
            self.log("service is there again")
            return try self.tell(.service(self.service))
        }
        self.log("\(service) is lost")
        self.expectation.doubtAll()
        self.service = nil
        self.missing = self.now
        self.answers.removeAll(where: Self.isOfService)
        try self.tell(.service(nil))
    }

    private static func isOfService(_ event: RingEvent) -> Bool {
        switch event {
        case .shown, .notShown, .toldElsewhere, .closed, .invoked: true
        default: false
        }
    }

    /// Bubbles whose numbers never arrived: nobody can take them away.
    private func removeUnknownBubbles() {
        var known = Set(self.kept.slots.values.compactMap(\.bubble)).union(self.kept.closing)
        if let summary = self.kept.summary { known.insert(summary) }
        let numbers = Set(known.filter { $0.service == "service \(self.services)" }.map(\.number))
        self.bubbles = self.bubbles.filter { numbers.contains($0.key) }
    }

    private func click() throws {
        guard self.service != nil, !self.bubbles.isEmpty else { return try self.sleepUntilWoken() }
        let number = self.pick(self.bubbles.keys.sorted())
        guard let owner = self.bubbles[number] else { return }
        let isUnderWay = self.expectation.asked.values.contains { asked in
            owner.map { asked.serials[$0] != nil } ?? true
        }
        // While something is on its way nobody is so fast as to put it away; a button may be pressed that was there before.
        let wasThere = owner.map { self.kept.slots[$0]?.bubble?.number == number } ?? false
        guard isUnderWay ? wasThere : self.answers.isEmpty else { return }
        if !isUnderWay, self.chance(2) {
            let end: BubbleEnd = self.pick([.dismissed, .dismissed, .expired, .undefined])
            self.bubbles[number] = nil
            self.log("\(number) \(end)")
            return try self.tell(.closed(number: number, end))
        }
        let action = owner == nil ? .open : self.pick(BubbleAction.ofReminder)
        self.log("\(action) on \(number) of \(owner ?? "many")")
        try self.tell(.invoked(number: number, action: action.key))
    }

    private func answer() throws {
        if !self.changed.isEmpty {
            let changed = self.changed
            self.changed = []
            return try self.tell(.changed(changed, since: Instant(secondsSince1970: self.now - 2)))
        }
        guard !self.answers.isEmpty else { return }
        if self.chance(4) { self.time += Int64(self.number(0...2)) }
        let event = self.answers.remove(at: self.number(0...self.answers.count - 1))
        try self.tell(event)
    }

    // MARK: The program

    private func kill() throws {
        self.expectation.doubtAll()
        self.answers = []
        self.changed = []
        self.removeUnknownBubbles()
        self.time += self.chance(2) ? 1 : self.length(upTo: 40 * 86_400)
        if self.chance(10) { self.skew = -self.skew }
        if self.chance(10) { self.local = self.pick(PeerZone.names) }
        while self.chance(2) { _ = self.editOne() }
        if self.chance(10) { self.chooseOtherwise() }
        try self.restart()
    }

    private func restart() throws {
        self.ringer = Ringer(records: self.kept, settings: self.settings)
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
    private func tell(_ event: RingEvent) throws {
        // Killed before so many of its effects; what was expected before is copied only then.
        let kill = self.chance(150) && self.events > 3 && !self.isSettling ? self.number(0...4) : nil
        let before = kill == nil ? nil : self.expectation
        self.missing = self.missing.map { min($0, self.now) }
        self.events += 1
        self.expect(event)
        let effects = try self.ringer.take(event, at: Instant(secondsSince1970: self.now), in: self.world.door)
        self.log("  \(event) -> \(effects.count) effects")
        (self.ownInThisEvent, self.lateInThisEvent, self.onTimeInThisEvent) = (0, 0, 0)
        self.isIdle = effects.allSatisfy { effect in
            switch effect {
            case .keep, .wake: true
            default: false
            }
        }
        for (place, effect) in effects.enumerated() {
            if place == kill {
                self.log("killed before an effect")
                let rest = effects[place...]
                if let before, rest.contains(where: { if case .keep = $0 { true } else { false } }) {
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
        let told = (self.kept.told[watched] ?? []).map { "\($0.occurrence ?? "") \($0.fires)" }.sorted()
        let expected = (self.expectation.told[watched] ?? []).map { "\($0.occurrence ?? "") \($0.fires)" }.sorted()
        let words = "    \(slot)\n    \(open)\n    told \(told)\n    for  \(expected)"
        if words != self.lastWatched { self.log(words) }
        self.lastWatched = words
    }

    private func expect(_ event: RingEvent) {
        let now = self.now
        if case .started = event {
            self.expectation.showsMissed = self.settings.showsMissed
            return self.expectation.start(self.world, now: now, by: self.reckoning)
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
                self.expectation.keepInStep(reminder, self.world)
            }
        case .service: self.expectation.takeBack(now)
        case .shown(let token, _): self.expectation.shown(token)
        case .toldElsewhere(let token): self.expectation.toldElsewhere(token)
        case .notShown(let token):
            for reminder in self.expectation.notShown(token) {
                self.expectation.takeBack(reminder, now)
                self.backingOff.insert(reminder)
            }
        case .closed(let number, let end): if end != .requested { self.leave(number) }
        case .invoked(let number, _): self.leave(number)
        case .started, .clock, .written, .notWritten: break
        }
    }

    private func leave(_ number: UInt32) {
        let bubble = ShownBubble(number: number, service: self.service ?? "")
        if self.kept.summary == bubble {
            for (reminder, open) in self.expectation.open where open.isSummarized {
                self.expectation.leave(reminder)
            }
        }
        for (reminder, slot) in self.kept.slots where slot.bubble == bubble { self.expectation.leave(reminder) }
    }

    private func perform(_ effect: RingEffect) throws {
        switch effect {
        case .keep(let changes):
            for change in changes {
                self.kept.apply(change)
                if case .slot(let reminder, let slot) = change {
                    self.expectation.open[reminder]?.isSummarized = slot?.place == .summary
                }
            }
        case .show(let bubble):
            guard self.service != nil else { throw Broken(description: "it asks a service that is not there") }
            try self.show(bubble)
        case .tellElsewhere(let bubble): try self.tellElsewhere(bubble)
        case .close(let bubble):
            guard bubble.service == self.service else { break }
            self.bubbles[bubble.number] = nil
            self.answers.append(.closed(number: bubble.number, .requested))
        case .write(let number, let deed):
            if self.chance(10) {
                let isForGood = self.chance(3)
                if isForGood { self.refused.append(deed) }
                self.answers.append(.notWritten(deed: number, forGood: isForGood))
            } else {
                self.changed.append(try self.apply(deed))
                self.answers.append(.written(deed: number))
            }
        case .open: break
        case .wake(let moment): self.wake = moment?.secondsSince1970
        case .gaveUp(let deed):
            guard self.refused.contains(deed) else { throw Broken(description: "it gave up too early: \(deed)") }
        }
    }

    private func tellElsewhere(_ bubble: Bubble) throws {
        guard self.service == nil, self.settings.tellsElsewhere, let missing, self.now >= missing + 10 else {
            throw Broken(description: "it is told elsewhere, and was to be shown")
        }
        if self.quietEnd != nil { throw Broken(description: "told in quiet hours") }
        let isNews = { (reminder: String) in self.expectation.open[reminder].map { !$0.unshown.isEmpty } ?? false }
        let members = bubble.reminder.map { [$0] } ?? self.summarized.filter(isNews)
        guard members.allSatisfy(isNews) else { throw Broken(description: "\(members) are told again") }
        for reminder in members { try self.check(reminder, bubble) }
        self.expectation.ask(bubble.token, members, isSummary: bubble.reminder == nil)
        self.answers.append(self.chance(10) ? .notShown(token: bubble.token) : .toldElsewhere(token: bubble.token))
    }

    private var summarized: [String] { self.kept.slots.filter { $0.value.place == .summary }.keys.sorted() }

    /// What has to hold of everything that is shown or told.
    private func check(_ reminder: String, _ bubble: Bubble) throws {
        guard let open = self.expectation.open[reminder], let last = open.last,
            let alarm = self.kept.slots[reminder]?.alarm
        else { throw Broken(description: "\(reminder) is shown, and has nothing to show") }
        let shown = Self.told(alarm)
        guard last == shown else {
            throw Broken(description: "\(reminder) is shown for \(shown), and not for \(last)")
        }
        if let early = open.unshown.first(where: { $0.fires > self.now }) {
            throw Broken(description: "\(reminder) is shown before its time, for \(early)")
        }
        let rings = self.world.rings(reminder, self.reckoning)
        guard rings.contains(where: { $0.fires == last.fires }) else {
            throw Broken(description: "\(reminder) is shown, and does not ring any more")
        }
        if bubble.reminder != nil, !open.unshown.isEmpty {
            let isMissed = bubble.words.body.hasPrefix("Missed")
            guard isMissed == (last.fires < self.now - 60) else {
                throw Broken(description: "\(reminder) is wrongly said to be missed, or not: \(last)")
            }
        }
        self.told += open.unshown.count
        self.backingOff.remove(reminder)
    }

    private static func told(_ alarm: ToldAlarm) -> Expectation.Told {
        Expectation.Told(occurrence: alarm.occurrence, fires: alarm.fires.secondsSince1970)
    }

    private func show(_ bubble: Bubble) throws {
        let inSummary = bubble.reminder == nil
        let members = bubble.reminder.map { [$0] } ?? self.summarized
        for reminder in members {
            let isRetry = self.backingOff.contains(reminder)
            try self.check(reminder, bubble)
            guard let open = self.expectation.open[reminder], !inSummary else { continue }
            // One whose number is on its way is taken away when that arrives.
            let onTheWay = Set(self.answers.compactMap { if case .shown(_, let number) = $0 { number } else { nil } })
            let isThere = self.bubbles.contains { number, owner in
                owner == reminder && number != bubble.replaces?.number && !onTheWay.contains(number)
            }
            if isThere { throw Broken(description: "\(reminder) is on the screen twice") }
            // Once aloud; what is shown again is shown in silence.
            if open.unshown.isEmpty, bubble.makesSound {
                throw Broken(description: "\(reminder) rings again for \(open.last as Any)")
            }
            if !open.unshown.isEmpty, bubble.makesSound != self.settings.makesSound {
                throw Broken(description: "\(reminder) is shown with a sound or without, for \(open.last as Any)")
            }
            guard bubble.replaces == nil else { continue }
            self.ownInThisEvent += 1
            guard !isRetry, let last = open.last else { continue }
            if last.fires < self.now - 60 { self.lateInThisEvent += 1 } else { self.onTimeInThisEvent += 1 }
        }
        self.expectation.ask(bubble.token, members, isSummary: inSummary)
        if inSummary { self.summaries += 1 }
        guard self.isSettling || !self.chance(20) else {
            self.answers.append(.notShown(token: bubble.token))
            return
        }
        var number = bubble.replaces?.number ?? 0
        if bubble.replaces?.service != self.service || self.bubbles[number] == nil {
            self.lastNumber += 1
            number = self.lastNumber
        }
        self.bubbles.updateValue(bubble.reminder, forKey: number)
        self.answers.append(.shown(token: bubble.token, number: number))
    }

    // MARK: Laws

    private func check() throws {
        let expectation = self.expectation
        if let next = expectation.pending.values.compactMap({ $0 }).min() {
            guard let wake, wake <= next else { throw Broken(description: "nobody wakes it for \(next)") }
        }
        if let wake, wake <= self.now { throw Broken(description: "it wants to be woken in the past") }
        guard self.ownInThisEvent <= 2 * (RingLimits.maximumAtOnce + RingLimits.maximumMissed) else {
            throw Broken(description: "\(self.ownInThisEvent) bubbles at once")
        }
        guard self.lateInThisEvent <= RingLimits.maximumMissed, self.onTimeInThisEvent <= RingLimits.maximumAtOnce
        else {
            throw Broken(
                description: "\(self.lateInThisEvent) that were missed and \(self.onTimeInThisEvent) others at once"
            )
        }
        try self.checkUnshown()
        if self.quietEnd != nil, self.ownInThisEvent > 0 { throw Broken(description: "shown in quiet hours") }
        if self.events % 16 == 0 { try self.compare() }
    }

    /// What is told is shown, or somebody wakes it when that can be.
    private func checkUnshown() throws {
        let expectation = self.expectation
        // Whoever was asked and has not answered will do so, which is looked at then.
        let inFlight = Set(expectation.asked.values.flatMap(\.serials.keys))
        let unshown = expectation.unshown.subtracting(inFlight)
        guard !unshown.isEmpty else { return }
        func needs(_ moment: Int64, _ reason: String) throws {
            guard moment > self.now, wake.map({ $0 > moment }) ?? true else { return }
            throw Broken(description: "nobody wakes it \(reason), at \(moment)")
        }
        let patience = self.missing.map { $0 + Int64(RingLimits.patienceSeconds) }
        let isElsewhere = self.service == nil
        if isElsewhere, !self.settings.tellsElsewhere { return }
        if let quietEnd { return try needs(quietEnd, "at the end of quiet hours") }
        if isElsewhere, let patience, self.now < patience { return try needs(patience, "to tell it elsewhere") }
        if expectation.asked.values.contains(where: \.isSummary) { return }
        for reminder in unshown.sorted() {
            let last = expectation.open[reminder]?.last
            // What a person has just done to a reminder comes first; what was seen to does not hide what came later.
            let isBusy = self.kept.deeds.values.contains { deed in
                guard deed.reminder == reminder else { return false }
                if case .acknowledge(_, _, let moment) = deed, let last { return last.fires <= moment.secondsSince1970 }
                return true
            }
            if isBusy { continue }
            // It, or a summary that it has joined, has to wait for another try.
            let waits = self.kept.slots[reminder]?.place == .summary && !self.backingOff.isEmpty
            guard self.backingOff.contains(reminder) || waits else {
                throw Broken(description: "\(reminder) is not shown, for \(last as Any)")
            }
            try needs(self.now + Int64(RingLimits.longestPauseSeconds), "to try again")
        }
    }

    /// When the quiet hours of now are over; `nil` when they are not now.
    private var quietEnd: Int64? {
        guard let hours = self.settings.quietHours, hours.from != hours.to,
            let clock = self.world.clocks[self.expectation.reckoning.local]
        else { return nil }
        let today = clock.local(self.now) / 86_400
        for day in today - 2...today + 1 {
            let from = clock.utc(day * 86_400 + Int64(hours.from.secondsOfDay))
            let last = hours.from < hours.to ? day : day + 1
            let to = clock.utc(last * 86_400 + Int64(hours.to.secondsOfDay))
            if from <= self.now && self.now < to { return to }
        }
        return nil
    }

    private func compare() throws {
        guard self.kept == self.ringer.records else { throw Broken(description: "what is kept is not what is known") }
        let now = self.now
        let near = now - Expectation.memory...now + Expectation.memory
        var kept: [String: Set<Expectation.Told>] = [:]
        for (reminder, alarms) in self.kept.told {
            let alarms = alarms.map { Expectation.Told(occurrence: $0.occurrence, fires: $0.fires.secondsSince1970) }
            kept[reminder] = Set(alarms.filter { near.contains($0.fires) })
        }
        let expected = self.expectation.told.mapValues { $0.filter { near.contains($0.fires) } }
        for reminder in Set(kept.keys).union(expected.keys).sorted()
        where kept[reminder] ?? [] != expected[reminder] ?? [] {
            throw Broken(
                description: "\(reminder): told \(kept[reminder] ?? []), expected \(expected[reminder] ?? [])"
            )
        }
        // Of what was written a moment ago the program has not heard yet.
        for reminder in Set(self.kept.slots.keys).union(self.expectation.open.keys).subtracting(self.changed).sorted() {
            let slot = self.kept.slots[reminder]
            let open = self.expectation.open[reminder]
            guard slot?.alarm.map(Self.told) == open?.last else {
                throw Broken(
                    description: "\(reminder): open for \(slot?.alarm as Any), expected \(open?.last as Any)"
                )
            }
            // Beyond a hundred they are not listed.
            guard let slot, let open, slot.unlisted == nil else { continue }
            guard slot.unshown.map(Self.told) == open.unshown else {
                throw Broken(description: "\(reminder): unshown \(slot.unshown), expected \(open.unshown)")
            }
        }
        guard self.service != nil, self.answers.isEmpty, self.changed.isEmpty else { return }
        for (number, owner) in self.bubbles {
            let bubble = owner.map { self.kept.slots[$0]?.bubble } ?? self.kept.summary
            let isKnown = bubble?.number == number
            guard isKnown else { throw Broken(description: "bubble \(number) of \(owner ?? "many") is nobody's") }
        }
    }
}
