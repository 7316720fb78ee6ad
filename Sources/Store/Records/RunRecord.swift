import ICalendar

/// What a person did, where the log says it in a word.
///
/// The journal keeps the words.
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case add, edit, complete, reopen, snooze, acknowledge, move, delete
}

/// One sync of one account, or a operation of a person that can be undone as a sync can.
package struct RunRecord: Hashable, Sendable {
    /// The run's number.
    package let id: RunID
    /// The account's name then; empty for a person's operation, since no account is called so.
    package let account: String
    /// Seconds since 1970.
    package let startedAt: Int64
    /// Seconds since 1970; `nil` for a run that was broken off, or goes on still.
    package let finishedAt: Int64?
    /// HTTP requests.
    package let requests: Int
    /// Why it did not do all that it should have, in a word of ours; `nil` when it did.
    package let error: String?
    /// The word for a sync that did all but what it does not delete unasked.
    package static let deletionsHeld = "deletionsHeld"
    /// What a person did; `nil` for a sync, and for a operation that its changes tell: an import, what was done to a label or a
    /// list, an undoing.
    package let operation: Operation?

    /// Whether a person did it here.
    package var isOperation: Bool { self.account.isEmpty }
}

/// How long the journal keeps what sync did, and with it the texts that undoing takes: 30 days, as people expect of a
/// trash.
package let journalSeconds: Int64 = 30 * Int64(ClockTime.secondsPerDay)

extension StoreSnapshot {
    private static let runColumns = "SELECT id, account, started, finished, requests, error, operation FROM sync_run"

    /// The runs in the journal, newest first.
    ///
    /// - Parameter limit: so many at most.
    package func runs(limit: Int) throws(DatabaseError) -> [RunRecord] {
        let sql = "\(Self.runColumns) ORDER BY id DESC LIMIT ?1"
        return try self.database.rows(sql, [.integer(limit)]) { RunRecord($0) }
    }

    /// The last sync of an account, `nil` when the journal has none: then there was none for 30 days.
    package func lastRun(of account: String) throws(DatabaseError) -> RunRecord? {
        let sql = "\(Self.runColumns) WHERE account = ?1 ORDER BY id DESC LIMIT 1"
        return try self.database.first(sql, [.text(account)]) { RunRecord($0) }
    }

    /// The run of that number, `nil` when the journal has none.
    package func run(_ id: RunID) throws(DatabaseError) -> RunRecord? {
        try self.database.first("\(Self.runColumns) WHERE id = ?1", [.id(id)]) { RunRecord($0) }
    }

    /// The last run of which something is not undone; `nil` when there is none.
    ///
    /// An undoing is none, and neither is the run that only carried to the server what a person had done here: what was
    /// done is a run of its own.
    ///
    /// - Parameter run: the run must be an earlier one than this; `nil` for any.
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
    /// Opens the journal for a run, and throws away what is older than ``journalSeconds``.
    package func beginRun(of account: String, at now: Int64) throws(DatabaseError) -> RunID {
        try self.insertRun(of: account, at: now, finished: nil)
    }

    /// Opens the journal for what a person does here, all of it in the same `write`, and throws away what is older than
    /// ``journalSeconds``.
    ///
    /// - Parameter operation: what the log says of it; `nil` where that follows from its changes.
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

    /// Closes the journal for a run; one that changed nothing and had no error, or held the same deletions back, takes
    /// the place of the one before it, when that was such a run too, so that idle runs do not fill the journal.
    package func endRun(_ id: RunID, requests: Int, error: String?, at now: Int64) throws(DatabaseError) {
        let sql = "UPDATE sync_run SET finished = ?2, requests = ?3, error = ?4 WHERE id = ?1"
        let values: [SQLValue] = [.id(id), .integer(now), .integer(requests), .text(error)]
        guard try self.database.run(sql, values) == 1 else { throw DatabaseError(.notFound) }
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

/// The number of a run of a sync.
package typealias RunID = RecordID<RunRecord>
