import RemindavICalendar
package import RemindavNotifications
import RemindavReminders
package import RemindavStore

/// The delivery state in the table `delivery` of a database.
///
/// Each kind of row uses some of the columns. Times are in seconds since 1970. The caller begins and ends the
/// transactions.
package struct DeliveryTable {
    package struct Content: Sendable {
        package var state = DeliveryState()
        package var failure: DeliveryFailure?

        package init(state: DeliveryState = DeliveryState(), failure: DeliveryFailure? = nil) {
            self.state = state
            self.failure = failure
        }
    }

    private let database: any Database

    package init(_ database: any Database) { self.database = database }

    // MARK: Reading

    package func content() throws(DatabaseError) -> Content { try self.content(where: "TRUE") }

    func failure() throws(DatabaseError) -> DeliveryFailure? { try self.content(where: "kind = 'failure'").failure }

    private func content(where condition: String) throws(DatabaseError) -> Content {
        let rows = try self.database.rows(
            """
            SELECT kind, reminder, occurrence, moment, until, number, text FROM delivery WHERE \(condition)
            ORDER BY moment, rowid
            """
        ) { row in
            DeliveryRow(
                kind: row.text("kind"),
                reminder: row.integerIfPresent("reminder").map { ReminderID($0) },
                occurrence: row.textIfPresent("occurrence"),
                moment: row.integerIfPresent("moment").map { Instant(secondsSince1970: $0) },
                until: row.integerIfPresent("until"),
                number: row.integerIfPresent("number"),
                text: row.textIfPresent("text")
            )
        }
        var content = Content()
        for row in rows { row.apply(to: &content) }
        // Incomplete rows can yield a ``Slot`` without an alarm, which is dropped.
        content.state.slots = content.state.slots.filter { $0.value.alarm != nil }
        return content
    }

    /// The number of the newest change of the store that a scan has seen; 0 if no scan has recorded one.
    package func lastSeenChange() throws(DatabaseError) -> Int64 {
        let sql = "SELECT number FROM delivery WHERE kind = 'change'"
        return try self.database.first(sql) { $0.integer("number") } ?? 0
    }

    // MARK: Writing

    package func setLastSeenChange(_ number: Int64) throws(DatabaseError) {
        try self.delete("change")
        try self.insert(DeliveryRow(kind: "change", number: number))
    }

    /// Writes changes in their order.
    package func apply(_ changes: [DeliveryState.Change]) throws(DatabaseError) {
        for change in changes { try self.apply(change) }
    }

    /// Removes all rows.
    package func removeAll() throws(DatabaseError) { try self.database.send("DELETE FROM delivery", []) }

    func replaceFailure(_ failure: DeliveryFailure) throws(DatabaseError) {
        try self.delete("failure")
        try self.insert(DeliveryRow(failure))
    }

    func insert(_ content: Content) throws(DatabaseError) {
        try self.apply(content.state.changes)
        if let failure = content.failure { try self.insert(DeliveryRow(failure)) }
    }

    private func apply(_ change: DeliveryState.Change) throws(DatabaseError) {
        switch change {
        case .clock(let clock):
            try self.delete("clock")
            try self.insert(DeliveryRow(clock))
        case .delivered(let reminder, let alarm):
            try self.delete("delivered", reminder, alarm)
            try self.insert(DeliveryRow("delivered", reminder, alarm))
        case .forgotten(let reminder, let alarm): try self.delete("delivered", reminder, alarm)
        case .slot(let reminder, let slot):
            for kind in DeliveryRow.slotKinds { try self.delete(kind, reminder) }
            if let slot { for row in DeliveryRow.rows(of: slot, reminder) { try self.insert(row) } }
        case .summary(let notification):
            try self.delete("summary")
            if let notification { try self.insert(DeliveryRow("summary", notification)) }
        case .closing(let notification):
            try self.deleteClosing(notification)
            try self.insert(DeliveryRow("closing", notification))
        case .gone(let notification): try self.deleteClosing(notification)
        case .action(let number, let action):
            let sql = "DELETE FROM delivery WHERE kind = 'action' AND number = ?1"
            try self.database.send(sql, [.integer(number)])
            if let action { try self.insert(DeliveryRow(number, action)) }
        }
    }

    private func delete(_ kind: String) throws(DatabaseError) {
        try self.database.send("DELETE FROM delivery WHERE kind = ?1", [.text(kind)])
    }

    private func delete(_ kind: String, _ reminder: ReminderID) throws(DatabaseError) {
        let sql = "DELETE FROM delivery WHERE kind = ?1 AND reminder = ?2"
        try self.database.send(sql, [.text(kind), .integer(reminder.rawValue)])
    }

    private func delete(_ kind: String, _ reminder: ReminderID, _ alarm: DeliveredAlarm) throws(DatabaseError) {
        let sql = """
            DELETE FROM delivery
            WHERE kind = ?1 AND reminder = ?2 AND occurrence IS NOT DISTINCT FROM ?3 AND moment = ?4
            """
        let moment = alarm.fires.secondsSince1970
        let values: [SQLValue] = [.text(kind), .integer(reminder.rawValue), .text(alarm.occurrence), .integer(moment)]
        try self.database.send(sql, values)
    }

    private func deleteClosing(_ notification: NotificationID) throws(DatabaseError) {
        let sql = "DELETE FROM delivery WHERE kind = 'closing' AND number = ?1 AND text = ?2"
        try self.database.send(sql, [.integer(Int64(notification.number)), .text(notification.service)])
    }

    private func insert(_ row: DeliveryRow) throws(DatabaseError) {
        let sql = """
            INSERT INTO delivery (kind, reminder, occurrence, moment, until, number, text)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        let values: [SQLValue] = [
            .text(row.kind), .integer(row.reminder?.rawValue), .text(row.occurrence),
            .integer(row.moment?.secondsSince1970), .integer(row.until), .integer(row.number), .text(row.text),
        ]
        try self.database.send(sql, values)
    }
}

private struct DeliveryRow {
    var kind: String
    var reminder: ReminderID?
    var occurrence: String?
    var moment: Instant?
    var until: Int64?
    var number: Int64?
    var text: String?

    /// The kinds of rows that describe a ``Slot``: ``Slot/place``, notification, shown alarm and unshown alarms.
    static let slotKinds = ["slot", "notification", "shown", "unshown"]

    static func rows(of slot: Slot, _ reminder: ReminderID) -> [DeliveryRow] {
        var place = DeliveryRow(kind: "slot", reminder: reminder)
        (place.text, place.number, place.moment) = (slot.place.rawValue, slot.isMissed ? 1 : 0, slot.unlisted)
        var rows = [place] + slot.unshown.map { DeliveryRow("unshown", reminder, $0) }
        if let shown = slot.shown { rows.append(DeliveryRow("shown", reminder, shown)) }
        if let notification = slot.notification {
            var row = DeliveryRow("notification", notification)
            row.reminder = reminder
            rows.append(row)
        }
        return rows
    }

    /// Adds the row to the state; a row with unusable values is ignored.
    ///
    /// The caller passes the rows sorted by time, and rows of the same time in the order in which they were written.
    func apply(to content: inout DeliveryTable.Content) {
        let alarm = self.moment.map { DeliveredAlarm(occurrence: self.occurrence, fires: $0) }
        switch (self.kind, self.reminder) {
        case ("unshown", let reminder?):
            if let alarm { content.state.slots[reminder, default: Slot(place: .own)].unshown.append(alarm) }
        case ("shown", let reminder?): content.state.slots[reminder, default: Slot(place: .own)].shown = alarm
        case ("notification", let reminder?):
            content.state.slots[reminder, default: Slot(place: .own)].notification = self.notification
        case ("slot", let reminder?):
            var slot = content.state.slots[reminder] ?? Slot(place: .own)
            (slot.place, slot.isMissed, slot.unlisted) = (
                self.text.flatMap(Slot.Place.init) ?? .own, self.number == 1, self.moment
            )
            content.state.slots[reminder] = slot
        case ("failure", _): content.failure = self.failure
        default:
            if let change = self.change(alarm) { content.state.apply(change) }
        }
    }

    private func change(_ alarm: DeliveredAlarm?) -> DeliveryState.Change? {
        switch self.kind {
        case "clock":
            guard let moment, let text else { return nil }
            var alarms = AlarmSettings()
            if let seconds = self.number.flatMap({ Int(exactly: $0) }), (0..<ClockTime.secondsPerDay).contains(seconds)
            {
                alarms.dayTime = ClockTime(secondsOfDay: seconds)
            }
            alarms.notifiesWhenDue = self.until != 0
            return .clock(SchedulerClock(processed: moment, by: AlarmBasis(local: text, alarms: alarms)))
        case "delivered":
            guard let reminder, let alarm else { return nil }
            return .delivered(reminder, alarm)
        case "summary": return self.notification.map { .summary($0) }
        case "closing": return self.notification.map { .closing($0) }
        case "action":
            guard let number = self.number.flatMap({ Int(exactly: $0) }) else { return nil }
            return self.action.map { .action(number, $0) }
        default: return nil
        }
    }

    private var notification: NotificationID? {
        guard let number = self.number.flatMap({ UInt32(exactly: $0) }), let text else { return nil }
        return NotificationID(number: number, service: text)
    }

    private var action: PendingAction? {
        guard let reminder, let text else { return nil }
        let until = self.until.map { Instant(secondsSince1970: $0) }
        return PendingAction(text, of: reminder, occurrence: self.occurrence, moment: self.moment, until: until)
    }

    private var failure: DeliveryFailure? {
        guard let moment, let count = self.number.flatMap({ Int(exactly: $0) }), let text else { return nil }
        let over = self.until.map { Instant(secondsSince1970: $0) }
        return DeliveryFailure(since: moment, over: over, count: count, reason: text)
    }
}

extension DeliveryRow {
    init(_ clock: SchedulerClock) {
        let alarms = clock.alarmBasis.alarms
        self.init(
            kind: "clock",
            moment: clock.processed,
            until: alarms.notifiesWhenDue ? 1 : 0,
            number: Int64(alarms.dayTime.secondsOfDay),
            text: clock.alarmBasis.local
        )
    }

    init(_ kind: String, _ reminder: ReminderID, _ alarm: DeliveredAlarm) {
        self.init(kind: kind, reminder: reminder, occurrence: alarm.occurrence, moment: alarm.fires)
    }

    init(_ kind: String, _ notification: NotificationID) {
        self.init(kind: kind, number: Int64(notification.number), text: notification.service)
    }

    init(_ number: Int, _ action: PendingAction) {
        let stored = action.stored
        self.init(
            kind: "action",
            reminder: action.reminder,
            occurrence: action.occurrence,
            moment: stored.moment,
            until: stored.until?.secondsSince1970,
            number: Int64(number),
            text: stored.name
        )
    }

    init(_ failure: DeliveryFailure) {
        self.init(
            kind: "failure",
            moment: failure.since,
            until: failure.over?.secondsSince1970,
            number: Int64(failure.count),
            text: failure.reason
        )
    }
}
