import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// The options that each state a condition of a filter; a reminder must meet all of them.
struct FilterConditions: Hashable, Sendable {
    static let options = [
        Option("--list", value: "NAME", occurs: .many, "Only reminders in this list, or one of several"),
        .labelFilter,
        Option(
            "--with-label",
            value: "NAME",
            occurs: .many,
            "Only reminders with this label; repeated: with all of them"
        ),
        Option("--without-label", value: "NAME", occurs: .many, "Only reminders without this label"),
        Option("--section", value: "SECTION", "Only this section: today, upcoming or completed"),
        Option("--overdue", "Only overdue reminders"),
        Option("--due-before", value: "WHEN", "Only if due before this time, or before this day"),
        Option("--due-after", value: "WHEN", "Only if due after this time, or after this day"),
        Option("--due-on", value: "DAY", "Only if due on this day"),
        Option("--no-date", "Only reminders without a due date"),
        Option("--started", "Only reminders that do not start later"),
        Option("--not-started", "Only reminders that start later"),
        Option("--blocked", "Only reminders that depend on an open one"),
        Option("--not-blocked", "Only reminders that depend on no open one"),
        Option("--in-progress", "Only reminders in progress"),
        Option(
            "--priority",
            value: "PRIORITY",
            occurs: .many,
            "Only this priority, or one of several; none: without one"
        ),
        Option("--text", value: "WORD", occurs: .many, "Only reminders that contain this text; repeated: all of them"),
    ]

    /// The conditions that depend neither on the clock nor on the zone.
    private var filter = ReminderFilter()
    private var before: TimeBound?
    private var after: TimeBound?
    private var on: TimeBound?

    init() {}

    /// - Parameter ofEdit: whether the options are ``FilterOptions/optionsOfEdit``.
    init(_ arguments: Arguments, ofEdit: Bool = false) throws(UsageError) {
        let (list, priority) = ofEdit ? ("--from-list", "--from-priority") : ("--list", "--priority")
        self.before = try Self.bound("--due-before", arguments)
        self.after = try Self.bound("--due-after", arguments)
        self.on = try Self.bound("--due-on", arguments)
        if let on, !on.isDay {
            let text = Sanitizer.excerpt(arguments.value("--due-on") ?? "")
            throw UsageError(.badWhen, "'--due-on' must be a day such as today or 2026-12-01, not '\(text)'.")
        }
        self.filter.lists = try Self.names(arguments.values(list))
        if !ofEdit { self.filter.labels = try ArgumentValues.labels(arguments.values("--label")) }
        self.filter.requiredLabels = try ArgumentValues.labels(arguments.values("--with-label"))
        self.filter.excludedLabels = try ArgumentValues.labels(arguments.values("--without-label"))
        self.filter.section = try arguments.value("--section", ArgumentValues.section)
        self.filter.isOverdue = arguments.flag("--overdue")
        if arguments.flag("--started") { self.filter.starts.insert(.started) }
        if arguments.flag("--not-started") { self.filter.starts.insert(.later) }
        let isBlocked = arguments.flag("--blocked")
        if isBlocked, arguments.flag("--not-blocked") {
            throw UsageError(.badValue, "'--blocked' and '--not-blocked' cannot be combined.")
        }
        if isBlocked || arguments.flag("--not-blocked") { self.filter.isBlocked = isBlocked }
        self.filter.isInProgress = arguments.flag("--in-progress")
        for word in try Self.names(arguments.values(priority)) {
            self.filter.priorities.insert(try ArgumentValues.priority(word))
        }
        let words = arguments.values("--text")
        if !words.isEmpty { self.filter.query = try ArgumentValues.query(words) }
        guard arguments.flag("--no-date") else { return }
        if let name = ["--due-before", "--due-after", "--due-on"].first(where: { arguments.value($0) != nil }) {
            throw UsageError(.badValue, "'--no-date' and '\(name)' cannot be combined.")
        }
        self.filter.due = .absent
    }

    /// The values that commas separate; a name with a comma is in quotation marks.
    private static func names(_ texts: [String]) throws(UsageError) -> [String] {
        var names: [String] = []
        for text in texts { names += text.contains(",") ? try LabelText.names(text) : [text] }
        return names
    }

    private static func bound(_ name: String, _ arguments: Arguments) throws(UsageError) -> TimeBound? {
        guard let text = arguments.value(name) else { return nil }
        return try TimeBound(text, option: name)
    }

    /// Joins the words of a date without quotation marks, for a command that has no operands after its options.
    static func joinPhrases(in arguments: inout Arguments) throws(UsageError) {
        for name in ["--due-before", "--due-after", "--due-on"] {
            try arguments.joinPhrase(of: name) { (try? When($0)) != nil }
        }
    }

    /// The filter at the present time in the local zone; it selects open reminders, except for the section Completed.
    func filter(now: Instant, zone: () throws -> LocalZone) throws -> ReminderFilter {
        var filter = self.filter
        guard self.before != nil || self.after != nil || self.on != nil else { return filter }
        let local = try zone()
        func interval(_ bound: TimeBound?) -> Range<Instant>? { bound?.moment(now: now, zone: local).interval(local) }
        let (before, on, after) = (interval(self.before), interval(self.on), interval(self.after))
        filter.due = .within(
            from: [on?.lowerBound, after?.upperBound].compactMap(\.self).max(),
            before: [before?.lowerBound, on?.upperBound].compactMap(\.self).min()
        )
        return filter
    }
}

extension CalendarDateOrDateTime {
    /// A day in the local zone, or the second of a time.
    fileprivate func interval(_ zone: LocalZone) -> Range<Instant> {
        switch self {
        case .date(let date):
            let midnight = ClockTime(secondsOfDay: 0)
            return zone.instant(date, midnight)..<zone.instant(date.adding(days: 1), midnight)
        case .dateTime(let time):
            let instant =
                time.zone == .utc ? Instant(secondsSince1970: time.localSeconds) : zone.instant(time.date, time.time)
            return instant..<instant.adding(seconds: 1)
        }
    }
}
