import RemindavICalendar
import RemindavNotifications
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport

/// A broken rule.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// The number of new notifications that one event causes.
struct Burst {
    var all = 0
    /// New notifications of missed alarms, without retries.
    var late = 0
    /// New notifications of alarms on time, without retries.
    var onTime = 0
}

/// Twenty years of reminders with the program, the screen and random events.
final class History {
    let world: World
    let home: String
    private let verbose: Bool
    /// The reminder that is printed after each event.
    let watched: ReminderID?
    var lastWatched = ""
    let size: Int
    private let calm: Int
    var random: SeededGenerator
    /// The correct time.
    ///
    /// The clock of the machine shows ``now``.
    var time: Int64
    let begin: Int64
    let end: Int64
    var skew: Int64 = 0
    var local: String
    var settings = SchedulerSettings()
    var scheduler: AlarmScheduler
    var kept = DeliveryState()
    var expectation: Expectation
    var wake: Int64?
    /// The time of the clock since which no service exists.
    var missing: Int64?
    /// Actions with the answer that they can never be written.
    var refused: [PendingAction] = []
    // The screen.
    var service: String?
    var services = 0
    var notifications: [UInt32: ReminderID?] = [:]
    var lastNumber: UInt32 = 0
    var answers: [SchedulerEvent] = []
    var changed: [ReminderID] = []
    var backingOff: Set<ReminderID> = []
    var burst = Burst()
    var isSettling = false
    var isIdle = false
    var idle = 0
    var events = 0
    var deliveredCount = 0
    var summaries = 0

    var now: Int64 { self.time + self.skew }
    var alarmBasis: AlarmBasis { AlarmBasis(local: self.local, alarms: self.settings.alarms) }

    init(
        seed: UInt64,
        index: Int,
        size: Int,
        years: Int,
        clocks: [String: Clock],
        database: ZoneDatabase,
        verbose: Bool,
        watched: ReminderID? = nil
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
        self.scheduler = AlarmScheduler(records: DeliveryState(), settings: SchedulerSettings())
        self.expectation = Expectation(processed: self.begin, by: AlarmBasis(local: self.home))
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }
    func chance(_ count: Int) -> Bool { self.number(1...count) == 1 }
    func pick<Value>(_ values: [Value]) -> Value { values[self.number(0...values.count - 1)] }

    /// A random length from one second to a limit, with many short lengths.
    func length(upTo limit: Int64) -> Int64 {
        var length = limit
        while length > 60, self.chance(2) { length /= 8 }
        return Int64.random(in: 1...max(length, 1), using: &self.random)
    }

    func log(_ words: @autoclosure () -> String) {
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

    /// At the end, when all services work, every fired alarm has to be shown.
    private func settle() throws {
        self.isSettling = true
        self.settings = SchedulerSettings()
        self.world.listIsMuted = false
        self.world.labelIsMuted = false
        try self.handle(.settings(self.settings))
        if self.service == nil { try self.startService() }
        for _ in 0..<10 {
            while !self.answers.isEmpty || !self.changed.isEmpty { try self.answer() }
            self.time += 400
            try self.handle(.clock)
        }
        try self.compare()
        let left = self.expectation.unshown.sorted()
        guard left.isEmpty else { throw Broken(description: "never shown: \(left.prefix(5))") }
    }

    func step() throws {
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
        default: try self.handle(.clock)
        }
    }
}
