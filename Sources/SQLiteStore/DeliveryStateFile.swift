import Glibc
import RemindavICalendar
package import RemindavNotifications
import RemindavReminders
package import RemindavStore
import Synchronization

/// The delivery state of the daemon, in the file `delivery.db` in the store's folder.
///
/// The state has its own file, because every write to the store's file would wake the daemon (docs/decisions/0025).
/// Only the process with the ``DaemonLock`` writes to the file.
package final class DeliveryStateFile: @unchecked Sendable {
    package struct Content: Sendable {
        package var state = DeliveryState()
        package var failure: DeliveryFailure?

        package init(state: DeliveryState = DeliveryState(), failure: DeliveryFailure? = nil) {
            self.state = state
            self.failure = failure
        }
    }

    /// Whether the file, or an older version's `rings.db`, was damaged, so that it was renamed and a new file created.
    package let wasRecreated: Bool
    // The connection is used only while `lock` is held. This makes the class Sendable.
    private let connection: SQLiteConnection
    private let lock = Mutex(())

    private static let formatVersion = 1
    // Each kind of row uses some of the columns. Times are in seconds since 1970.
    private static let tables = """
        CREATE TABLE delivery (
            kind       TEXT NOT NULL,
            reminder   INTEGER,
            occurrence TEXT,
            moment     INTEGER,
            until      INTEGER,
            number     INTEGER,
            text       TEXT
        ) STRICT;
        CREATE INDEX delivery_reminder ON delivery (kind, reminder);
        """

    /// Opens the file in a store's folder, and creates a missing file from an older version's `rings.db`.
    ///
    /// A damaged file is renamed and replaced, because new alarms matter more than the record of delivered alarms.
    package static func open(folder: String) throws(DatabaseError) -> (file: DeliveryStateFile, content: Content) {
        let files = StoreFiles(folder: folder)
        do throws(DatabaseError) {
            let file = try DeliveryStateFile(files, wasRecreated: false)
            return (file, try file.content())
        } catch {
            guard error.code == .corrupt else { throw error }
            for end in ["", "-wal", "-shm"] { rename(files.delivery + end, "\(files.delivery).damaged\(end)") }
            return (try DeliveryStateFile(files, wasRecreated: true), Content())
        }
    }

    /// Reads the last recorded failure without changing the file; locks are used only if a write-ahead log has data.
    /// - Returns: `nil` when the file is missing or contains no failure.
    package static func failure(folder: String) throws(DatabaseError) -> DeliveryFailure? {
        let files = StoreFiles(folder: folder)
        let paths = [files.delivery, files.oldDelivery]
        guard let path = paths.first(where: { StoreFiles.size($0) ?? 0 > 0 }) else { return nil }
        // If the write-ahead log is empty, SQLite can read the file without locks and creates no files beside it.
        let hasLog = (StoreFiles.size(path + "-wal") ?? 0) > 0
        let connection = try SQLiteConnection(
            path: path,
            access: hasLog ? .readOnly : .immutable,
            busyTimeoutMilliseconds: ReminderStore.shortBusyTimeoutMilliseconds
        )
        if path == files.oldDelivery { return try OldDeliveryState.content(connection)?.failure }
        return try Self.content(connection, where: "kind = 'failure'").failure
    }

    private init(_ files: StoreFiles, wasRecreated: Bool) throws(DatabaseError) {
        try files.createFolder()
        if let new = try StoreFiles.openPrivate(files.delivery, flags: O_CREAT | O_EXCL | O_RDWR) { close(new) }
        let timeout = ReminderStore.standardBusyTimeoutMilliseconds
        let connection = try SQLiteConnection(
            path: files.delivery,
            access: .readWrite,
            busyTimeoutMilliseconds: timeout
        )
        self.connection = connection
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        let version = try connection.schemaVersion()
        guard version <= Self.formatVersion else {
            throw DatabaseError(.newerVersion(found: version, known: Self.formatVersion))
        }
        let old = version == 0 && !wasRecreated ? try OldDeliveryState.read(files.oldDelivery) : nil
        self.wasRecreated = wasRecreated || old?.isDamaged ?? false
        // An existing file is not written to, so that the daemon can start on a full disk.
        if version == 0 {
            try connection.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
                try connection.execute(Self.tables)
                if let content = old?.content { try self.insert(content) }
                try connection.execute("PRAGMA user_version = \(Self.formatVersion)")
            }
        }
        // The old file was imported above, or by an earlier run that was killed before this step.
        guard access(files.oldDelivery, F_OK) == 0 else { return }
        for end in ["", "-wal", "-shm"] {
            let path = files.oldDelivery + end
            if old?.isDamaged ?? false { rename(path, "\(files.oldDelivery).damaged\(end)") } else { unlink(path) }
        }
    }

    // MARK: Reading

    private func content() throws(DatabaseError) -> Content {
        try self.lock.withLock { _ throws(DatabaseError) in try Self.content(self.connection, where: "TRUE") }
    }

    private static func content(_ connection: SQLiteConnection, where condition: String) throws(DatabaseError)
        -> Content
    {
        let rows = try connection.rows(
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

    // MARK: Writing

    /// Writes changes in their order, in one transaction.
    ///
    /// A clicked action is on the disk when the method returns. Other changes survive a kill of the process, but an
    /// alarm does not wait for a busy disk (docs/decisions/0025).
    package func save(_ changes: [DeliveryState.Change]) throws(DatabaseError) {
        guard !changes.isEmpty else { return }
        try self.write(changes.contains(where: \.isClick) ? .survivesPowerLoss : .survivesKill) {
            () throws(DatabaseError) in for change in changes { try self.apply(change) }
        }
    }

    /// Records a failure and replaces the former failure.
    package func save(_ failure: DeliveryFailure) throws(DatabaseError) {
        try self.write { () throws(DatabaseError) in
            try self.delete("failure")
            try self.insert(DeliveryRow(failure))
        }
    }

    package func replace(_ content: Content) throws(DatabaseError) {
        try self.write { () throws(DatabaseError) in
            try self.connection.run("DELETE FROM delivery")
            try self.insert(content)
        }
    }

    private func write(
        _ durability: Durability = .survivesPowerLoss,
        _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try self.lock.withLock { _ throws(DatabaseError) in
            try self.connection.transaction(.write(durability), body)
        }
    }

    private func insert(_ content: Content) throws(DatabaseError) {
        let state = content.state
        for change in state.changes { try self.apply(change) }
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
            try self.connection.run(sql, [.integer(number)])
            if let action { try self.insert(DeliveryRow(number, action)) }
        }
    }

    private func delete(_ kind: String) throws(DatabaseError) {
        try self.connection.run("DELETE FROM delivery WHERE kind = ?1", [.text(kind)])
    }

    private func delete(_ kind: String, _ reminder: ReminderID) throws(DatabaseError) {
        let sql = "DELETE FROM delivery WHERE kind = ?1 AND reminder = ?2"
        try self.connection.run(sql, [.text(kind), .integer(reminder.rawValue)])
    }

    private func delete(_ kind: String, _ reminder: ReminderID, _ alarm: DeliveredAlarm) throws(DatabaseError) {
        let sql = """
            DELETE FROM delivery
            WHERE kind = ?1 AND reminder = ?2 AND occurrence IS NOT DISTINCT FROM ?3 AND moment = ?4
            """
        let moment = alarm.fires.secondsSince1970
        let values: [SQLValue] = [.text(kind), .integer(reminder.rawValue), .text(alarm.occurrence), .integer(moment)]
        try self.connection.run(sql, values)
    }

    private func deleteClosing(_ notification: NotificationID) throws(DatabaseError) {
        let sql = "DELETE FROM delivery WHERE kind = 'closing' AND number = ?1 AND text = ?2"
        try self.connection.run(sql, [.integer(Int64(notification.number)), .text(notification.service)])
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
        try self.connection.run(sql, values)
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
    func apply(to content: inout DeliveryStateFile.Content) {
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
