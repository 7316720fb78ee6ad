package import RemindavICalendar
package import RemindavJSON
package import RemindavNotifications
import RemindavRecurrence
package import RemindavReminders
import RemindavStore

/// The state of alarms and accounts, for a status bar or a script.
package struct StatusReport: Sendable {
    /// The next alarm; `nil` when there is none.
    package var next: AlarmView?
    /// The number of open reminders with an alarm in the future.
    package var pending = 0
    /// The number of open reminders with an unacknowledged alarm in the past.
    package var unacknowledged = 0
    /// The numbers of open reminders with unknown later alarms, because the search in their rules takes too long.
    package var unplanned: [Int64] = []
    /// The failure to show pending alarms; `nil` when there is none.
    package var unshown: DeliveryFailure?
    /// The accounts in the order of their names.
    package var accounts: [Account] = []

    /// The state of an account.
    package struct Account: Hashable, Sendable {
        /// The name of the account.
        package var name: String
        /// The start of the last sync; `nil` when the account was not synced in the last 30 days.
        package var lastSync: Instant?
        /// Whether a sync, however long ago, has read a list of the account.
        package var wasSynced: Bool
        /// The error category of the last sync; `nil` when that sync was complete.
        package var error: String?
        /// The end of the pause that the server requested; `nil` when no pause is in force.
        package var restsUntil: Instant?
        /// The number of unsent changes.
        package var unsent: Int
    }
}

extension UseCases {
    /// The next alarm, the numbers of pending and unacknowledged reminders, and the last sync of each account.
    ///
    /// - Parameter muted: the lists and labels to leave out.
    package func status(
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules()
    ) throws -> StatusReport {
        let reader = self.reader
        let now = self.configuration.now()
        var report = try self.store.read { snapshot throws(DatabaseError) -> StatusReport in
            let names = try snapshot.listNames()
            let filter = MuteFilter(muted, names)
            var report = StatusReport()
            try snapshot.forEachOpenObject { record in
                guard !filter.isMuted(record), let plan = reader.plan(record, settings) else { return }
                let (unacknowledged, pending) = plan.standing(at: now)
                if unacknowledged != nil { report.unacknowledged += 1 }
                if plan.budget.wasExceeded { report.unplanned.append(record.id.rawValue) }
                guard let alarm = pending else { return }
                report.pending += 1
                if let next = report.next, ReminderAlarm.inOrder(next.alarm, alarm) { return }
                report.next = AlarmView(alarm, of: record, in: names)
            }
            return report
        }
        if let folder = self.store.folder, let failure = Self.deliveryFailure(in: folder), failure.isOpen {
            let isRunning = Self.daemonIsRunning(in: folder)
            report.unshown = failure.standing(isRunning: isRunning, unacknowledged: report.unacknowledged)
        }
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        for account in accounts {
            let check = try self.kept(about: account)
            report.accounts.append(
                StatusReport.Account(
                    name: check.name,
                    lastSync: check.lastSync,
                    wasSynced: check.wasSynced,
                    error: check.error,
                    restsUntil: check.restsUntil,
                    unsent: check.unsent + check.waitingDeletions
                )
            )
        }
        return report
    }
}

extension AlarmView {
    init(_ alarm: ReminderAlarm, of record: ObjectRecord, in names: ListNames) {
        self.init(
            alarm: alarm,
            reminder: record.id.rawValue,
            uid: record.uid,
            list: names[record.list] ?? "",
            repeats: record.index.repeats
        )
    }
}

extension StatusReport: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("nextAlarm") { $0.next },
        JSONMember("pending") { $0.pending },
        JSONMember("count") { $0.unacknowledged },
        JSONMember("unplanned") { $0.unplanned },
        JSONMember("accounts") { $0.accounts },
        JSONMember("unshown") { $0.unshown },
    ]
}

extension StatusReport.Account: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("lastSync") { $0.lastSync },
        JSONMember("wasSynced") { $0.wasSynced },
        JSONMember("error") { $0.error },
        JSONMember("restsUntil") { $0.restsUntil },
        JSONMember("unsent") { $0.unsent },
    ]
}
