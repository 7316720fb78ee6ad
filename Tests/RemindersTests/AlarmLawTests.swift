import Foundation
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavTestSupport
import Testing

/// Compares random histories of reminders with a model without iCalendar, which lists every occurrence and every alarm.
@Suite("laws of alarms")
struct AlarmLawTests {
    /// The total number of edits; set `REMINDAV_ALARM_EDITS=100000` for a longer test.
    private static let edits = Int(ProcessInfo.processInfo.environment["REMINDAV_ALARM_EDITS"] ?? "") ?? 3000
    /// Edits of one reminder.
    private static let editsOfOne = 40

    @Test("an open reminder with a future alarm has one pending alarm, at its time; every other one has none")
    func pendingAlarms() throws {
        var done = 0
        var seed = 0
        while done < Self.edits {
            seed += 1
            var life = AlarmLife(seed: UInt64(seed))
            try life.check("seed \(seed), at the beginning")
            for step in 0..<min(Self.editsOfOne, Self.edits - done) {
                let operation = life.edit()
                try life.check("seed \(seed), step \(step): \(operation)\n\(life.text)")
                done += 1
            }
        }
    }

    @Test("the alarms of two periods are the alarms of both together, and the next one is the first of them")
    func periods() throws {
        for seed: UInt64 in 0..<100 {
            var random = SeededGenerator(seed)
            let text = RandomSeries.text(&random)
            let plan = try #require(Reminder(ICalendarDocument(text))).plan()
            let from = Int64(1_773_500_000 + Int.random(in: 0..<300, using: &random) * 86_400)
            let times = [0, 1, 9, 40].map { Instant(secondsSince1970: from + $0 * 43_201) }
            let parts = zip(times, times.dropFirst()).flatMap { plan.alarms(after: $0, upTo: $1) }
            let whole = plan.alarms(after: times[0], upTo: times[3])
            try #require(parts == whole, "seed \(seed)\n\(text)")
            let next = plan.next(after: times[0])
            try #require(whole.isEmpty || next == whole[0], "seed \(seed)\n\(text)")
            try #require(next.map { $0.fires > times[0] } ?? true, "seed \(seed)\n\(text)")
            if whole.isEmpty, let next { try #require(next.fires > times[3], "seed \(seed)\n\(text)") }
        }
    }

    @Test("each open occurrence of a random series fires as its component states, and no other fires")
    func series() throws {
        for seed: UInt64 in 0..<100 {
            var random = SeededGenerator(seed)
            let text = RandomSeries.text(&random)
            let reminder = try #require(Reminder(ICalendarDocument(text)))
            let resolver = zones(reminder)
            let series = try Series(reminder.object.todos, countsStart: true, resolver: resolver)
            var open = try series.occurrences { !["COMPLETED", "CANCELLED"].contains($0.first(.status)?.value) }
            let end = Instant(secondsSince1970: 1_810_000_000)
            var expected: [String] = []
            while let next = try open.next(), next.begins.adding(seconds: -3600) <= end {
                let name = next.recurrenceID.map(series.name) ?? "alone"
                // The to-do of the rule has an alarm ten minutes before its start; overrides have none.
                let isOfRule = next.component.all(.summary).first?.value == "of the rule"
                let due = next.component.first(.due) == nil && next.component.first(.duration) == nil
                guard let anchor = isOfRule ? next.start ?? next.end : due ? nil : next.end ?? next.start else {
                    continue
                }
                var moment = anchor
                if case .date(let day) = anchor {
                    let seconds = Int64(day.dayNumber * 86_400) + (isOfRule ? 0 : 9 * 3600)
                    moment = .dateTime(CalendarDateTime(localSeconds: seconds - (isOfRule ? 600 : 0), zone: .floating))
                }
                let exact = isOfRule && !anchor.isDate ? -600 : 0
                let fires = try #require(resolver.instant(of: moment)).adding(seconds: exact)
                if fires <= end { expected.append("\(fires.wire) \(name)") }
            }
            let plan = AlarmPlan(reminder, zones: resolver)
            let found = plan.alarms(after: Instant(secondsSince1970: 0), upTo: end)
            let names = found.map { "\($0.fires.wire) \($0.id.occurrence ?? "alone")" }
            try #require(names.sorted() == expected.sorted(), "seed \(seed)\n\(text)")
        }
    }
}

/// A reminder without a text: its due time, completions, acknowledgement and snooze.
private struct AlarmModel {
    enum Form: CaseIterable { case utc, zoned, floating, day }

    /// An alarm relative to the occurrence, or one at a moment.
    struct Alarm {
        var days = 0
        var seconds = 0
        var moment: Instant?
        var acknowledged: Instant?
        var repeats = 0
        var interval = 0
    }

    struct Ring: Hashable {
        let fires: Instant
        let occurrence: Int
    }

    var form: Form
    /// The first due time, in local seconds.
    var start: Int64
    /// Days from one occurrence to the next; `nil` without a repetition.
    var step: Int?
    var count: Int?
    var alarms: [Alarm]
    var done: [Int] = []
    /// The end of the snooze of each snoozed occurrence.
    var snoozes: [Int: Instant] = [:]
    var acknowledged: Instant?

    func isOpen(_ occurrence: Int) -> Bool { !self.done.contains(occurrence) }

    var first: Int? {
        let last = self.step == nil ? 1 : self.count ?? .max
        return (0..<last).first(where: self.isOpen)
    }

    func local(_ occurrence: Int) -> Int64 { self.start + Int64(occurrence * (self.step ?? 0) * 86_400) }

    func moment(_ local: Int64) -> CalendarDateOrDateTime {
        switch self.form {
        case .utc: .dateTime(CalendarDateTime(localSeconds: local, zone: .utc))
        case .zoned: .dateTime(CalendarDateTime(localSeconds: local, zone: .named("Europe/Berlin")))
        case .floating: .dateTime(CalendarDateTime(localSeconds: local, zone: .floating))
        case .day: .date(CalendarDateTime(localSeconds: local, zone: .utc).date)
        }
    }

    private func instant(_ local: Int64, _ zones: TimeZoneResolver) -> Instant {
        let zone: ZoneReference = self.form == .utc ? .utc : self.form == .zoned ? .named("Europe/Berlin") : .floating
        let time = CalendarDateTime(localSeconds: local, zone: zone)
        return zones.instant(of: time) ?? Instant(secondsSince1970: 0)
    }

    func name(_ occurrence: Int, _ zones: TimeZoneResolver) -> String? {
        guard self.step != nil else { return nil }
        let local = self.local(occurrence)
        switch self.form {
        case .utc, .zoned: return self.instant(local, zones).wire
        case .floating, .day: return self.moment(local).wire
        }
    }

    /// Returns the moment of an alarm of an occurrence.
    private func times(_ alarm: Alarm, _ occurrence: Int, _ zones: TimeZoneResolver) -> [Instant] {
        let local = self.local(occurrence) + Int64(alarm.days * 86_400)
        let first: Instant
        if let moment = alarm.moment {
            first = moment
        } else if self.form == .day {
            first = self.instant(local + Int64(alarm.seconds == 0 ? 9 * 3600 : alarm.seconds), zones)
        } else {
            first = self.instant(local, zones).adding(seconds: alarm.seconds)
        }
        return (0...alarm.repeats).map { first.adding(seconds: $0 * alarm.interval) }
    }

    private func rings(_ occurrence: Int, _ zones: TimeZoneResolver) -> [Ring] {
        let until = self.snoozes[occurrence]
        var fires: [Instant] = []
        for alarm in self.alarms {
            fires += self.times(alarm, occurrence, zones).filter { time in alarm.acknowledged.map { time > $0 } ?? true
            }
        }
        if self.alarms.isEmpty { fires = self.times(Alarm(), occurrence, zones) }
        if let until { fires = fires.filter { $0 > until } + [until] }
        return fires.filter { time in self.acknowledged.map { time > $0 } ?? true }
            .map { Ring(fires: $0, occurrence: occurrence) }
    }

    /// Returns all alarms up to a moment.
    func rings(upTo end: Instant, _ zones: TimeZoneResolver) -> Set<Ring> {
        var rings: Set<Ring> = []
        for occurrence in 0..<(self.step == nil ? 1 : self.count ?? .max) {
            // Alarms are at most two days before the occurrence; a snoozed alarm fires at the end of its snooze.
            let isPast = occurrence > self.snoozes.keys.max() ?? 0
            if isPast, self.local(occurrence) - 4 * 86_400 > end.secondsSince1970 { break }
            if self.isOpen(occurrence) { rings.formUnion(self.rings(occurrence, zones)) }
        }
        return rings.filter { $0.fires <= end }
    }
}

/// A reminder with random edits, its model, and the delivered alarms.
private struct AlarmLife {
    private static let places = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Asia/Tokyo"]
    /// The next alarm of every reminder is at most this number of seconds after now and after its first open
    /// occurrence.
    private static let horizon = 15 * 86_400

    private var random: SeededGenerator
    private var now: Instant
    private var zones = Self.zones("Europe/Berlin")
    private let shape: CompletionShape
    private var reminder: Reminder?
    private var model: AlarmModel?

    init(seed: UInt64) {
        self.random = SeededGenerator(seed)
        // Days before the clocks of Berlin change, in spring and in autumn.
        let start: Int64 = Bool.random(using: &self.random) ? 1_774_400_000 : 1_792_500_000
        self.now = Instant(secondsSince1970: start + Int64.random(in: 0..<86_400, using: &self.random))
        self.shape = Bool.random(using: &self.random) ? .roll : .override
        self.add()
    }

    var text: String { self.reminder.map { String(decoding: $0.object.document.bytes, as: UTF8.self) } ?? "deleted" }

    private var context: EditingContext { EditingContext(now: self.now) { _ in nil } }

    private static func zones(_ place: String) -> TimeZoneResolver {
        TimeZoneResolver(database: database, calendar: nil, local: place)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[self.number(0...values.count - 1)] }

    /// Returns a start within days from now, at a time that may be skipped or repeated.
    private mutating func newStart(_ form: AlarmModel.Form) -> Int64 {
        let day = self.now.secondsSince1970 / 86_400 + Int64(self.number(-2...8))
        return day * 86_400 + (form == .day ? 0 : Int64(self.pick([0, 150, 540, 1410]) * 60))
    }

    private mutating func add() {
        let form = self.pick(AlarmModel.Form.allCases)
        let step = self.pick([nil, nil, 1, 1, 7])
        let count = step == nil || Bool.random(using: &self.random) ? nil : self.number(1...5)
        var alarms: [AlarmModel.Alarm] = []
        for _ in 0..<self.number(0...2) {
            var alarm = AlarmModel.Alarm()
            switch self.number(0...3) {
            case 0: alarm.days = -self.number(0...2)
            case 1: alarm.seconds = -60 * self.number(1...600)
            case 2: alarm.seconds = 60 * self.number(1...600)
            default:
                if step == nil { alarm.moment = self.now.adding(seconds: self.number(-90_000...90_000)) }
            }
            if self.number(0...3) == 0 { (alarm.repeats, alarm.interval) = (self.number(1...3), 300) }
            alarms.append(alarm)
        }
        let model = AlarmModel(form: form, start: self.newStart(form), step: step, count: count, alarms: alarms)
        let due = ContentLine(.due, moment: model.moment(model.start)).bytes().dropLast(2)
        var lines = ["SUMMARY:a", String(decoding: due, as: UTF8.self)]
        if let step {
            lines.append("RRULE:FREQ=\(step == 1 ? "DAILY" : "WEEKLY")\(count.map { ";COUNT=\($0)" } ?? "")")
        }
        for (index, one) in alarms.enumerated() {
            let duration = CalendarDuration(days: one.days, seconds: one.seconds).wire
            let trigger = one.moment.map { "TRIGGER;VALUE=DATE-TIME:\($0.wire)" } ?? "TRIGGER;RELATED=END:\(duration)"
            let again = one.repeats == 0 ? [] : ["REPEAT:\(one.repeats)", "DURATION:PT5M"]
            lines.append(alarm(trigger, (["UID:alarm-\(index)"] + again).joined(separator: "\r\n")))
        }
        self.model = model
        self.reminder = todo(lines)
    }

    // MARK: Edits

    /// Makes a random edit.
    ///
    /// Returns its description.
    mutating func edit() -> String {
        guard self.reminder != nil else {
            self.add()
            return "add"
        }
        switch self.number(0...15) {
        case 0...3: return self.wait(self.number(1...90_000))
        case 4: return self.wait(self.number(1...600))
        case 5, 6: return self.snooze()
        case 7, 8: return self.complete()
        case 9: return self.reopen()
        case 10: return self.acknowledgeAll()
        case 11: return self.acknowledgeOne()
        case 12: return self.travel()
        case 13: return self.reschedule()
        case 14: return self.rename()
        default: return self.number(0...3) == 0 ? self.delete() : self.wait(1)
        }
    }

    private mutating func wait(_ seconds: Int) -> String {
        self.now = self.now.adding(seconds: seconds)
        return "wait until \(self.now)"
    }

    private mutating func travel() -> String {
        let place = self.pick(Self.places)
        self.zones = Self.zones(place)
        return "travel to \(place)"
    }

    private mutating func snooze() -> String {
        guard let first = self.model?.first, let old = self.reminder else { return "nothing to snooze" }
        let until = self.now.adding(seconds: self.pick([300, 900, 1800, 3600, 90_000]))
        self.model?.snoozes[first] = until
        self.model?.acknowledged = self.now
        // The first alarm gets the acknowledgement in the other dialect.
        if self.model?.alarms.isEmpty == false { self.model?.alarms[0].acknowledged = self.now }
        self.reminder = old.snoozing(until: until, in: self.context, zones: self.zones)
        return "snooze \(first) until \(until)"
    }

    private mutating func complete() -> String {
        guard var model = self.model, let first = model.first, let old = self.reminder else {
            return "nothing to complete"
        }
        model.done.append(first)
        // Other snoozed occurrences stay snoozed until they are acknowledged.
        let seen = model.acknowledged
        model.snoozes = model.snoozes.filter { occurrence, until in
            occurrence != first && seen.map { until > $0 } ?? true
        }
        if self.shape == .roll, model.first != nil {
            // After the series has advanced, the next occurrence is unacknowledged.
            model.acknowledged = nil
            for index in model.alarms.indices { model.alarms[index].acknowledged = nil }
        }
        self.model = model
        let completed = try? old.completing(in: self.context, zones: self.zones, shape: self.shape)
        self.reminder = completed?.reminder
        return "complete \(first)"
    }

    private mutating func reopen() -> String {
        guard let old = self.reminder, let last = self.model?.done.last else { return "nothing to reopen" }
        self.now = self.now.adding(seconds: 1)
        // A reminder that has advanced is not reopened, because that would open its copy.
        if self.model?.step == nil || self.shape == .override || self.model?.first == nil {
            self.model?.done.removeLast()
        }
        self.reminder = old.reopening(in: self.context, zones: self.zones)
        return "reopen \(last)"
    }

    private mutating func acknowledgeAll() -> String {
        self.model?.acknowledged = self.now
        self.write { todo, editor, now in editor.set(ContentLine(.mozLastAck, value: now)) }
        return "see to all"
    }

    private mutating func acknowledgeOne() -> String {
        guard let count = self.model?.alarms.count, count > 0 else { return "no alarm to see to" }
        let index = self.number(0...count - 1)
        self.model?.alarms[index].acknowledged = self.now
        self.write { todo, editor, now in
            guard let alarm = todo.components(.valarm).first(where: { $0.first(.uid)?.text == "alarm-\(index)" }) else {
                return
            }
            editor.edit(alarm) { $0.set(ContentLine(.acknowledged, value: now)) }
        }
        return "see to alarm \(index)"
    }

    private mutating func write(_ body: (Component, inout ComponentEditor, String) -> Void) {
        guard let object = self.reminder?.object else { return }
        var editor = ComponentEditor(object.main)
        body(object.main, &editor, self.now.wire)
        self.reminder = Reminder(object.document.applying(editor.edits))
    }

    /// Moves the reminder or the whole series, but no series with overrides, because overrides do not move.
    private mutating func reschedule() -> String {
        guard var model = self.model, let first = model.first, let old = self.reminder else { return "nothing to move" }
        guard self.shape == .roll || model.done.isEmpty else { return "not moved" }
        let new = self.newStart(model.form)
        guard new != model.local(first) else { return "moved nowhere" }
        model.start = new - Int64(first * (model.step ?? 0) * 86_400)
        model.snoozes = [:]
        self.model = model
        var change = ReminderChange()
        change.due = .set(model.moment(new))
        self.reminder = old.current(zones: self.zones).applying(change, in: self.context)
        return "move to \(model.moment(new))"
    }

    private mutating func rename() -> String {
        guard self.shape == .roll || self.model?.done.isEmpty ?? true else { return "not renamed" }
        var change = ReminderChange()
        change.title = "b \(self.number(0...99))"
        self.reminder = self.reminder?.current(zones: self.zones).applying(change, in: self.context)
        return "rename"
    }

    private mutating func delete() -> String {
        self.reminder = nil
        self.model = nil
        return "delete"
    }

    // MARK: Checks

    mutating func check(_ comment: String) throws {
        let comment = Comment(rawValue: comment)
        let first = self.model.flatMap { model in model.first.map { Instant(secondsSince1970: model.local($0)) } }
        let horizon = max(self.now, first ?? self.now).adding(seconds: Self.horizon)
        let rings = self.model?.rings(upTo: horizon, self.zones) ?? []
        let expected = rings.filter { $0.fires > self.now }.min { $0.fires < $1.fires }
        let plan = self.reminder.map { AlarmPlan($0, zones: self.zones) }
        let next = plan?.next(after: self.now)
        try #require(next?.fires == expected?.fires, comment)
        // The time never goes beyond the end of a snooze.
        for (occurrence, until) in self.model?.snoozes ?? [:] where until > self.now {
            if let next, next.id.occurrence == self.model?.name(occurrence, self.zones) {
                try #require(next.fires >= until, comment)
            }
        }
        let title = self.reminder?.current(zones: self.zones).title
        try #require(next.map { $0.title == title } ?? true, comment)
        let all = plan?.alarms(after: Instant(secondsSince1970: 0), upTo: horizon) ?? []
        let standing = plan?.standing(at: self.now)
        try #require(standing?.pending == next, comment)
        try #require(standing?.unacknowledged == all.first { $0.fires <= self.now }, comment)
        let names = Set(rings.map { "\($0.fires) \(self.model?.name($0.occurrence, self.zones) ?? "alone")" })
        try #require(all.count == names.count, comment)
        try #require(Set(all.map { "\($0.fires) \($0.id.occurrence ?? "alone")" }) == names, comment)
    }
}
