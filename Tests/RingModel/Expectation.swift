import Notifications

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
        /// The last alarm that was shown; `nil` when none was, or its bubble is gone.
        var shown: Told?
        /// What is told and was not shown yet, in order.
        var unshown: [Told] = []
        var isSummarized = false
        /// Which of the places that the reminder had it is.
        var serial = 0

        var last: Told? { self.unshown.last ?? self.shown }
    }

    /// What was asked of the notification service for one reminder and is not answered.
    struct Flight {
        /// Which of the places that the reminder had.
        let serial: Int
        /// What was shown for the first time, and what was there before.
        var alarms: [Told]
        var before: Told?
    }

    struct Asked {
        let isSummary: Bool
        var flights: [String: Flight] = [:]
    }

    static let memory: Int64 = 2 * 86_400

    var heard: Int64
    var local: String
    /// When each known reminder rings next.
    var pending: [String: Int64?] = [:]
    var told: [String: Set<Told>] = [:]
    var open: [String: Open] = [:]
    /// Reminders with something that was not shown.
    var unshown: Set<String> = []
    /// By token.
    var asked: [Int: Asked] = [:]
    private var serial = 0

    init(heard: Int64, local: String) {
        self.heard = heard
        self.local = local
    }

    private func told(_ ring: Life.Ring, _ reminder: String, _ world: World) -> Told {
        Told(occurrence: world.name(of: reminder, ring.occurrence), fires: ring.fires)
    }

    func next(_ reminder: String, after moment: Int64, _ world: World) -> Int64? {
        world.rings(reminder, self.local).first { $0.fires > moment }?.fires
    }

    mutating func start(_ world: World, now: Int64, local: String) {
        self.pending = [:]
        for reminder in world.lives.keys {
            self.pending.updateValue(self.next(reminder, after: self.heard, world), forKey: reminder)
        }
        for reminder in Set(self.open.keys).union(self.told.keys) where world.lives[reminder] == nil {
            self.forget(reminder)
        }
        self.advance(to: now, world)
        self.changeZone(to: local, now, world)
        for reminder in Array(self.open.keys) { self.keepInStep(reminder, world) }
    }

    mutating func advance(to now: Int64, _ world: World) {
        if now < self.heard {
            self.forget { $0 > now + Self.memory }
            self.takeBack(now)
            // What was not shown is not over, however long ago it was told.
            for reminder in self.unshown {
                for alarm in self.open[reminder]?.unshown ?? [] { self.told[reminder, default: []].insert(alarm) }
            }
            for (reminder, open) in self.open where open.last.map({ $0.fires > now + Self.memory }) ?? false {
                self.remove(reminder)
            }
            for reminder in Array(self.pending.keys) { self.look(at: reminder, after: now, world) }
        } else {
            for (reminder, next) in self.pending where next.map({ $0 <= now }) ?? false {
                guard world.lives[reminder] != nil else {
                    self.forget(reminder)
                    continue
                }
                let due = world.rings(reminder, self.local).filter { $0.fires > self.heard && $0.fires <= now }
                self.tell(reminder, due.map { self.told($0, reminder, world) }, world)
                self.look(at: reminder, after: now, world)
            }
            self.forget { $0 < now - Self.memory }
        }
        self.heard = now
    }

    private mutating func forget(_ isOver: (Int64) -> Bool) {
        for (reminder, alarms) in self.told {
            let rest = alarms.filter { !isOver($0.fires) }
            self.told[reminder] = rest.isEmpty ? nil : rest
        }
    }

    private mutating func look(at reminder: String, after moment: Int64, _ world: World) {
        guard world.lives[reminder] != nil else { return self.forget(reminder) }
        self.pending.updateValue(self.next(reminder, after: moment, world), forKey: reminder)
    }

    private mutating func tell(_ reminder: String, _ alarms: [Told], _ world: World) {
        let new = alarms.filter { self.told[reminder]?.contains($0) != true }
        guard !new.isEmpty, !world.isSilent(reminder) else { return }
        self.told[reminder, default: []].formUnion(new)
        if self.open[reminder] == nil {
            self.serial += 1
            self.open[reminder] = Open(serial: self.serial)
        }
        if self.open[reminder]?.isSummarized == true {
            self.open[reminder]?.shown = nil
            self.open[reminder]?.isSummarized = false
        }
        self.open[reminder]?.unshown += new
        self.unshown.insert(reminder)
    }

    mutating func forget(_ reminder: String) {
        self.pending.removeValue(forKey: reminder)
        self.told[reminder] = nil
        self.remove(reminder)
    }

    mutating func remove(_ reminder: String) {
        self.open[reminder] = nil
        self.unshown.remove(reminder)
    }

    mutating func changed(_ reminders: [String], _ now: Int64, _ world: World) {
        for reminder in reminders {
            self.look(at: reminder, after: now, world)
            self.keepInStep(reminder, world)
        }
    }

    mutating func keepInStep(_ reminder: String, _ world: World) {
        guard let last = self.open[reminder]?.last else { return }
        let rings = world.rings(reminder, self.local)
        let isThere = rings.contains { $0.fires == last.fires && self.told($0, reminder, world) == last }
        if !isThere || world.isSilent(reminder) { self.remove(reminder) }
    }

    /// What was not shown, and is to come again, is told when it comes.
    mutating func takeBack(_ now: Int64) {
        for reminder in self.unshown { self.takeBack(reminder, now) }
    }

    mutating func takeBack(_ reminder: String, _ now: Int64) {
        guard var open = self.open[reminder] else { return }
        for alarm in open.unshown where alarm.fires > now { self.told[reminder]?.remove(alarm) }
        open.unshown.removeAll { $0.fires > now }
        self.open[reminder] = open
        if open.unshown.isEmpty { self.unshown.remove(reminder) }
        if open.last == nil { self.open[reminder] = nil }
    }

    // MARK: Another clock on the wall

    mutating func changeZone(to local: String, _ now: Int64, _ world: World) {
        guard local != self.local else { return }
        let before = self.local
        self.local = local
        for reminder in Array(self.pending.keys) {
            guard world.lives[reminder] != nil else {
                self.forget(reminder)
                continue
            }
            let new = world.rings(reminder, local)
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
                open.shown = open.shown.map(move)
                open.unshown = open.unshown.map(move).sorted { $0.fires < $1.fires }
                self.open[reminder] = open
            }
            for token in self.asked.keys {
                guard var flight = self.asked[token]?.flights[reminder] else { continue }
                flight.alarms = flight.alarms.map(move)
                flight.before = flight.before.map(move)
                self.asked[token]?.flights[reminder] = flight
            }
            self.tell(reminder, skipped.sorted { $0.fires < $1.fires }, world)
            self.look(at: reminder, after: now, world)
            self.keepInStep(reminder, world)
        }
        self.takeBack(now)
    }

    // MARK: The screen

    /// A reminder is on the screen with all that it was told for.
    mutating func show(_ reminder: String, inSummary: Bool) {
        guard let open = self.open[reminder], let last = open.last else { return }
        self.open[reminder] = Open(shown: last, isSummarized: inSummary, serial: open.serial)
        self.unshown.remove(reminder)
    }

    /// It is not known whether it was shown, or it is known that it was not.
    mutating func doubt(_ asked: Asked) {
        for (reminder, flight) in asked.flights {
            guard var open = self.open[reminder], open.serial == flight.serial, !flight.alarms.isEmpty else { continue }
            open.unshown = flight.alarms + open.unshown
            open.shown = flight.before
            self.open[reminder] = open
            self.unshown.insert(reminder)
        }
    }

    /// Of nothing that was not answered is it known whether it was shown.
    mutating func doubtAll() {
        for (_, asked) in self.asked.sorted(by: { $0.key > $1.key }) { self.doubt(asked) }
        self.asked = [:]
    }

    /// Its bubble is gone; what came after it is still to be shown.
    mutating func leave(_ reminder: String) {
        if self.open[reminder]?.unshown.isEmpty ?? true {
            self.remove(reminder)
        } else {
            self.open[reminder]?.shown = nil
        }
    }
}
