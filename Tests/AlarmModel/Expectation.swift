import RemindavNotifications
import RemindavReminders

/// The reference model: it lists every alarm of every reminder and records each delivery.
///
/// It is a value, so that the model can return to an earlier state when the program is killed before a save.
struct Expectation {
    struct Delivery: Hashable {
        let occurrence: String?
        let fires: Int64
    }

    /// The shown and the unshown alarms of one reminder.
    struct Open {
        /// The last shown alarm; `nil` if none was shown, or if its notification is closed.
        var shown: Delivery?
        /// The fired alarms that were not shown yet, in order.
        var unshown: [Delivery] = []
        /// The unshown alarms that the screen or the fallback was asked to show, without an answer yet.
        var asked: [Delivery] = []
        /// Whether the reminder is part of the summary.
        ///
        /// The program decides this.
        var isSummarized = false
        /// Counts the values of `Open` that the model has created.
        var serial = 0

        /// The start of the list of unshown alarms, which has at most a hundred.
        var cut: Int64?

        var last: Delivery? { self.unshown.last ?? self.shown }

        /// Whether a listed alarm is unshown.
        ///
        /// After an edit the unlisted alarms are unknown.
        var hasListed: Bool { self.unshown.last.map { $0.fires >= self.cut ?? .min } ?? false }

        /// Limits the list to a hundred alarms.
        ///
        /// - Parameter anew: whether unlisted alarms may be listed again.
        mutating func list(anew: Bool = false) {
            if anew { self.cut = nil }
            let listed = self.unshown.filter { $0.fires >= self.cut ?? .min }
            if listed.count > SchedulerLimits.maximumDelivered {
                self.cut = listed[listed.count - SchedulerLimits.maximumDelivered].fires
            }
        }

        /// Moves the alarms to their new times.
        mutating func move(_ move: (Delivery) -> Delivery) {
            let first = self.unshown.first { $0.fires >= self.cut ?? .min }
            if self.cut != nil, let first { self.cut = move(first).fires }
            self.shown = self.shown.map(move)
            // Two alarms may have the same time afterwards.
            var seen: Set<Delivery> = []
            self.unshown = self.unshown.map(move).filter { seen.insert($0).inserted }.sorted { $0.fires < $1.fires }
            self.asked = self.asked.map(move).sorted { $0.fires < $1.fires }
        }

        mutating func show(_ alarms: [Delivery]) {
            guard let last = alarms.last else { return }
            self.shown = last
            self.unshown.removeAll(where: alarms.contains)
            // The alarms that fired after the request may still exceed the limit.
            self.list(anew: true)
        }
    }

    /// An unanswered request to show reminders, with the `serial` of each.
    struct Asked {
        let isSummary: Bool
        var serials: [ReminderID: Int] = [:]
    }

    static let memory: Int64 = 2 * 86_400

    var processed: Int64
    /// The time zone and the settings from which alarm times are computed.
    var alarmBasis: AlarmBasis
    /// Whether missed alarms are shown.
    var showsMissed = true
    /// The next alarm of each known reminder.
    var pending: [ReminderID: Int64?] = [:]
    var delivered: [ReminderID: Set<Delivery>] = [:]
    var open: [ReminderID: Open] = [:]
    /// Reminders with unshown alarms that no request covers.
    var unshown: Set<ReminderID> {
        Set(self.open.filter { _, open in open.unshown.contains { !open.asked.contains($0) } }.keys)
    }
    /// The unanswered requests, by token.
    var asked: [Int: Asked] = [:]
    private var serial = 0

    init(processed: Int64, by alarmBasis: AlarmBasis) {
        self.processed = processed
        self.alarmBasis = alarmBasis
    }

    private func delivery(_ ring: Life.Ring, _ reminder: ReminderID, _ world: World) -> Delivery {
        Delivery(occurrence: world.name(of: reminder, ring.occurrence), fires: ring.fires)
    }

    func next(_ reminder: ReminderID, after moment: Int64, _ world: World) -> Int64? {
        world.rings(reminder, self.alarmBasis).first { $0.fires > moment }?.fires
    }

    mutating func start(_ world: World, now: Int64, by alarmBasis: AlarmBasis) {
        self.pending = [:]
        for reminder in world.lives.keys {
            self.pending.updateValue(self.next(reminder, after: self.processed, world), forKey: reminder)
        }
        for reminder in Set(self.open.keys).union(self.delivered.keys) where world.lives[reminder] == nil {
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
                    // An unshown alarm is not over, however long ago it fired.
                    self.delivered[reminder, default: []].formUnion(open.unshown)
                }
            }
            for reminder in Array(self.pending.keys) { self.updateNext(of: reminder, after: now, world) }
        } else {
            for (reminder, next) in self.pending where next.map({ $0 <= now }) ?? false {
                guard world.lives[reminder] != nil else {
                    self.forget(reminder)
                    continue
                }
                self.deliver(reminder, after: self.processed, upTo: now, world)
                self.updateNext(of: reminder, after: now, world)
            }
            self.forget { $0 < now - Self.memory }
        }
        self.processed = now
    }

    private mutating func forget(_ isOver: (Int64) -> Bool) {
        for (reminder, alarms) in self.delivered {
            let rest = alarms.filter { !isOver($0.fires) }
            self.delivered[reminder] = rest.isEmpty ? nil : rest
        }
    }

    private mutating func updateNext(of reminder: ReminderID, after moment: Int64, _ world: World) {
        guard world.lives[reminder] != nil else { return self.forget(reminder) }
        self.pending.updateValue(self.next(reminder, after: moment, world), forKey: reminder)
    }

    private mutating func deliver(_ reminder: ReminderID, after from: Int64, upTo now: Int64, _ world: World) {
        let due = world.rings(reminder, self.alarmBasis).filter { $0.fires > from && $0.fires <= now }
        self.deliver(reminder, due.map { self.delivery($0, reminder, world) }, now, world)
    }

    private mutating func deliver(_ reminder: ReminderID, _ alarms: [Delivery], _ now: Int64, _ world: World) {
        let new = alarms.filter { self.delivered[reminder]?.contains($0) != true }
        guard let last = new.last, !world.isMuted(reminder) else { return }
        self.delivered[reminder, default: []].formUnion(new)
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

    /// The reminder gets its own notification, for all alarms that no summary has shown.
    private mutating func leaveSummary(_ reminder: ReminderID) {
        self.open[reminder]?.shown = nil
        self.open[reminder]?.isSummarized = false
        self.open[reminder]?.asked = []
        for (token, asked) in self.asked where asked.isSummary { self.asked[token]?.serials[reminder] = nil }
    }

    mutating func forget(_ reminder: ReminderID) {
        self.pending.removeValue(forKey: reminder)
        self.delivered[reminder] = nil
        self.open[reminder] = nil
    }

    /// - Parameter since: alarms after this moment fire; `nil` if none does.
    mutating func changed(_ reminders: [ReminderID], since: Int64?, _ now: Int64, _ world: World) {
        for reminder in reminders {
            guard world.lives[reminder] != nil else {
                self.forget(reminder)
                continue
            }
            self.updateSlot(reminder, world)
            if let since { self.deliver(reminder, after: since, upTo: now, world) }
            self.updateNext(of: reminder, after: now, world)
        }
    }

    /// Removes alarms that do not exist any more.
    mutating func updateSlot(_ reminder: ReminderID, _ world: World) {
        guard var open = self.open[reminder] else { return }
        let rings = Set(world.rings(reminder, self.alarmBasis).map { self.delivery($0, reminder, world) })
        open.unshown.removeAll { !rings.contains($0) }
        open.asked.removeAll { !rings.contains($0) }
        if let shown = open.shown, !rings.contains(shown) { open.shown = nil }
        let isOver = open.shown == nil && !open.hasListed
        self.open[reminder] = isOver || world.isMuted(reminder) ? nil : open
    }

    /// Alarms that were not shown and are in the future again fire at their time.
    mutating func takeBack(_ now: Int64) {
        for reminder in Array(self.open.keys) { self.takeBack(reminder, now) }
    }

    mutating func takeBack(_ reminder: ReminderID, _ now: Int64) {
        guard var open = self.open[reminder] else { return }
        let gone = open.unshown.filter { $0.fires > now && !open.asked.contains($0) }
        guard !gone.isEmpty else { return }
        self.delivered[reminder]?.subtract(gone)
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
            var places: [Delivery: Delivery] = [:]
            var skipped: [Delivery] = []
            for ring in world.rings(reminder, before) {
                let twin = new.first {
                    $0.occurrence == ring.occurrence && $0.alarm == ring.alarm && $0.count == ring.count
                }
                guard let twin else { continue }
                let (old, new) = (self.delivery(ring, reminder, world), self.delivery(twin, reminder, world))
                places[old] = new
                if ring.fires > now, twin.fires <= now { skipped.append(new) }
            }
            func move(_ alarm: Delivery) -> Delivery { places[alarm] ?? alarm }
            if let known = self.delivered[reminder] {
                // Older deliveries are not recorded.
                self.delivered[reminder] = Set(known.map { $0.fires >= now - Self.memory ? move($0) : $0 })
            }
            if var open = self.open[reminder] {
                open.move(move)
                self.open[reminder] = open
            }
            self.deliver(reminder, skipped.sorted { $0.fires < $1.fires }, now, world)
            self.updateNext(of: reminder, after: now, world)
            self.updateSlot(reminder, world)
        }
        self.takeBack(now)
    }

    // MARK: The screen

    /// The screen or the fallback is asked to show reminders with all of their unshown alarms.
    mutating func ask(_ token: Int, _ reminders: [ReminderID], isSummary: Bool) {
        var asked = Asked(isSummary: isSummary)
        for reminder in reminders {
            guard let open = self.open[reminder] else { continue }
            asked.serials[reminder] = open.serial
            self.open[reminder]?.asked = open.unshown
        }
        self.asked[token] = asked
    }

    /// Removes an answered request.
    ///
    /// Returns its reminders, except those with a different state since then.
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

    /// - Returns: the reminders that were not shown.
    mutating func notShown(_ token: Int) -> [ReminderID] {
        let reminders = self.answered(token)
        for reminder in reminders { self.open[reminder]?.asked = [] }
        return reminders
    }

    /// The fallback leaves no notification on the screen.
    mutating func deliveredByFallback(_ token: Int) {
        for reminder in self.answered(token) {
            guard var open = self.open[reminder] else { continue }
            open.show(open.asked)
            open.asked = []
            self.open[reminder] = open
            self.leave(reminder)
        }
    }

    /// All unanswered requests count as failed, because their outcome is unknown.
    mutating func doubtAll() {
        for token in self.asked.keys.sorted() { _ = self.notShown(token) }
    }

    /// The notification of the reminder is closed.
    ///
    /// Later alarms are still unshown.
    mutating func leave(_ reminder: ReminderID) {
        if self.open[reminder]?.unshown.isEmpty ?? true {
            self.open[reminder] = nil
        } else {
            self.open[reminder]?.shown = nil
        }
    }
}
