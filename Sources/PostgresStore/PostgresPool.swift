import Glibc
import RemindavStore

/// The connections of a process to PostgreSQL, which the stores of all its tenants share.
package final class PostgresPool: @unchecked Sendable {
    /// The maximum number of connections of a process; a server has 100 by default.
    package static let standardSize = 16
    /// The time in seconds to wait for a free connection, as long as a writer waits for another one.
    private static let waitingSeconds = 5

    private let place: DatabasePlace
    // The following properties are used only while `mutex` is locked. This makes the class Sendable.
    private var free: [PostgresConnection] = []
    private var open = 0
    private var history: String?
    private var changes = 0
    private let size: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let returned = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// - Parameter size: the maximum number of connections.
    package init(to place: DatabasePlace, size: Int = PostgresPool.standardSize) {
        self.place = place
        self.size = size
        pthread_mutex_init(self.mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(self.returned, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(self.returned)
        pthread_mutex_destroy(self.mutex)
        self.returned.deallocate()
        self.mutex.deallocate()
    }

    /// Takes a free connection, opens one, or waits for one.
    ///
    /// - Throws: ``DatabaseError/Code/unavailable`` when the server cannot be reached; ``DatabaseError/Code/unsuitable``
    ///   when the role or the schema must not be used; ``DatabaseError/Code/busy`` when no connection is returned in
    ///   time.
    func take() throws(DatabaseError) -> PostgresConnection {
        if let connection = try self.takeFree() { return connection }
        do throws(DatabaseError) {
            let connection = try PostgresConnection(to: self.place)
            // A replica may become the primary server soon, so it is not unsuitable.
            if let obstacle = try HostObstacle.find(in: connection), obstacle != .readOnly {
                throw DatabaseError(.unsuitable, detail: 0, reason: obstacle.sentence)
            }
            try self.compareHistory(connection)
            return connection
        } catch {
            self.locked { self.open -= 1 }
            pthread_cond_signal(self.returned)
            throw error
        }
    }

    /// The number of times that the history of the database has changed, since this pool was created.
    ///
    /// The history changes when a replica takes over, and when the operator restores a backup. The last commits may then
    /// be missing, so two processes could have the same fence. Leases from before the change are void.
    package var generation: Int {
        var changes = 0
        self.locked { changes = self.changes }
        return changes
    }

    /// The number of the present history, and its name, which is the same in all processes.
    var namedHistory: (generation: Int, name: String?) {
        var named: (Int, String?) = (0, nil)
        self.locked { named = (self.changes, self.history) }
        return named
    }

    /// The timeline of the server, which changes with each promoted replica, and the epoch of the host.
    private static let historyQuery = """
        SELECT CASE WHEN pg_is_in_recovery() THEN NULL
            ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || (SELECT epoch FROM host) END
        """

    private func compareHistory(_ connection: PostgresConnection) throws(DatabaseError) {
        guard let history = try connection.runScript(Self.historyQuery).first?.first?.first ?? nil else {
            throw DatabaseError(.unavailable, detail: 0, reason: "the server is a replica, which cannot be written")
        }
        self.locked {
            if let known = self.history, known != history { self.changes += 1 }
            self.history = history
        }
    }

    /// Returns a free connection; `nil` when the caller has to open one, which is counted already.
    private func takeFree() throws(DatabaseError) -> PostgresConnection? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += Self.waitingSeconds
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        while true {
            while let connection = self.free.popLast() {
                if !connection.wasEnded { return connection }
                self.open -= 1
            }
            if self.open < self.size {
                self.open += 1
                return nil
            }
            guard pthread_cond_timedwait(self.returned, self.mutex, &end) != ETIMEDOUT else {
                throw DatabaseError(.busy)
            }
        }
    }

    /// Gives a connection back; a broken one is closed, and so are the free ones, which the same fault has broken.
    func give(_ connection: PostgresConnection) {
        var closed: [PostgresConnection] = []
        self.locked {
            if connection.isBroken {
                closed = self.free
                self.open -= 1 + self.free.count
                self.free = []
            } else {
                self.free.append(connection)
            }
        }
        pthread_cond_broadcast(self.returned)
        withExtendedLifetime(closed) {}
    }

    /// Runs one statement outside of a transaction, and returns its rows.
    func rows<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ read: (Row) -> Value
    ) throws(DatabaseError) -> [Value] {
        let connection = try self.take()
        defer { self.give(connection) }
        var rows: [Value] = []
        try connection.forEach(sql, values) { row in
            rows.append(read(row))
            return true
        }
        return rows
    }

    private func locked(_ body: () -> Void) {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        body()
    }
}
