import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

struct ShowAlarms: Command {
    static let page = CommandPage(
        name: "alarms",
        summary: "Show the next alarms",
        options: [
            Option("--until", value: "WHEN", "Only alarms until then; a day includes all its hours"),
            Option("--list", value: "NAME", "Only alarms of reminders in this list"),
            .json,
        ],
        details: """
            One line for each open reminder with a future alarm. The alarm fires at the due time,
            at 'alarm-time' for an all-day reminder, or at the times of the reminder's own alarms.
            A snoozed alarm fires at the end of its snooze. Reminders that the settings mute are
            not shown.

            This command only lists alarms; 'remindav daemon' shows the notifications.
            """,
        examples: [
            "remindav alarms": "the next alarm of each reminder, the earliest first",
            "remindav alarms --until tomorrow --json": "for a program",
        ],
        exits: [.notFound]
    )

    static let isPaged = true

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
            muted: context.settings.muted
        )
        if self.isJSON {
            try context.output.print(json: alarms)
        } else if alarms.isEmpty {
            try context.output.print(until == nil ? "No alarm is pending" : "No alarm fires until then")
        } else {
            let text = LocalText(zone: zone, now: context.now)
            try context.output.print(AlarmPrinter(text: text, columns: context.output.columns).text(alarms))
        }
        return .success
    }
}

extension TimeBound {
    /// The last second of a day, or the moment of a date-time; throws if this moment is past.
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
            "'--until' must be in the future: \(text) is past. Give a later day or time."
        )
    }
}
