import Bridge
import ICalendar
import Reminders

/// `alarms`: shows what rings next.
struct ShowAlarms: Command {
    static let page = CommandPage(
        name: "alarms",
        group: .reminders,
        summary: "Show what rings next, and when",
        usage: ["[--until WHEN] [--list NAME] [--json]"],
        options: [
            Option("--until", value: "WHEN", "Only what rings until then; a day is the whole of it"),
            Option("--list", value: "NAME", "Only those of this list"),
            .json,
        ],
        details: [
            """
            One line for each open reminder that will ring: its next alarm. A reminder
            rings when it is due, at 09:00 where it is due on a day, or at the times of
            its alarms if it has any. A snoozed one rings at the end of that. What the
            settings make silent is not shown.
            """,
            """
            This shows when they ring; it does not ring.
            """,
        ],
        examples: [
            .init("remindav alarms", "the next alarm of each reminder, the soonest first"),
            .init("remindav alarms --until tomorrow --json", "for a program that shows them"),
        ],
        exits: [.notFound]
    )

    let until: TimeBound?
    let list: String?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.until =
            if let text = arguments.value("--until") { try TimeBound(text, option: "--until") } else { nil }
        self.list = arguments.value("--list")
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let zone = try context.localZone()
        let until = try self.until.map { try $0.end(now: context.now, zone: zone) }
        let alarms = try context.useCases().pendingAlarms(
            until: until,
            in: self.list,
            settings: context.settings.alarms,
            silent: context.settings.silent
        )
        if self.isJSON {
            try context.output.print(json: alarms)
        } else if alarms.isEmpty {
            try context.output.print(until == nil ? "No alarm is pending" : "No alarm rings until then")
        } else {
            let text = LocalText(zone: zone, now: context.now)
            try context.output.print(AlarmPrinter(text: text, columns: context.output.columns).text(alarms))
        }
        return .success
    }
}

extension TimeBound {
    /// The last moment that belongs to it: of a day its last second.
    ///
    /// - Throws: when that is over.
    fileprivate func end(now: Instant, zone: LocalZone) throws(UsageError) -> Instant {
        let end: Instant
        switch self.moment(now: now, zone: zone) {
        case .date(let date):
            end = zone.instant(date.adding(days: 1), ClockTime(secondsOfDay: 0)).adding(seconds: -1)
        case .dateTime(let time) where time.zone == .utc: end = Instant(secondsSince1970: time.localSeconds)
        case .dateTime(let time): end = zone.instant(time.date, time.time)
        }
        guard end <= now else { return end }
        let text = LocalText(zone: zone, now: now).short(end)
        throw UsageError(
            .mustBeInFuture,
            "'--until' must be in the future: \(text) is over. Give a later day or time."
        )
    }
}
