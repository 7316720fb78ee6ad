import Glibc
import RemindavICalendar
import RemindavNotifications
import RemindavReminders
import RemindavStore

/// Imports the file `rings.db` of older versions, whose rows are tab-separated texts, into ``DeliveryStateFile``.
enum OldDeliveryState {
    /// - Returns: `nil` when the file does not exist; `isDamaged` is true when SQLite cannot read the file.
    static func read(_ path: String) throws(DatabaseError) -> (content: DeliveryStateFile.Content?, isDamaged: Bool)? {
        guard access(path, F_OK) == 0 else { return nil }
        do throws(DatabaseError) {
            let timeout = ReminderStore.standardBusyTimeoutMilliseconds
            let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeoutMilliseconds: timeout)
            return (try Self.content(connection), false)
        } catch {
            // Other errors, such as a locked file, are thrown, so that the next start tries again.
            guard error.code == .corrupt else { throw error }
            return (nil, true)
        }
    }

    /// - Returns: `nil` for a file of version 0, which contains no tables.
    static func content(_ connection: SQLiteConnection) throws(DatabaseError) -> DeliveryStateFile.Content? {
        guard try connection.schemaVersion() > 0 else { return nil }
        let rows = try connection.rows("SELECT kind, key, value FROM ring") {
            ($0.text("kind"), $0.text("key"), $0.text("value"))
        }
        var content = DeliveryStateFile.Content()
        for (kind, key, value) in rows { Self.apply(kind, OldFields(key), OldFields(value), to: &content) }
        return content
    }

    /// Adds a row to the content; a row with unusable values is ignored.
    private static func apply(
        _ kind: String,
        _ key: OldFields,
        _ value: OldFields,
        to content: inout DeliveryStateFile.Content
    ) {
        var (key, value) = (key, value)
        switch kind {
        case "clock": if let clock = value.clock() { content.state.apply(.clock(clock)) }
        case "told":
            if let reminder = key.reminder(), let alarm = key.alarm() {
                content.state.apply(.delivered(reminder, alarm))
            }
        case "slot":
            if let reminder = key.reminder(), let slot = value.slot() { content.state.apply(.slot(reminder, slot)) }
        case "summary": if let notification = value.notification() { content.state.apply(.summary(notification)) }
        case "closing": if let notification = key.notification() { content.state.apply(.closing(notification)) }
        case "action", "deed":
            if let number = key.number().flatMap({ Int(exactly: $0) }), let action = value.action() {
                content.state.apply(.action(number, action))
            }
        case "trouble": content.failure = value.failure()
        default: break
        }
    }
}

private struct OldFields {
    private var rest: ArraySlice<Substring>

    init(_ line: String) { self.rest = line.split(separator: "\t", omittingEmptySubsequences: false)[...] }

    mutating func text() -> String? { self.rest.popFirst().map(String.init) }

    mutating func number() -> Int64? { self.text().flatMap { Int64($0) } }

    mutating func reminder() -> ReminderID? { self.number().map { ReminderID($0) } }

    mutating func instant() -> Instant? { self.number().map { Instant(secondsSince1970: $0) } }

    /// Reads an optional text: `""` yields an inner `nil`, `"=text"` yields `text`, any other field an outer `nil`.
    private mutating func optionalText() -> String?? {
        guard let text = self.text() else { return nil }
        if text.isEmpty { return .some(nil) }
        return text.hasPrefix("=") ? .some(String(text.dropFirst())) : nil
    }

    mutating func clock() -> SchedulerClock? {
        guard let processed = self.instant(), let local = self.text() else { return nil }
        var alarms = AlarmSettings()
        if let seconds = self.number().flatMap({ Int(exactly: $0) }), (0..<ClockTime.secondsPerDay).contains(seconds) {
            alarms.dayTime = ClockTime(secondsOfDay: seconds)
        }
        alarms.notifiesWhenDue = self.text() != "not when due"
        return SchedulerClock(processed: processed, by: AlarmBasis(local: local, alarms: alarms))
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

    mutating func action() -> PendingAction? {
        guard let kind = self.text(), let reminder = self.reminder(), let occurrence = self.optionalText() else {
            return nil
        }
        let (moment, until) = (self.instant(), self.instant())
        return PendingAction(kind, of: reminder, occurrence: occurrence, moment: moment, until: until)
    }

    mutating func failure() -> DeliveryFailure? {
        guard let since = self.instant(), let over = self.text(),
            let count = self.number().flatMap({ Int(exactly: $0) }),
            let reason = self.text()
        else { return nil }
        let end = Int64(over).map { Instant(secondsSince1970: $0) }
        return over.isEmpty || end != nil ? DeliveryFailure(since: since, over: end, count: count, reason: reason) : nil
    }
}
