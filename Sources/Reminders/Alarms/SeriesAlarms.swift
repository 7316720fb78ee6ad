import RemindavICalendar
import RemindavRecurrence

/// The alarms of all occurrences of a repeating reminder.
struct SeriesAlarms: Sendable {
    private let series: ReminderSeries
    /// The alarms that this machine shows, for each VTODO of the series, by the byte offset of the VTODO in the text.
    private let alarms: [Int: [Alarm]]
    private let clock: AlarmClock
    private let snoozes: Snoozes
    private let acknowledged: Instant?
    /// Whether only the first open occurrence fires, because the later dates count from its completion.
    private let hasNextOnly: Bool
    /// The largest number of seconds by which an alarm precedes the start of its occurrence.
    private let lead: Int
    /// The largest number of seconds by which an alarm follows the end of its occurrence.
    private let lag: Int

    /// The most open occurrences that a search visits, about one per hour of a year; a rule can have one every second.
    static let maximumOccurrences = 10_000
    /// The largest distance in seconds between an occurrence and its alarm: 400 days, more than users choose.
    ///
    /// A search visits all occurrences within this distance, so a larger one would be slow.
    static let maximumReach = 400 * ClockTime.secondsPerDay
    /// The most snoozed occurrences that a search visits; Thunderbird leaves a property for each former snooze.
    static let maximumSnoozes = 100
    /// The number of lines of a to-do that can be read in the time of one step of a ``StepBudget``.
    private static let linesPerStep = 16

    init(_ series: ReminderSeries, clock: AlarmClock) {
        let reminder = series.reminder
        self.series = series
        self.clock = clock
        self.snoozes = Snoozes(reminder)
        self.hasNextOnly = reminder.recurrenceRule?.countsFromCompletion ?? false
        self.acknowledged = reminder.main.lastAcknowledged
        let todos = reminder.object.todos.map { ($0, $0.notifyingAlarms) }
        self.alarms = Dictionary(todos.map { ($0.0.range.lowerBound, $0.1) }, uniquingKeysWith: { first, _ in first })
        let reaches = todos.flatMap { Self.reaches(of: $0.0, $0.1, clock) }
        self.lead = Self.reach(reaches.map { -$0.lowerBound }.max() ?? 0)
        self.lag = Self.reach(reaches.map(\.upperBound).max() ?? 0)
    }

    /// Adds a margin for clock changes: two hours, or one day if the distance is at least a day (Samoa skipped a day).
    private static func reach(_ seconds: Int) -> Int {
        guard seconds > 0 else { return 0 }
        return min(seconds + (seconds < ClockTime.secondsPerDay ? 7200 : ClockTime.secondsPerDay), Self.maximumReach)
    }

    /// For each alarm, the range from its first to its last firing, in seconds relative to its occurrence.
    private static func reaches(of todo: Component, _ alarms: [Alarm], _ clock: AlarmClock) -> [ClosedRange<Int>] {
        // An occurrence starts at DTSTART or at DUE; the distance of an absolute TRIGGER to each of them is used.
        let begins = [todo.first(.dtstart)?.moment, todo.due].compactMap { $0 }.map(clock.instant)
        return alarms.compactMap { alarm in
            let interval = alarm.interval?.nominalSeconds ?? 0
            let firsts: [Int]
            switch alarm.trigger {
            case .relative(let duration, to: _): firsts = [duration.nominalSeconds]
            case .absolute(let instant):
                firsts = begins.map { Int(instant.secondsSince1970 - $0.secondsSince1970) }
            case nil: return nil
            }
            return min(firsts.min() ?? 0, 0)...max((firsts.max() ?? 0) + alarm.repeats * interval, 0)
        }
    }

    /// Adds the alarms in the searched period; if further dates cannot be computed, the found alarms remain.
    func search(_ search: inout AlarmSearch) {
        let budget = self.series.series.budget
        budget.renew()
        // The time to read an occurrence grows with the lines of its component.
        let lines = self.series.reminder.object.todos.map(\.properties.count).max() ?? 0
        let steps = 1 + lines / Self.linesPerStep
        var seen: Set<String> = []
        for (focus, snooze) in self.snoozedOccurrences(search) { self.add(focus, snooze, to: &search, &seen) }
        do throws(RecurrenceError) {
            let from = self.hasNextOnly ? nil : search.from.adding(seconds: -self.lag)
            var open = try self.series.open(from: from)
            for _ in 0..<(self.hasNextOnly ? 1 : Self.maximumOccurrences) {
                guard let occurrence = try open.next() else { return }
                try budget.spend(steps)
                if let last = search.last, occurrence.begins > last.adding(seconds: self.lead) { return }
                let focus = self.series.focus(on: occurrence)
                let snooze = self.snoozes.snooze(of: focus, isFirst: false, isFirstOfItsOwn: false)
                self.add(focus, snooze, to: &search, &seen)
            }
        } catch {
            budget.giveUp()
        }
    }

    private func add(_ focus: Focus, _ snooze: Snooze?, to search: inout AlarmSearch, _ seen: inout Set<String>) {
        let name = focus.occurrence.recurrenceID.map(self.series.series.name)
        guard seen.insert(name ?? "").inserted else { return }
        let reminder = Reminder(self.series.reminder, focus: focus)
        let firings = OccurrenceAlarms(
            reminder: reminder,
            alarms: self.alarms[reminder.todo.range.lowerBound] ?? reminder.todo.notifyingAlarms,
            snooze: snooze,
            acknowledged: [self.acknowledged, reminder.todo.lastAcknowledged].compactMap { $0 }.max(),
            clock: self.clock
        )
        search.add(firings.all, of: reminder, name: name)
    }

    // MARK: Snoozes

    /// The occurrences, of any date, with a snooze that ends after the beginning of the searched period.
    private func snoozedOccurrences(_ search: AlarmSearch) -> [(Focus, Snooze?)] {
        var found: [(Focus, Snooze?)] = []
        if let unnamed = self.snoozes.unnamed, unnamed.until > search.from,
            let first = self.first(try? self.series.open())
        {
            let isFirstOfItsOwn = first.occurrence.component.isForFuture
            found.append((first, self.snoozes.snooze(of: first, isFirst: true, isFirstOfItsOwn: isFirstOfItsOwn)))
        }
        let overrides = self.series.reminder.object.overrides
        let own = overrides.compactMap { override in Snooze.last(of: override.unnamedSnoozes).map { ($0, override) } }
        for component in Self.nearest(own, after: search.from) {
            guard let focus = self.first(try? self.series.open(describedBy: component)) else { continue }
            found.append((focus, self.snoozes.snooze(of: focus, isFirst: false, isFirstOfItsOwn: true)))
        }
        let named = Self.nearest(self.snoozes.named.map { ($0.value, $0.key) }, after: search.from)
        guard !named.isEmpty else { return found }
        let singles = self.singles
        for stamp in named {
            guard let focus = self.focus(numbered: stamp, singles) else { continue }
            found.append((focus, self.snoozes.snooze(of: focus, isFirst: false, isFirstOfItsOwn: false)))
        }
        return found
    }

    /// ``Focus/stamp`` of each open occurrence with an unacknowledged snooze.
    var openSnoozes: Set<Int64> {
        let seen = self.acknowledged ?? Instant(secondsSince1970: .min)
        let named = Self.nearest(self.snoozes.named.map { ($0.value, $0.key) }, after: seen)
        guard !named.isEmpty else { return [] }
        let singles = self.singles
        return Set(named.filter { self.focus(numbered: $0, singles) != nil })
    }

    /// The overrides of single occurrences, by ``Focus/stamp`` of the occurrence.
    private var singles: [Int64: Component] {
        Dictionary(
            self.series.reminder.object.overrides.filter(\.isSingle).compactMap { override in
                override.recurrenceID?.moment.map { (self.series.stamp($0), override) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// At most ``maximumSnoozes`` occurrences or components with a snooze that ends after `from`, ordered by the ends.
    private static func nearest<Subject>(_ snoozes: [(Snooze, Subject)], after from: Instant) -> [Subject] {
        let wanted = snoozes.filter { $0.0.until > from }.sorted { $0.0.until < $1.0.until }
        return wanted.prefix(self.maximumSnoozes).map(\.1)
    }

    private func first(_ occurrences: SeriesOccurrences?) -> Focus? {
        var occurrences = occurrences
        return ((try? occurrences?.next()) ?? nil).map(self.series.focus)
    }

    /// The open occurrence with this ``Focus/stamp``; `nil` when there is none.
    private func focus(numbered stamp: Int64, _ singles: [Int64: Component]) -> Focus? {
        if let single = singles[stamp] {
            return self.first(try? self.series.open(describedBy: single))
        }
        guard let id = self.id(numbered: stamp) else { return nil }
        // The main VTODO or a THISANDFUTURE override describes an occurrence without an override of its own.
        let describing = [self.series.series.main].compactMap { $0 } + self.series.series.futures.map(\.component)
        for component in describing {
            guard var open = try? self.series.open(describedBy: component, fromID: id) else { continue }
            for _ in 0..<Self.maximumOccurrences {
                guard let occurrence = (try? open.next()) ?? nil else { break }
                let focus = self.series.focus(on: occurrence)
                if focus.stamp == stamp { return focus }
                if focus.stamp > stamp { break }
            }
        }
        return nil
    }

    /// The RECURRENCE-ID for a ``Focus/stamp``; its local time may be one that a clock change skips.
    private func id(numbered stamp: Int64) -> CalendarDateOrDateTime? {
        guard let start = self.series.series.start ?? self.series.reminder.main.recurrenceID?.moment else { return nil }
        switch start {
        case .date: return .date(CalendarDateTime(localSeconds: stamp, zone: .floating).date)
        case .dateTime(let time) where time.zone == .floating:
            return .dateTime(CalendarDateTime(localSeconds: stamp, zone: .floating))
        case .dateTime(let time):
            let instant = Instant(secondsSince1970: stamp)
            let zones = self.clock.zones
            let dayBefore = instant.adding(seconds: -ClockTime.secondsPerDay)
            guard let offset = zones.offset(of: time.zone, at: instant)?.seconds,
                let before = zones.offset(of: time.zone, at: dayBefore)?.seconds
            else { return nil }
            let local = stamp + Int64(offset - max(0, offset - before))
            return .dateTime(CalendarDateTime(localSeconds: local, zone: time.zone))
        }
    }
}

extension CalendarDuration {
    /// The duration in seconds, if each day has 24 hours.
    fileprivate var nominalSeconds: Int { self.days * ClockTime.secondsPerDay + self.seconds }
}
