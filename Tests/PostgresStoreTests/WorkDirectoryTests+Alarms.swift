import Glibc
import RemindavHosting
import RemindavStoreSupport
import Testing

@testable import RemindavPostgresStore
@testable import RemindavStore

extension WorkDirectoryTests {
    @Test("an edit sets the time of the alarms, and a run knows how long an edit has waited until the run ends")
    func alarms() throws {
        #expect(try self.works.beginAlarms(limit: 10).isEmpty)
        try self.edit()
        #expect(try self.isDue(in: 0...2, .alarm))
        try self.pass(2)
        var due = try self.works.beginAlarms(limit: 10)
        let key = WorkKey(tenant: self.tenant, kind: .alarm, item: 0)
        #expect(
            due.map(\.fence.key) == [key] && due[0].fence.tries == 1 && (0...Self.margin).contains(due[0].lateSeconds)
        )
        #expect(try self.works.beginAlarms(limit: 10).isEmpty)
        // The process was killed, and an edit follows.
        try self.pass(60)
        try self.edit()
        #expect(try self.works.beginAlarms(limit: 10).isEmpty)
        try self.pass(60)
        due = try self.works.beginAlarms(limit: 10)
        #expect(due[0].fence.tries == 2 && (120...120 + Self.margin).contains(due[0].lateSeconds))
        // A failed run is repeated after its pause, and an edit does not shorten the pause.
        try self.works.end(due[0].fence, .failed(retrySeconds: 60))
        try self.edit()
        #expect(try self.isDue(in: 50...60, .alarm))
        try self.pass(60)
        due = try self.works.beginAlarms(limit: 10)
        #expect(due[0].fence.tries == 1 && due[0].failures == 1 && due[0].lateSeconds >= 180)
        // An edit in a run is not lost.
        try self.edit()
        try self.works.end(due[0].fence, .done(nextSeconds: 900))
        #expect(try self.isDue(in: 0...2, .alarm))
        try self.pass(2)
        due = try self.works.beginAlarms(limit: 10)
        #expect((0...Self.margin).contains(due[0].lateSeconds) && due[0].failures == 0)
        try self.works.end(due[0].fence, .done(nextSeconds: 900))
        #expect(try self.isDue(in: 890...900, .alarm))
        // After messages, also an edit begins no run at once.
        try self.edit()
        try self.pass(2)
        due = try self.works.beginAlarms(limit: 10)
        try self.works.end(due[0].fence, .done(nextSeconds: 900, restSeconds: 60))
        try self.edit()
        #expect(try self.isDue(in: 50...60, .alarm))
        try self.pass(60)
        due = try self.works.beginAlarms(limit: 10)
        try self.works.end(due[0].fence, .done(nextSeconds: 900))
        // The end of a run that lost its lease changes nothing.
        try self.works.end(due[0].fence, .done(nextSeconds: 5))
        try self.pass(900)
        let next = try self.works.beginAlarms(limit: 10)
        try self.works.end(due[0].fence, .done(nextSeconds: nil))
        #expect(try self.isDue(in: 110...120, .alarm))
        try self.works.end(next[0].fence, .held)
        try self.pass(100_000)
        try self.edit()
        #expect(try self.works.beginAlarms(limit: 10).isEmpty)
        #expect(try self.works.releaseHeld() == 1)
        #expect(try self.works.beginAlarms(limit: 10).count == 1)
    }

    @Test("a change of the destination ends a run, and the first destination forgets old alarms")
    func destination() throws {
        let directory = TenantDirectory(self.pool)
        #expect(try directory.alarmDestination(of: self.tenant) == AlarmDestination())
        try self.edit()
        try self.pass(2)
        let run = try self.works.beginAlarms(limit: 10)[0].fence
        let current = CurrentRuns([run])
        let database = self.pool.database(of: self.tenant, runs: current)
        let insert = "INSERT INTO delivery (kind, number) VALUES ('change', 7)"
        try database.transaction(.write(.survivesKill)) { () throws(DatabaseError) in try database.send(insert, []) }
        func rows() throws -> String? {
            try self.asOwner("SELECT count(*) FROM delivery WHERE tenant = \(self.tenant.rawValue)")[0][0][0]
        }
        #expect(try rows() == "1")
        let destination = AlarmDestination(mail: "ada@example.org", hasPush: true, quietHours: "22:00-07:00")
        let first = AlarmDestinationChange(mail: "ada@example.org", hasPush: true, quietHours: "22:00-07:00")
        #expect(try directory.change(first, of: self.tenant) == destination)
        #expect(try directory.alarmDestination(of: self.tenant) == destination && rows() == "0")
        #expect(throws: DatabaseError(.leaseLost)) {
            try database.transaction(.write(.survivesKill)) { () throws(DatabaseError) in try database.send(insert, [])
            }
        }
        current.replace(with: try self.works.beginAlarms(limit: 10).map(\.fence), for: .sync, clock: nil)
        try database.transaction(.write(.survivesKill)) { () throws(DatabaseError) in try database.send(insert, []) }
        // Another destination keeps the state, so that no alarm is sent twice.
        let second = AlarmDestinationChange(mail: "other@example.org")
        let other = AlarmDestination(mail: "other@example.org", hasPush: true, quietHours: "22:00-07:00")
        #expect(try directory.change(second, of: self.tenant) == other && rows() == "1")
        // Each part changes alone, because two processes may change different parts at the same time.
        let third = AlarmDestinationChange(mail: .some(nil), quietHours: .some(nil))
        #expect(try directory.change(third, of: self.tenant) == AlarmDestination(hasPush: true))
        #expect(try directory.change(AlarmDestinationChange(hasPush: false), of: self.tenant) == AlarmDestination())
        // A tenant without a destination of its own sees no row of another one.
        let stranger = try directory.add("other \(getpid()) \(self.number)")
        #expect(try directory.alarmDestination(of: stranger) == AlarmDestination())
        let foreign = self.pool.database(of: stranger, runs: CurrentRuns())
        let count = try foreign.transaction(.read) { () throws(DatabaseError) in
            try foreign.first("SELECT count(*) AS n FROM delivery") { $0.integer("n") }
        }
        #expect(count == 0)
    }

    @Test("two changes of different parts of a destination at the same time are both kept")
    func destinationParts() async throws {
        let (pool, tenant) = (self.pool, self.tenant)
        _ = try TenantDirectory(pool).change(AlarmDestinationChange(mail: "ada@example.org"), of: tenant)
        let first = try pool.take()
        _ = try first.runScript(
            """
            BEGIN; SELECT set_config('remindav.tenant', '\(tenant.rawValue)', true);
            UPDATE alarm_destination SET mail = 'new@example.org' WHERE tenant = \(tenant.rawValue)
            """
        )
        let second = Task.detached { () throws -> AlarmDestination in
            try TenantDirectory(pool).change(AlarmDestinationChange(quietHours: "22:00-07:00"), of: tenant)
        }
        let waiting =
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO alarm_destination%'"
        for _ in 0..<400 where (try? self.asOwner(waiting)[0].isEmpty) != false { usleep(10_000) }
        _ = try first.runScript("COMMIT")
        pool.give(first)
        #expect(try await second.value == AlarmDestination(mail: "new@example.org", quietHours: "22:00-07:00"))
    }
}
