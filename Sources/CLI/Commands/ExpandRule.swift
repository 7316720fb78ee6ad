import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

struct ExpandRule: Command {
    static let page = CommandPage(
        name: "expand",
        summary: "Show the dates of a repeat rule",
        usage: [
            "--dtstart T [--tzid ZONE] [--rrule RULE]... [--exdate T]... [--rdate T]...",
            "[--from T] [--to T] [--limit N]",
        ],
        options: Self.ruleOptions + [.from, .to, .limit],
        details: """
            One date per line, in the form and zone of --dtstart. A start that does not match the
            rule is not a date of it. Without --rrule the dates are the start and --rdate.
            A rule without an end stops after 1000 dates, unless --to or --limit is given; a note
            on standard error reports this.
            """,
        examples: [
            "remindav expand --dtstart 19970902T090000 --rrule 'FREQ=DAILY;COUNT=10'": "ten days at nine",
            "remindav expand --dtstart 20260130 --rrule 'FREQ=MONTHLY;BYDAY=-1FR'": "last Fridays",
        ],
        exits: [.partial]
    )

    static let isPaged = true

    static let ruleOptions = [
        Option("--dtstart", value: "T", "The start: 19970902T090000, or a time as in --from"),
        Option("--tzid", value: "ZONE", "The time zone of a start without Z, such as Europe/Berlin"),
        Option("--rrule", value: "RULE", occurs: .many, "A rule, such as 'FREQ=WEEKLY;BYDAY=MO,TH'; may be repeated"),
        Option("--exdate", value: "T", occurs: .many, "A date to exclude, or several separated by commas"),
        Option("--rdate", value: "T", occurs: .many, "A date to add, or several separated by commas"),
    ]

    /// The number of dates that are printed of a rule without an end: almost three years of a daily rule.
    static let defaultLimit = 1000

    let start: TimeBound
    let tzid: String?
    let rules: [RecurrenceRule]
    let dates: [CalendarDateOrDateTime]
    let exceptions: [CalendarDateOrDateTime]
    let from: TimeBound?
    let to: TimeBound?
    let limit: Int?
    var command = Self.page.name

    init(_ arguments: inout Arguments) throws(UsageError) {
        guard let start = arguments.value("--dtstart") else {
            throw UsageError(.missingOperand, "'--dtstart' is missing. Give the start of the rule.")
        }
        let tzid = arguments.value("--tzid")
        self.tzid = tzid
        if let tzid, tzid.trimmingWhiteSpace.isEmpty { throw UsageError(.badValue, "'--tzid' cannot be empty.") }
        self.start = try TimeBound(start, option: "--dtstart")
        self.rules = try arguments.values("--rrule").map { text throws(UsageError) in try Self.rule(text) }
        self.dates = try Self.moments(arguments.values("--rdate"), tzid, option: "--rdate")
        self.exceptions = try Self.moments(arguments.values("--exdate"), tzid, option: "--exdate")
        self.from = try ArgumentValues.bound(arguments, "--from")
        self.to = try ArgumentValues.bound(arguments, "--to")
        self.limit = try ArgumentValues.limit(arguments)
    }

    private static func rule(_ text: String) throws(UsageError) -> RecurrenceRule {
        let wire = text.uppercased().hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
        let rule: RecurrenceRule
        do {
            rule = try RecurrenceRule(wire: wire)
        } catch {
            throw UsageError(
                .badValue,
                "'--rrule' cannot be read: \(error). Write a rule such as 'FREQ=WEEKLY;BYDAY=MO,TH'."
            )
        }
        // In a file, unknown parts of a rule are ignored; on the command line, they are typing errors.
        if let part = rule.unknownParts.first(where: { !$0.name.uppercased().hasPrefix("X-") }) {
            throw UsageError(
                .badValue,
                "'--rrule' has an unknown part: '\(part.name)'. Correct its name."
            )
        }
        return rule
    }

    private static func moments(
        _ texts: [String],
        _ tzid: String?,
        option: String
    ) throws(UsageError) -> [CalendarDateOrDateTime] {
        var moments: [CalendarDateOrDateTime] = []
        for text in texts {
            for item in text.split(separator: ",", omittingEmptySubsequences: false) {
                // If an item is a period (START/END), its start is used.
                let start = item.prefix { $0 != "/" }
                moments.append(try self.moment(String(start), tzid, option: option))
            }
        }
        return moments
    }

    private static func moment(
        _ text: String,
        _ tzid: String?,
        option: String
    ) throws(UsageError) -> CalendarDateOrDateTime {
        guard let moment = CalendarDateOrDateTime(wire: text.trimmingWhiteSpace, tzid: tzid) else {
            throw UsageError(
                .badValue,
                "'\(option)' must be a time such as 19970902T090000 or a date such as 19970902, not '\(text)'."
            )
        }
        return moment
    }

    /// The start in the time zone of `--tzid`.
    private func start(now: Instant, zone: LocalZone) throws(UsageError) -> CalendarDateOrDateTime {
        let start = self.start.moment(now: now, zone: zone)
        guard let tzid = self.tzid else { return start }
        guard start.isOnZonesClock, let local = CalendarDateOrDateTime(wire: start.wire, tzid: tzid) else {
            throw UsageError(
                .badValue,
                "'--tzid' needs a start in local time: a date has no zone, a time with Z is in UTC. Remove '--tzid'.",
                command: self.command
            )
        }
        return local
    }

    func run(in context: Context) async throws -> ExitStatus {
        let zone = try self.zone(context)
        let expansion = RuleExpansion(
            start: try self.start(now: context.now, zone: zone),
            rules: self.rules,
            dates: self.dates,
            exceptions: self.exceptions,
            zones: Configuration.systemZones(environment: context.environment),
            localZone: (try? context.localZone().name) ?? ""
        )
        guard expansion.knowsZone else {
            throw UsageError(
                .badValue,
                "'--tzid' is not a known time zone. Use a name such as Europe/Berlin.",
                command: self.command
            )
        }
        let isOpen = self.limit == nil && self.to == nil && !expansion.isBounded
        let limit = self.limit ?? (isOpen ? Self.defaultLimit : Expansion.maximum)
        var writer = ChunkWriter(context.output)
        let hasMore: Bool
        do {
            hasMore = try expansion.forEach(
                from: self.from?.moment(now: context.now, zone: zone),
                to: self.to?.moment(now: context.now, zone: zone),
                limit: limit
            ) { try writer.line($0.wire) }
        } catch let error as RecurrenceError {
            try writer.flush()
            throw ExpansionError(cause: error)
        }
        try writer.flush()
        guard hasMore, self.limit == nil else { return .success }
        return Expansion.reportMore(after: limit, isOpen: isOpen, context.output)
    }

    /// The local zone for values such as `today`; read only if such a value is given.
    private func zone(_ context: Context) throws -> LocalZone {
        let needsToday = [self.start, self.from, self.to].contains { $0?.needsToday == true }
        return needsToday ? try context.localZone() : .utc
    }
}

extension CalendarDateOrDateTime {
    fileprivate var isOnZonesClock: Bool {
        if case .dateTime(let time) = self { time.zone != .utc } else { false }
    }
}
