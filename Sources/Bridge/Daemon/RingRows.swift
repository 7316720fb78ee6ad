import ICalendar
import Notifications
import Reminders
import Store

/// What rang, as rows of the file that is kept of it, and back.
enum RingRows {
    private enum Kind: String {
        case clock, told, slot, summary, closing, deed, trouble
    }

    private enum DeedWord: String {
        case acknowledge, snooze, complete
    }

    /// The row that a change writes or takes away.
    static func row(_ change: RingRecords.Change) -> RingRow {
        switch change {
        case .clock(let clock): self.row(.clock, [], Self.fields(clock))
        case .told(let reminder, let alarm): self.row(.told, [reminder] + Self.fields(alarm), [])
        case .forgotten(let reminder, let alarm): self.row(.told, [reminder] + Self.fields(alarm), nil)
        case .slot(let reminder, let slot): self.row(.slot, [reminder], slot.map(Self.fields))
        case .summary(let bubble): self.row(.summary, [], bubble.map(Self.fields))
        case .closing(let bubble): self.row(.closing, Self.fields(bubble), [])
        case .gone(let bubble): self.row(.closing, Self.fields(bubble), nil)
        case .deed(let number, let deed): self.row(.deed, [String(number)], deed.map(Self.fields))
        }
    }

    /// Everything that the rows say; one that nobody can read is left out.
    static func records(_ rows: [RingRow]) -> RingRecords {
        var records = RingRecords()
        for row in rows {
            if let change = self.change(row) { records.apply(change) }
        }
        return records
    }

    // MARK: What could not be shown

    /// The kind of its row.
    static let troubleKind = Kind.trouble.rawValue

    /// The row that says it.
    static func row(_ trouble: AlarmTrouble) -> RingRow {
        let over = trouble.over.map(self.text) ?? ""
        return self.row(.trouble, [], [self.text(trouble.since), over, String(trouble.count), trouble.reason])
    }

    /// What was written down of it; `nil` when nothing was that can be read.
    static func trouble(_ rows: [RingRow]) -> AlarmTrouble? {
        guard let value = rows.last(where: { $0.kind == self.troubleKind })?.value else { return nil }
        var fields = FieldReader(value)
        guard let since = fields.instant(), let over = fields.text(),
            let count = fields.number().flatMap({ Int(exactly: $0) }), let reason = fields.text()
        else { return nil }
        let end = Int64(over).map { Instant(secondsSince1970: $0) }
        guard over.isEmpty || end != nil else { return nil }
        return AlarmTrouble(since: since, over: end, count: count, reason: reason)
    }

    private static func change(_ row: RingRow) -> RingRecords.Change? {
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
        case .summary: return fields.bubble().map { .summary($0) }
        case .closing: return key.bubble().map { .closing($0) }
        case .deed:
            guard let number = key.number().flatMap({ Int(exactly: $0) }), let deed = self.deed(&fields) else {
                return nil
            }
            return .deed(number, deed)
        case .trouble: return nil
        }
    }

    private static func deed(_ fields: inout FieldReader) -> Notifications.Deed? {
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

    private static func row(_ kind: Kind, _ key: [String], _ value: [String]?) -> RingRow {
        RingRow(kind: kind.rawValue, key: FieldReader.line(key), value: value.map(FieldReader.line))
    }

    private static func text(_ instant: Instant) -> String { String(instant.secondsSince1970) }

    private static func fields(_ clock: RingClock) -> [String] {
        let alarms = clock.reckoning.alarms
        return [
            self.text(clock.heard), clock.reckoning.local, String(alarms.dayTime.secondsOfDay),
            alarms.ringsWhenDue ? "" : FieldReader.notWhenDue,
        ]
    }

    private static func fields(_ alarm: ToldAlarm) -> [String] {
        [FieldReader.optional(alarm.occurrence), self.text(alarm.fires)]
    }

    private static func fields(_ bubble: ShownBubble) -> [String] { [String(bubble.number), bubble.service] }

    private static func fields(_ slot: Slot) -> [String] {
        [slot.place.rawValue, slot.isMissed ? "missed" : "", slot.unlisted.map(self.text) ?? ""]
            + (slot.shown.map(self.fields) ?? ["", ""]) + (slot.bubble.map(self.fields) ?? ["", ""])
            + slot.unshown.flatMap(self.fields)
    }

    private static func fields(_ deed: Notifications.Deed) -> [String] {
        switch deed {
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
    mutating func clock() -> RingClock? {
        guard let heard = self.instant(), let local = self.text() else { return nil }
        var alarms = AlarmSettings()
        if let seconds = self.number().flatMap({ Int(exactly: $0) }), (0..<ClockTime.secondsPerDay).contains(seconds) {
            alarms.dayTime = ClockTime(secondsOfDay: seconds)
        }
        alarms.ringsWhenDue = self.text() != Self.notWhenDue
        return RingClock(heard: heard, by: Reckoning(local: local, alarms: alarms))
    }

    mutating func alarm() -> ToldAlarm? {
        guard let occurrence = self.optionalText(), let fires = self.instant() else { return nil }
        return ToldAlarm(occurrence: occurrence, fires: fires)
    }

    mutating func bubble() -> ShownBubble? {
        let (number, service) = (self.number(), self.text())
        guard let number = number.flatMap({ UInt32(exactly: $0) }), let service else { return nil }
        return ShownBubble(number: number, service: service)
    }

    mutating func slot() -> Slot? {
        guard let place = self.text().flatMap(Slot.Place.init) else { return nil }
        let isMissed = self.text() == "missed"
        let unlisted = self.instant()
        let shown = self.alarm()
        let bubble = self.bubble()
        var unshown: [ToldAlarm] = []
        while !self.rest.isEmpty {
            guard let alarm = self.alarm() else { return nil }
            unshown.append(alarm)
        }
        var slot = Slot(place: place, shown: shown, unshown: unshown)
        (slot.isMissed, slot.unlisted, slot.bubble) = (isMissed, unlisted, bubble)
        return slot.alarm == nil ? nil : slot
    }
}
