import RemindavICalendar
import RemindavRecurrence
import RemindavReminders

/// Converts the recurrence of a to-do into the recurrence of an event.
///
/// The event starts at the due time, but RRULE, EXDATE and RECURRENCE-ID of a to-do refer to its DTSTART (RFC 5545
/// §3.8.5). So all times are moved by the distance from DTSTART to the due time. They are written in the form of the
/// event's DTSTART (date, UTC, time zone or floating), because subscribers reject a mixture of forms.
struct EventSeries {
    /// The maximum number of dates in EXDATE or RDATE; users have fewer, and subscribers can process this many.
    private static let maximumDates = 1000
    /// A rule that must be written as dates is expanded for this many days: more than a year, for yearly rules.
    private static let horizonDays = 400
    private let reminder: Reminder
    private let due: CalendarDateOrDateTime
    /// DTSTART of the to-do; without DTSTART, its due time.
    private let anchor: CalendarDateOrDateTime
    /// The seconds from ``anchor`` to ``due`` in local time; whole days if one of the two is a date.
    private let distance: Int64
    private let form: PublishedZones.Form
    private let resolver: TimeZoneResolver
    let start: CalendarDateOrDateTime

    /// - Returns: `nil` when the due time cannot be written in `form`.
    init?(_ reminder: Reminder, due: CalendarDateOrDateTime, form: PublishedZones.Form, resolver: TimeZoneResolver) {
        guard let start = Self.write(due, form: form, resolver: resolver) else { return nil }
        self.reminder = reminder
        self.due = due
        self.form = form
        self.resolver = resolver
        self.start = start
        let anchor = reminder.start.flatMap { Self.move($0, toZoneOf: due, resolver: resolver) } ?? due
        self.anchor = anchor
        self.distance =
            anchor.isDate || due.isDate
            ? Int64(due.day.dayNumber - anchor.day.dayNumber) * Int64(ClockTime.secondsPerDay)
            : due.localSeconds - anchor.localSeconds
    }

    var lines: [ContentLine] {
        let rule = self.showableRule.flatMap { self.rule($0) }
        let added = self.moments(.rdate) + (rule == nil ? self.expanded : [])
        guard rule != nil || !added.isEmpty else { return [] }
        let lines = rule.map { [ContentLine(.rrule, value: $0.wire)] } ?? []
        let done = self.overrides.filter { !$0.reminder.isOpen }.compactMap(\.occurrence)
        return lines + self.line(.rdate, added) + self.line(.exdate, self.moments(.exdate) + done)
    }

    /// An event for each open occurrence that has an override (RFC 5545 §3.8.4.4).
    var changedOccurrences: [ReminderEvent] {
        self.overrides.filter { $0.reminder.isOpen }.compactMap { override in
            guard let due = override.reminder.due, let occurrence = override.occurrence,
                let moved = Self.move(due, toZoneOf: self.due, resolver: self.resolver),
                moved.isDate == self.due.isDate,
                let start = Self.write(moved, form: self.form, resolver: self.resolver)
            else { return nil }
            return ReminderEvent(source: PublishedReminder(override.reminder), start: start, occurrence: occurrence)
        }
    }

    private var showableRule: RecurrenceRule? {
        // A rule with an event per minute or second is not published, because calendar programs draw it too slowly.
        guard var rule = self.reminder.recurrenceRule, rule.frequency >= .hourly else { return nil }
        // Unknown parts may change the meaning of the other rule parts. Parts that begin with X- do not.
        guard rule.unknownParts.allSatisfy({ $0.name.hasPrefix("X-") }) else { return nil }
        rule.unknownParts = []
        return rule
    }

    /// Whether calendar programs know all parts: most of them ignore RSCALE and SKIP, and then show other dates.
    private static func isWidelyKnown(_ rule: RecurrenceRule) -> Bool {
        rule.rscale == nil && rule.skip == .omit && rule.byLeapMonth.isEmpty
    }

    private func rule(_ rule: RecurrenceRule) -> RecurrenceRule? {
        guard Self.isWidelyKnown(rule), self.ruleMayMove(rule) else { return nil }
        var rule = rule
        rule.until = rule.until.map(self.until)
        return rule
    }

    /// The occurrences of a rule that cannot be published as a rule, as dates within ``horizonDays``.
    private var expanded: [CalendarDateOrDateTime] {
        guard let rule = self.showableRule else { return [] }
        let set = RecurrenceSet(start: self.anchor, rules: [rule], resolver: self.resolver, budget: StepBudget())
        let end = self.anchor.localSeconds + Int64(Self.horizonDays * ClockTime.secondsPerDay)
        var moments: [CalendarDateOrDateTime] = []
        // An error of the search, such as an unsupported rule, ends the list. The event itself is published.
        guard var occurrences = try? set.occurrences(after: self.anchor) else { return [] }
        while moments.count < Self.maximumDates, let moment = try? occurrences.next(), moment.localSeconds <= end {
            if let moment = self.inTermsOfEvent(moment) { moments.append(moment) }
        }
        return moments
    }

    /// Whether the rule keeps its meaning when its occurrences are counted from the due time instead of DTSTART.
    private func ruleMayMove(_ rule: RecurrenceRule) -> Bool {
        guard self.distance != 0 else { return true }
        guard rule.timeParts.isEmpty else { return false }
        if self.anchor.day == self.due.day { return true }
        guard rule.uses(only: ["BYSETPOS"]) else { return false }
        // Every month has the days 1 to 28, so these days recur in every month.
        return rule.frequency < .monthly
            || (self.anchor.day.day <= 28 && self.due.day.day <= 28 && self.anchor.day.month == self.due.day.month)
    }

    /// Moves UNTIL by ``distance``, to a date or floating time if DTSTART of the event is one, otherwise to UTC.
    ///
    /// RFC 5545 §3.3.10 requires these forms, but a to-do may differ: KOrganizer writes a date when DTSTART has a time.
    private func until(_ until: CalendarDateOrDateTime) -> CalendarDateOrDateTime {
        guard case .dateTime(let start) = self.start, case .dateTime(let due) = self.due else {
            return .date(until.day.adding(days: Int(self.distance) / ClockTime.secondsPerDay))
        }
        let last: CalendarDateTime =
            switch until {
            case .date(let day):
                CalendarDateTime(date: day, time: ClockTime(secondsOfDay: ClockTime.secondsPerDay - 1), zone: due.zone)
            case .dateTime(let time): time.zone == .floating ? time.on(due.zone) : time
            }
        let moved = CalendarDateTime(localSeconds: last.localSeconds + self.distance, zone: last.zone)
        let target = start.zone == .floating ? due.zone : .utc
        let converted = Self.move(moved, to: target, resolver: self.resolver) ?? moved
        return .dateTime(converted.on(start.zone == .floating ? .floating : .utc))
    }

    private var overrides: [(reminder: Reminder, occurrence: CalendarDateOrDateTime?)] {
        let object = self.reminder.object
        let others = object.overrides.filter { $0.range != object.main.range }
        return others.prefix(Self.maximumDates).compactMap { component in
            let source = CalendarObject.assemble(header: [], zones: [], components: [Array(component.bytes)])
            guard let reminder = Reminder(ICalendarDocument(source)) else { return nil }
            return (reminder, component.first(.recurrenceID)?.moment.flatMap(self.inTermsOfEvent))
        }
    }

    /// Returns the values of EXDATE or RDATE; a period is represented by its start.
    private func moments(_ name: Name) -> [CalendarDateOrDateTime] {
        self.reminder.object.main.all(name).flatMap { property in
            let zone = property.parameter(.tzid)
            return property.value.split(separator: ",").prefix(Self.maximumDates).compactMap { value in
                let start = value.split(separator: "/", maxSplits: 1).first.map { String($0).trimmingSpaces } ?? ""
                return CalendarDateOrDateTime(wire: start, tzid: zone).flatMap(self.inTermsOfEvent)
            }
        }
    }

    private func line(_ name: Name, _ moments: [CalendarDateOrDateTime]) -> [ContentLine] {
        let sorted = Set(moments).sorted { $0.localSeconds < $1.localSeconds }.prefix(Self.maximumDates)
        guard let first = sorted.first else { return [] }
        let form = ContentLine(name, moment: first)
        return [ContentLine(name, form.parameters, value: sorted.map(\.wire).joined(separator: ","))]
    }

    /// Returns the start of the event for an occurrence of the to-do; `nil` when its time zone is unknown.
    private func inTermsOfEvent(_ moment: CalendarDateOrDateTime) -> CalendarDateOrDateTime? {
        let onAnchor: CalendarDateOrDateTime? =
            switch (moment, self.anchor) {
            case (.date(let date), .dateTime(let anchor)):
                .dateTime(CalendarDateTime(date: date, time: anchor.time, zone: anchor.zone))
            default: Self.move(moment, toZoneOf: self.due, resolver: self.resolver)
            }
        return onAnchor.flatMap { moment in
            let moved = moment.moved(bySeconds: self.distance)
            let sameKind: CalendarDateOrDateTime =
                switch (moved, self.due) {
                case (.date(let date), .dateTime(let due)):
                    .dateTime(CalendarDateTime(date: date, time: due.time, zone: due.zone))
                case (.dateTime(let time), .date): .date(time.date)
                default: moved
                }
            return Self.write(sameKind, form: self.form, resolver: self.resolver)
        }
    }

    private static func move(
        _ moment: CalendarDateOrDateTime,
        toZoneOf other: CalendarDateOrDateTime,
        resolver: TimeZoneResolver
    ) -> CalendarDateOrDateTime? {
        guard case .dateTime(let time) = moment, case .dateTime(let other) = other else { return moment }
        return self.move(time, to: other.zone, resolver: resolver).map { .dateTime($0) }
    }

    /// Converts a time to a time zone; a floating time gets `zone` without a conversion.
    ///
    /// A program that omits the time zone in only one property means the time zone of the other properties.
    private static func move(
        _ time: CalendarDateTime,
        to zone: ZoneReference,
        resolver: TimeZoneResolver
    ) -> CalendarDateTime? {
        if time.zone == zone || time.zone == .floating { return time.on(zone) }
        return resolver.instant(of: time).flatMap { resolver.dateTime(of: $0, in: zone) }
    }

    private static func write(
        _ moment: CalendarDateOrDateTime,
        form: PublishedZones.Form,
        resolver: TimeZoneResolver
    ) -> CalendarDateOrDateTime? {
        guard case .dateTime(let time) = moment else { return moment }
        switch form {
        case .asTheyAre: return moment
        case .utc: return resolver.instant(of: time).map { .dateTime(CalendarDateTime(utc: $0)) }
        case .floating: return .dateTime(time.on(.floating))
        }
    }
}

extension CalendarDateTime {
    fileprivate func on(_ zone: ZoneReference) -> Self { Self(date: self.date, time: self.time, zone: zone) }
}
