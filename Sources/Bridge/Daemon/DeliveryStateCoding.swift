import ICalendar
import Notifications
import Reminders
import SQLiteStore
import Store

/// What rang, as rows of the file that is kept of it, and back.
enum DeliveryStateCoding {
    private enum Kind: String {
        case clock, told, slot, summary, closing, trouble
        /// Stored under its first name, so that rows of older programs are read.
        case action = "deed"
    }

    private enum DeedWord: String {
        case acknowledge, snooze, complete
    }

    /// The row that a change writes or takes away.
    static func row(_ change: DeliveryState.Change) -> DeliveryStateRow {
        switch change {
        case .clock(let clock): self.row(.clock, [], Self.fields(clock))
        case .told(let reminder, let alarm): self.row(.told, [reminder] + Self.fields(alarm), [])
        case .forgotten(let reminder, let alarm): self.row(.told, [reminder] + Self.fields(alarm), nil)
        case .slot(let reminder, let slot): self.row(.slot, [reminder], slot.map(Self.fields))
        case .summary(let notification): self.row(.summary, [], notification.map(Self.fields))
        case .closing(let notification): self.row(.closing, Self.fields(notification), [])
        case .gone(let notification): self.row(.closing, Self.fields(notification), nil)
        case .action(let number, let action): self.row(.action, [String(number)], action.map(Self.fields))
        }
    }

    /// Everything that the rows say; one that nobody can read is left out.
    static func records(_ rows: [DeliveryStateRow]) -> DeliveryState {
        var records = DeliveryState()
        for row in rows {
            if let change = self.change(row) { records.apply(change) }
        }
        return records
    }

    // MARK: What could not be shown

    /// The kind of its row.
    static let troubleKind = Kind.trouble.rawValue

    /// The row that says it.
    static func row(_ trouble: DeliveryFailure) -> DeliveryStateRow {
        let over = trouble.over.map(self.text) ?? ""
        return self.row(.trouble, [], [self.text(trouble.since), over, String(trouble.count), trouble.reason])
    }

    /// What was written down of it; `nil` when nothing was that can be read.
    static func trouble(_ rows: [DeliveryStateRow]) -> DeliveryFailure? {
        guard let value = rows.last(where: { $0.kind == self.troubleKind })?.value else { return nil }
        var fields = FieldReader(value)
        guard let since = fields.instant(), let over = fields.text(),
            let count = fields.number().flatMap({ Int(exactly: $0) }), let reason = fields.text()
        else { return nil }
        let end = Int64(over).map { Instant(secondsSince1970: $0) }
        guard over.isEmpty || end != nil else { return nil }
        return DeliveryFailure(since: since, over: end, count: count, reason: reason)
    }

    private static func change(_ row: DeliveryStateRow) -> DeliveryState.Change? {
        guard let kind = Kind(rawValue: row.kind), let value = row.value else { return nil }
        var key = FieldReader(row.key)
        var fields = FieldReader(value)
        switch kind {
        case .clock:
            return fields.clock().map { .clock($0) }
        case .told:
            guard let reminder = key.text(), let alarm = key.alarm() else { return nil }
            return .told(reminder, alarm)
        case .slot:
            guard let reminder = key.text(), let slot = fields.slot() else { return nil }
            return .slot(reminder, slot)
        case .summary: return fields.notification().map { .summary($0) }
        case .closing: return key.notification().map { .closing($0) }
        case .action:
            guard let number = key.number().flatMap({ Int(exactly: $0) }), let action = self.action(&fields) else {
                return nil
            }
            return .action(number, action)
        case .trouble: return nil
        }
    }

    private static func action(_ fields: inout FieldReader) -> Notifications.PendingAction? {
        guard let word = fields.text().flatMap(DeedWord.init), let reminder = fields.text(),
            let occurrence = fields.optionalText()
        else { return nil }
        switch word {
        case .acknowledge:
            return fields.instant().map { .acknowledge(reminder: reminder, occurrence: occurrence, upTo: $0) }
        case .snooze:
            guard let moment = fields.instant(), let until = fields.instant() else { return nil }
            return .snooze(reminder: reminder, occurrence: occurrence, at: moment, until: until)
        case .complete: return .complete(reminder: reminder, occurrence: occurrence)
        }
    }

    // MARK: Fields

    private static func row(_ kind: Kind, _ key: [String], _ value: [String]?) -> DeliveryStateRow {
        DeliveryStateRow(kind: kind.rawValue, key: FieldReader.line(key), value: value.map(FieldReader.line))
    }

    private static func text(_ instant: Instant) -> String { String(instant.secondsSince1970) }

    private static func fields(_ clock: SchedulerClock) -> [String] {
        let alarms = clock.alarmBasis.alarms
        return [
            self.text(clock.heard), clock.alarmBasis.local, String(alarms.dayTime.secondsOfDay),
            alarms.ringsWhenDue ? "" : FieldReader.notWhenDue,
        ]
    }

    private static func fields(_ alarm: DeliveredAlarm) -> [String] {
        [FieldReader.optional(alarm.occurrence), self.text(alarm.fires)]
    }

    private static func fields(_ notification: NotificationID) -> [String] {
        [String(notification.number), notification.service]
    }

    private static func fields(_ slot: Slot) -> [String] {
        [slot.place.rawValue, slot.isMissed ? "missed" : "", slot.unlisted.map(self.text) ?? ""]
            + (slot.shown.map(self.fields) ?? ["", ""]) + (slot.notification.map(self.fields) ?? ["", ""])
            + slot.unshown.flatMap(self.fields)
    }

    private static func fields(_ action: Notifications.PendingAction) -> [String] {
        switch action {
        case .acknowledge(let reminder, let occurrence, let moment):
            [DeedWord.acknowledge.rawValue, reminder, FieldReader.optional(occurrence), self.text(moment)]
        case .snooze(let reminder, let occurrence, let moment, let until):
            [DeedWord.snooze.rawValue, reminder, FieldReader.optional(occurrence), self.text(moment), self.text(until)]
        case .complete(let reminder, let occurrence):
            [DeedWord.complete.rawValue, reminder, FieldReader.optional(occurrence)]
        }
    }
}

/// Reads fields with tabs between them.
private struct FieldReader {
    private var rest: ArraySlice<Substring>

    init(_ line: String) { self.rest = line.split(separator: "\t", omittingEmptySubsequences: false)[...] }

    /// - Parameter fields: a tab in one of them becomes a space; nothing that is written here has one.
    static func line(_ fields: [String]) -> String {
        fields.map { $0.replacing("\t", with: " ") }.joined(separator: "\t")
    }

    /// A text that may be missing, told apart from an empty one.
    static func optional(_ text: String?) -> String { text.map { "=\($0)" } ?? "" }

    mutating func text() -> String? { self.rest.popFirst().map(String.init) }

    mutating func optionalText() -> String?? {
        guard let text = self.text() else { return nil }
        if text.isEmpty { return .some(nil) }
        return text.hasPrefix("=") ? .some(String(text.dropFirst())) : nil
    }

    mutating func number() -> Int64? { self.text().flatMap { Int64($0) } }

    mutating func instant() -> Instant? { self.number().map { Instant(secondsSince1970: $0) } }

    static let notWhenDue = "not when due"

    /// One of an older version ends with the zone.
    mutating func clock() -> SchedulerClock? {
        guard let heard = self.instant(), let local = self.text() else { return nil }
        var alarms = AlarmSettings()
        if let seconds = self.number().flatMap({ Int(exactly: $0) }), (0..<ClockTime.secondsPerDay).contains(seconds) {
            alarms.dayTime = ClockTime(secondsOfDay: seconds)
        }
        alarms.ringsWhenDue = self.text() != Self.notWhenDue
        return SchedulerClock(heard: heard, by: AlarmBasis(local: local, alarms: alarms))
    }

    mutating func alarm() -> DeliveredAlarm? {
        guard let occurrence = self.optionalText(), let fires = self.instant() else { return nil }
        return DeliveredAlarm(occurrence: occurrence, fires: fires)
    }

    mutating func notification() -> NotificationID? {
        let (number, service) = (self.number(), self.text())
        guard let number = number.flatMap({ UInt32(exactly: $0) }), let service else { return nil }
        return NotificationID(number: number, service: service)
    }

    mutating func slot() -> Slot? {
        guard let place = self.text().flatMap(Slot.Place.init) else { return nil }
        let isMissed = self.text() == "missed"
        let unlisted = self.instant()
        let shown = self.alarm()
        let notification = self.notification()
        var unshown: [DeliveredAlarm] = []
        while !self.rest.isEmpty {
            guard let alarm = self.alarm() else { return nil }
            unshown.append(alarm)
        }
        var slot = Slot(place: place, shown: shown, unshown: unshown)
        (slot.isMissed, slot.unlisted, slot.notification) = (isMissed, unlisted, notification)
        return slot.alarm == nil ? nil : slot
    }
}
