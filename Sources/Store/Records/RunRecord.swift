import RemindavICalendar

/// The operation of a user's command, as `log` names it; the raw values are stored in the journal.
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case add = "add"
    case edit = "edit"
    case complete = "complete"
    /// The user left out a date of a repeating reminder.
    case skip = "skip"
    case reopen = "reopen"
    case snooze = "snooze"
    case acknowledge = "acknowledge"
    /// The user closed a notification; this is no step of `undo`.
    case dismiss = "dismiss"
    case move = "move"
    case delete = "delete"
}

/// One sync of one account, or one operation of a user; each run can be undone.
package struct RunRecord: Hashable, Sendable {
    package let id: RunID
    /// The account's name at the time of the run; empty for an operation of a user.
    package let account: String
    /// When the run began, in seconds since 1970.
    package let startedAt: Int64
    /// When the run ended, in seconds since 1970; `nil` while the run continues and after an interruption.
    package let finishedAt: Int64?
    package let requests: Int
    /// The code of the reason why the sync is incomplete; `nil` for a complete sync.
    package let error: String?
    /// The error code of a sync that is complete except for deletions that wait for the user's confirmation.
    package static let deletionsHeld = "deletionsHeld"
    /// The operation; `nil` for a sync, and for imports, undo and changes of labels and lists.
    package let operation: Operation?

    package var isOperation: Bool { self.account.isEmpty }
}

/// How long the journal keeps runs with the texts that undo needs: 30 days.
package let journalSeconds: Int64 = 30 * Int64(ClockTime.secondsPerDay)

extension StoreSnapshot {
    private static let runColumns = "SELECT id, account, started, finished, requests, error, operation FROM sync_run"

    /// Returns the newest runs, newest first.
    package func runs(limit: Int, includingDismissals: Bool = true) throws(DatabaseError) -> [RunRecord] {
        let isWanted = includingDismissals ? "TRUE" : "coalesce(operation, '') <> 'dismiss'"
        let sql = "\(Self.runColumns) WHERE \(isWanted) ORDER BY id DESC LIMIT ?1"
        return try self.database.rows(sql, [.integer(limit)]) { RunRecord($0) }
    }

    /// Returns the last sync of an account; `nil` when the journal has none.
    package func lastRun(of account: String) throws(DatabaseError) -> RunRecord? {
        let sql = "\(Self.runColumns) WHERE account = ?1 ORDER BY id DESC LIMIT 1"
        return try self.database.first(sql, [.text(account)]) { RunRecord($0) }
    }

    /// Returns the last sync of an account that ended; `nil` when the journal has none.
    /// - Parameter isComplete: whether only syncs without an error count.
    package func lastEndedRun(of account: String, isComplete: Bool = false) throws(DatabaseError) -> RunRecord? {
        let isWanted = isComplete ? "error IS NULL" : "TRUE"
        let sql = """
            \(Self.runColumns) WHERE account = ?1 AND finished IS NOT NULL AND \(isWanted) ORDER BY id DESC LIMIT 1
            """
        return try self.database.first(sql, [.text(account)]) { RunRecord($0) }
    }

    package func run(_ id: RunID) throws(DatabaseError) -> RunRecord? {
        try self.database.first("\(Self.runColumns) WHERE id = ?1", [.id(id)]) { RunRecord($0) }
    }

    /// Returns the last run with a change that is not undone.
    ///
    /// A run that undoes another run does not count, and a closed notification neither. Changes that a sync sent to a server do not count, because they are
    /// the user's own edits, which have runs of their own.
    /// - Parameter run: only runs before this run count; `nil` for all runs.
    package func lastRunToUndo(before run: RunID? = nil) throws(DatabaseError) -> RunID? {
        let ofReminders = """
            SELECT run FROM change JOIN sync_run ON sync_run.id = change.run
            WHERE entity = 'reminder' AND side = 'local' AND reverses IS NULL AND undone IS NULL
                AND coalesce(operation, '') <> 'dismiss'
                AND (CAST(?1 AS BIGINT) IS NULL OR run < ?1)
            ORDER BY run DESC LIMIT 1
            """
        let ofOthers = """
            SELECT max(run) FROM change
            WHERE entity <> 'reminder' AND reverses IS NULL AND undone IS NULL
                AND (CAST(?1 AS BIGINT) IS NULL OR run < ?1)
            """
        let runs = [
            try self.database.integer(ofReminders, [.id(run)]), try self.database.integer(ofOthers, [.id(run)]),
        ]
        return runs.compactMap { $0 }.max().map { RunID($0) }
    }
}

extension StoreTransaction {
    /// Begins a run, and deletes runs older than ``journalSeconds``.
    package func beginRun(of account: String, at now: Int64) throws(DatabaseError) -> RunID {
        try self.insertRun(of: account, at: now, finished: nil)
    }

    /// Begins the run of an operation, in the operation's `write`, and deletes runs older than ``journalSeconds``.
    /// - Parameter operation: `nil` when the log names the run by its changes.
    package func beginOperation(_ operation: Operation? = nil, at now: Int64) throws(DatabaseError) -> RunID {
        try self.insertRun(of: "", operation, at: now, finished: now)
    }

    private func insertRun(
        of account: String,
        _ operation: Operation? = nil,
        at now: Int64,
        finished: Int64?
    ) throws(DatabaseError) -> RunID {
        try self.database.send("DELETE FROM sync_run WHERE started < ?1", [.integer(now - journalSeconds)])
        return RunID(
            try self.database.insert(
                into: "sync_run",
                [
                    "account": .text(account), "started": .integer(now), "finished": .integer(finished),
                    "operation": .text(operation?.rawValue),
                ]
            )
        )
    }

    /// Ends a run.
    ///
    /// If this run and the account's previous run have no changes and the same outcome (complete, or
    /// ``RunRecord/deletionsHeld``), the previous run is deleted, so that idle syncs do not fill the journal.
    package func endRun(_ id: RunID, requests: Int, error: String?, at now: Int64) throws(DatabaseError) {
        let sql = "UPDATE sync_run SET finished = ?2, requests = ?3, error = ?4 WHERE id = ?1"
        let values: [SQLValue] = [.id(id), .integer(now), .integer(requests), .text(error)]
        try self.database.changeOne(sql, values)
        guard (error ?? RunRecord.deletionsHeld) == RunRecord.deletionsHeld else { return }
        try self.database.send(
            """
            DELETE FROM sync_run
            WHERE id = (
                SELECT max(earlier.id) FROM sync_run AS earlier JOIN sync_run AS this
                ON earlier.account = this.account AND earlier.id < this.id WHERE this.id = ?1
            )
            AND finished IS NOT NULL AND (error = ?2 OR error IS NULL AND CAST(?2 AS TEXT) IS NULL)
            AND NOT EXISTS (SELECT 1 FROM change WHERE run = sync_run.id)
            AND NOT EXISTS (SELECT 1 FROM change WHERE run = ?1)
            """,
            [.id(id), .text(error)]
        )
    }
}

extension RunRecord {
    fileprivate init(_ row: Row) {
        self.id = row.id("id")
        self.account = row.text("account")
        self.startedAt = row.integer("started")
        self.finishedAt = row.integerIfPresent("finished")
        self.requests = row.number("requests")
        self.error = row.textIfPresent("error")
        self.operation = row.textIfPresent("operation").flatMap(Operation.init)
    }
}

package typealias RunID = RecordID<RunRecord>
