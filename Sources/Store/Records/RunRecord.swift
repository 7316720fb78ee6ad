import ICalendar

/// The operation of a user, where the log names it; the journal keeps the raw values.
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case add = "add"
    case edit = "edit"
    case complete = "complete"
    case reopen = "reopen"
    case snooze = "snooze"
    case acknowledge = "acknowledge"
    case move = "move"
    case delete = "delete"
}

/// One sync of one account, or an operation of a user, each of which can be undone.
package struct RunRecord: Hashable, Sendable {
    package let id: RunID
    /// The account's name at that time; empty for an operation of a user.
    package let account: String
    /// Seconds since 1970.
    package let startedAt: Int64
    /// Seconds since 1970; `nil` for a run that goes on or was interrupted.
    package let finishedAt: Int64?
    /// HTTP requests.
    package let requests: Int
    /// The reason for an incomplete sync, as a code; `nil` for a complete one.
    package let error: String?
    /// The code of a sync that only held deletions back.
    package static let deletionsHeld = "deletionsHeld"
    /// `nil` for a sync, and for operations that follow from their changes: imports, changes of labels and lists, undo.
    package let operation: Operation?

    package var isOperation: Bool { self.account.isEmpty }
}

/// The time that the journal keeps runs, and with them the texts for undo: 30 days, as usual for a trash.
package let journalSeconds: Int64 = 30 * Int64(ClockTime.secondsPerDay)

extension StoreSnapshot {
    private static let runColumns = "SELECT id, account, started, finished, requests, error, operation FROM sync_run"

    /// Newest first.
    package func runs(limit: Int) throws(DatabaseError) -> [RunRecord] {
        let sql = "\(Self.runColumns) ORDER BY id DESC LIMIT ?1"
        return try self.database.rows(sql, [.integer(limit)]) { RunRecord($0) }
    }

    /// The last sync of an account; `nil` for none in 30 days.
    package func lastRun(of account: String) throws(DatabaseError) -> RunRecord? {
        let sql = "\(Self.runColumns) WHERE account = ?1 ORDER BY id DESC LIMIT 1"
        return try self.database.first(sql, [.text(account)]) { RunRecord($0) }
    }

    package func run(_ id: RunID) throws(DatabaseError) -> RunRecord? {
        try self.database.first("\(Self.runColumns) WHERE id = ?1", [.id(id)]) { RunRecord($0) }
    }

    /// The last run with a change that is not undone.
    ///
    /// Runs that undo do not count, nor runs that only sent operations of the user, since those have runs of their own.
    ///
    /// - Parameter run: a later run than the wanted one; `nil` for any.
    package func lastRunToUndo(before run: RunID? = nil) throws(DatabaseError) -> RunID? {
        let ofReminders = """
            SELECT run FROM change
            WHERE entity = 'reminder' AND reverses IS NULL AND undone IS NULL
                AND (CAST(?1 AS BIGINT) IS NULL OR run < ?1)
                AND NOT (side = 'remote' AND coalesce((
                    SELECT account = '' FROM change AS earlier JOIN sync_run ON sync_run.id = earlier.run
                    WHERE earlier.object = change.object AND earlier.run < change.run
                        AND (earlier.kind <> 'added' OR earlier.origin IS NULL)
                    ORDER BY earlier.id DESC LIMIT 1
                ), FALSE))
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
    /// Begins a run, and deletes those older than ``journalSeconds``.
    package func beginRun(of account: String, at now: Int64) throws(DatabaseError) -> RunID {
        try self.insertRun(of: account, at: now, finished: nil)
    }

    /// Begins the run of a user's operation, all of it in the same `write`, and deletes runs older than
    /// ``journalSeconds``.
    ///
    /// - Parameter operation: `nil` where it follows from the changes.
    package func beginOperation(_ operation: Operation? = nil, at now: Int64) throws(DatabaseError) -> RunID {
        try self.insertRun(of: "", operation, at: now, finished: now)
    }

    private func insertRun(
        of account: String,
        _ operation: Operation? = nil,
        at now: Int64,
        finished: Int64?
    ) throws(DatabaseError) -> RunID {
        try self.database.run("DELETE FROM sync_run WHERE started < ?1", [.integer(now - journalSeconds)])
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
    /// A run without changes and errors replaces the one before it if that was alike, so that idle runs do not fill the
    /// journal; likewise runs that hold the same deletions back.
    package func endRun(_ id: RunID, requests: Int, error: String?, at now: Int64) throws(DatabaseError) {
        let sql = "UPDATE sync_run SET finished = ?2, requests = ?3, error = ?4 WHERE id = ?1"
        let values: [SQLValue] = [.id(id), .integer(now), .integer(requests), .text(error)]
        try self.database.changeOne(sql, values)
        guard (error ?? RunRecord.deletionsHeld) == RunRecord.deletionsHeld else { return }
        try self.database.run(
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
