public import ICalendar
package import JSON
import Recurrence
public import Reminders
import Store

/// How things stand, at a glance: for a bar on the desktop, a script, a daemon's own report.
public struct StatusReport: Sendable {
    /// The alarm that rings next; `nil` when none does.
    public var next: AlarmView?
    /// Open reminders that will ring.
    public var pending = 0
    /// Open reminders that have rung, or would have, and that nobody has seen to.
    public var unacknowledged = 0
    /// The numbers of open reminders with incomplete alarms, because their repeat rules need too long a search.
    public var unplanned: [Int64] = []
    /// What could not be shown and is still to be; `nil` when there is nothing such.
    public var unshown: DeliveryFailure?
    /// The accounts, in the order of their names.
    public var accounts: [Account] = []

    /// An account as it was left.
    public struct Account: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// When its last sync began; `nil` when the journal of 30 days has none.
        public var lastSync: Instant?
        /// Why that sync did not do all, in a word; `nil` when it did.
        public var trouble: String?
        /// Until when its server wants no request; `nil` when it has not said so, or that is over.
        public var restsUntil: Instant?
        /// Changes that the server has not got.
        public var unsent: Int
    }
}

extension UseCases {
    /// What rings next, how much is to ring and has rung, and when each account was synced; reads what is open, and
    /// changes nothing.
    ///
    /// - Parameter silent: what a person wants to hear nothing of; it counts in neither number.
    public func status(
        settings: AlarmSettings = AlarmSettings(),
        silent: MuteRules = MuteRules()
    ) throws -> StatusReport {
        let reader = self.reader
        let now = self.configuration.now()
        var report = try self.store.read { snapshot throws(DatabaseError) -> StatusReport in
            let names = try snapshot.listNames()
            let silence = MuteFilter(silent, names)
            var report = StatusReport()
            try snapshot.forEachOpenObject { record in
                guard !silence.holds(record), let plan = reader.plan(record, settings) else { return }
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
        if let folder = self.store.folder, let trouble = Self.deliveryFailure(in: folder), trouble.isOpen {
            let isRunning = Self.daemonIsRunning(in: folder)
            report.unshown = trouble.standing(isRunning: isRunning, unacknowledged: report.unacknowledged)
        }
        let accounts = try self.store.read { snapshot throws(DatabaseError) in try snapshot.accounts() }
        for account in accounts {
            let check = try self.kept(about: account)
            report.accounts.append(
                StatusReport.Account(
                    name: check.name,
                    lastSync: check.lastSync,
                    trouble: check.trouble,
                    restsUntil: check.restsUntil,
                    unsent: check.unsent + check.waitingDeletions
                )
            )
        }
        return report
    }
}

extension AlarmView {
    /// The alarm of a stored reminder.
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
        JSONMember("error") { $0.trouble },
        JSONMember("restsUntil") { $0.restsUntil },
        JSONMember("unsent") { $0.unsent },
    ]
}
