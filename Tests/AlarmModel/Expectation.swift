import Notifications
import Reminders

/// What has to be told, by somebody who lists every ring of every reminder and remembers each.
///
/// A value, so that what was not kept when the program was killed is unheard of again.
struct Expectation {
    struct Told: Hashable {
        let occurrence: String?
        let fires: Int64
    }

    /// What one reminder has on the screen or is to have there.
    struct Open {
        /// The last alarm that was shown; `nil` when none was, or its notification is gone.
        var shown: Told?
        /// What is told and was not shown yet, in order.
        var unshown: [Told] = []
        /// Of that what somebody was asked to show, and has not answered.
        var asked: [Told] = []
        /// Whether it is one of those that the summary stands for; which are those is up to the program.
        var isSummarized = false
        /// Which of the places that the reminder had it is.
        var serial = 0

        /// Before this moment nothing of it is listed, since that would be more than a hundred.
        var cut: Int64?

        var last: Told? { self.unshown.last ?? self.shown }

        /// Whether anything is left of what is known one by one: of the others nobody knows after an edit which there were.
        var hasListed: Bool { self.unshown.last.map { $0.fires >= self.cut ?? .min } ?? false }

        /// Lists no more than a hundred.
        ///
        /// - Parameter anew: whether what was not listed may be.
        mutating func list(anew: Bool = false) {
            if anew { self.cut = nil }
            let listed = self.unshown.filter { $0.fires >= self.cut ?? .min }
            if listed.count > SchedulerLimits.maximumDelivered {
                self.cut = listed[listed.count - SchedulerLimits.maximumDelivered].fires
            }
        }

        /// What it was told for is at other moments now.
        mutating func move(_ move: (Told) -> Told) {
            let first = self.unshown.first { $0.fires >= self.cut ?? .min }
            if self.cut != nil, let first { self.cut = move(first).fires }
            self.shown = self.shown.map(move)
            // Two may be at one moment now.
            var seen: Set<Told> = []
            self.unshown = self.unshown.map(move).filter { seen.insert($0).inserted }.sorted { $0.fires < $1.fires }
            self.asked = self.asked.map(move).sorted { $0.fires < $1.fires }
        }

        mutating func show(_ alarms: [Told]) {
            guard let last = alarms.last else { return }
            self.shown = last
            self.unshown.removeAll(where: alarms.contains)
            self.cut = nil
        }
    }

    /// What was asked for and is not answered: of which reminders, and of which of the places that each had.
    struct Asked {
        let isSummary: Bool
        var serials: [ReminderID: Int] = [:]
    }

    static let memory: Int64 = 2 * 86_400

    var processed: Int64
    /// By what alarms are when they are.
    var alarmBasis: AlarmBasis
    /// Whether what is told late is shown.
    var showsMissed = true
    /// When each known reminder rings next.
    var pending: [ReminderID: Int64?] = [:]
    var told: [ReminderID: Set<Told>] = [:]
    var open: [ReminderID: Open] = [:]
    /// Reminders with something that was not shown, and that nobody was asked to show.
    var unshown: Set<ReminderID> {
        Set(self.open.filter { _, open in open.unshown.contains { !open.asked.contains($0) } }.keys)
    }
    /// By token.
    var asked: [Int: Asked] = [:]
    private var serial = 0

    init(processed: Int64, by alarmBasis: AlarmBasis) {
        self.processed = processed
        self.alarmBasis = alarmBasis
    }

    private func told(_ ring: Life.Ring, _ reminder: ReminderID, _ world: World) -> Told {
        Told(occurrence: world.name(of: reminder, ring.occurrence), fires: ring.fires)
    }

    func next(_ reminder: ReminderID, after moment: Int64, _ world: World) -> Int64? {
        world.rings(reminder, self.alarmBasis).first { $0.fires > moment }?.fires
    }

    mutating func start(_ world: World, now: Int64, by alarmBasis: AlarmBasis) {
        self.pending = [:]
        for reminder in world.lives.keys {
            self.pending.updateValue(self.next(reminder, after: self.processed, world), forKey: reminder)
        }
        for reminder in Set(self.open.keys).union(self.told.keys) where world.lives[reminder] == nil {
            self.forget(reminder)
        }
        self.advance(to: now, world)
        self.changeZone(to: alarmBasis.local, now, world)
        self.choose(alarmBasis.alarms, now, world)
        for reminder in Array(self.open.keys) { self.updateSlot(reminder, world) }
    }

    mutating func advance(to now: Int64, _ world: World) {
        if now < self.processed {
            self.forget { $0 > now + Self.memory }
            self.takeBack(now)
            for (reminder, open) in self.open {
                if open.last.map({ $0.fires > now + Self.memory }) ?? false {
                    self.open[reminder] = nil
                } else if !open.unshown.isEmpty {
                    // What was not shown is not over, however long ago it was told.
                    self.told[reminder, default: []].formUnion(open.unshown)
                }
            }
            for reminder in Array(self.pending.keys) { self.look(at: reminder, after: now, world) }
        } else {
            for (reminder, next) in self.pending where next.map({ $0 <= now }) ?? false {
                guard world.lives[reminder] != nil else {
                    self.forget(reminder)
                    continue
                }
                self.tell(reminder, after: self.processed, upTo: now, world)
                self.look(at: reminder, after: now, world)
            }
            self.forget { $0 < now - Self.memory }
        }
        self.processed = now
    }

    private mutating func forget(_ isOver: (Int64) -> Bool) {
        for (reminder, alarms) in self.told {
            let rest = alarms.filter { !isOver($0.fires) }
            self.told[reminder] = rest.isEmpty ? nil : rest
        }
    }

    private mutating func look(at reminder: ReminderID, after moment: Int64, _ world: World) {
        guard world.lives[reminder] != nil else { return self.forget(reminder) }
        self.pending.updateValue(self.next(reminder, after: moment, world), forKey: reminder)
    }

    private mutating func tell(_ reminder: ReminderID, after from: Int64, upTo now: Int64, _ world: World) {
        let due = world.rings(reminder, self.alarmBasis).filter { $0.fires > from && $0.fires <= now }
        self.tell(reminder, due.map { self.told($0, reminder, world) }, now, world)
    }

    private mutating func tell(_ reminder: ReminderID, _ alarms: [Told], _ now: Int64, _ world: World) {
        let new = alarms.filter { self.told[reminder]?.contains($0) != true }
        guard let last = new.last, !world.isSilent(reminder) else { return }
        self.told[reminder, default: []].formUnion(new)
        guard self.showsMissed || last.fires >= now - 60 else { return }
        if self.open[reminder] == nil {
            self.serial += 1
            self.open[reminder] = Open(serial: self.serial)
        }
        if self.open[reminder]?.isSummarized == true { self.leaveSummary(reminder) }
        self.open[reminder]?.unshown += new
        self.open[reminder]?.unshown.sort { $0.fires < $1.fires }
        self.open[reminder]?.list()
    }

    /// It is shown by itself now, for all that no summary is known to have shown.
    private mutating func leaveSummary(_ reminder: ReminderID) {
        self.open[reminder]?.shown = nil
        self.open[reminder]?.isSummarized = false
        self.open[reminder]?.asked = []
        for (token, asked) in self.asked where asked.isSummary { self.asked[token]?.serials[reminder] = nil }
    }

    mutating func forget(_ reminder: ReminderID) {
        self.pending.removeValue(forKey: reminder)
        self.told[reminder] = nil
        self.open[reminder] = nil
    }

    /// - Parameter since: what became due after that rings; `nil` for nothing.
    mutating func changed(_ reminders: [ReminderID], since: Int64?, _ now: Int64, _ world: World) {
        for reminder in reminders {
            guard world.lives[reminder] != nil else {
                self.forget(reminder)
                continue
            }
            self.updateSlot(reminder, world)
            if let since { self.tell(reminder, after: since, upTo: now, world) }
            self.look(at: reminder, after: now, world)
        }
    }

    /// What rings no more is shown no more.
    mutating func updateSlot(_ reminder: ReminderID, _ world: World) {
        guard var open = self.open[reminder] else { return }
        let rings = Set(world.rings(reminder, self.alarmBasis).map { self.told($0, reminder, world) })
        open.unshown.removeAll { !rings.contains($0) }
        open.asked.removeAll { !rings.contains($0) }
        if let shown = open.shown, !rings.contains(shown) { open.shown = nil }
        let isOver = open.shown == nil && !open.hasListed
        self.open[reminder] = isOver || world.isSilent(reminder) ? nil : open
    }

    /// What was not shown, and is to come again, is told when it comes.
    mutating func takeBack(_ now: Int64) {
        for reminder in Array(self.open.keys) { self.takeBack(reminder, now) }
    }

    mutating func takeBack(_ reminder: ReminderID, _ now: Int64) {
        guard var open = self.open[reminder] else { return }
        let gone = open.unshown.filter { $0.fires > now && !open.asked.contains($0) }
        guard !gone.isEmpty else { return }
        self.told[reminder]?.subtract(gone)
        open.unshown.removeAll(where: gone.contains)
        if open.asked.isEmpty { open.list(anew: true) }
        self.open[reminder] = open.last == nil ? nil : open
    }

    // MARK: Alarms at other times

    mutating func changeZone(to local: String, _ now: Int64, _ world: World) {
        self.change(to: AlarmBasis(local: local, alarms: self.alarmBasis.alarms), now, world)
    }

    mutating func choose(_ alarms: AlarmSettings, _ now: Int64, _ world: World) {
        self.change(to: AlarmBasis(local: self.alarmBasis.local, alarms: alarms), now, world)
    }

    private mutating func change(to alarmBasis: AlarmBasis, _ now: Int64, _ world: World) {
        guard alarmBasis != self.alarmBasis else { return }
        let before = self.alarmBasis
        self.alarmBasis = alarmBasis
        for reminder in Array(self.pending.keys) {
            guard world.lives[reminder] != nil else {
                self.forget(reminder)
                continue
            }
            let new = world.rings(reminder, alarmBasis)
            var places: [Told: Told] = [:]
            var skipped: [Told] = []
            for ring in world.rings(reminder, before) {
                let twin = new.first {
                    $0.occurrence == ring.occurrence && $0.alarm == ring.alarm && $0.count == ring.count
                }
                guard let twin else { continue }
                let (old, new) = (self.told(ring, reminder, world), self.told(twin, reminder, world))
                places[old] = new
                if ring.fires > now, twin.fires <= now { skipped.append(new) }
            }
            func move(_ told: Told) -> Told { places[told] ?? told }
            if let told = self.told[reminder] {
                // Further back nothing is remembered.
                self.told[reminder] = Set(told.map { $0.fires >= now - Self.memory ? move($0) : $0 })
            }
            if var open = self.open[reminder] {
                open.move(move)
                self.open[reminder] = open
            }
            self.tell(reminder, skipped.sorted { $0.fires < $1.fires }, now, world)
            self.look(at: reminder, after: now, world)
            self.updateSlot(reminder, world)
        }
        self.takeBack(now)
    }

    // MARK: The screen

    /// Somebody is asked to show reminders with all that they were told for.
    mutating func ask(_ token: Int, _ reminders: [ReminderID], isSummary: Bool) {
        var asked = Asked(isSummary: isSummary)
        for reminder in reminders {
            guard let open = self.open[reminder] else { continue }
            asked.serials[reminder] = open.serial
            self.open[reminder]?.asked = open.unshown
        }
        self.asked[token] = asked
    }

    /// The reminders that somebody was asked to show and that are still to be shown so: there is an answer.
    private mutating func answered(_ token: Int) -> [ReminderID] {
        let serials = self.asked.removeValue(forKey: token)?.serials ?? [:]
        return serials.filter { self.open[$0.key]?.serial == $0.value }.keys.sorted()
    }

    mutating func shown(_ token: Int) {
        for reminder in self.answered(token) {
            guard var open = self.open[reminder] else { continue }
            open.show(open.asked)
            open.asked = []
            self.open[reminder] = open
        }
    }

    /// - Returns: which reminders were not shown.
    mutating func notShown(_ token: Int) -> [ReminderID] {
        let reminders = self.answered(token)
        for reminder in reminders { self.open[reminder]?.asked = [] }
        return reminders
    }

    /// Of what is told elsewhere nothing stays on the screen.
    mutating func deliveredByFallback(_ token: Int) {
        for reminder in self.answered(token) {
            guard var open = self.open[reminder] else { continue }
            open.show(open.asked)
            open.asked = []
            self.open[reminder] = open
            self.leave(reminder)
        }
    }

    /// Of nothing that was not answered is it known whether it was shown.
    mutating func doubtAll() {
        for token in self.asked.keys.sorted() { _ = self.notShown(token) }
    }

    /// Its notification is gone; what came after it is still to be shown.
    mutating func leave(_ reminder: ReminderID) {
        if self.open[reminder]?.unshown.isEmpty ?? true {
            self.open[reminder] = nil
        } else {
            self.open[reminder]?.shown = nil
        }
    }
}
