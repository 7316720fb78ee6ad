import Glibc
import RemindavStoreSupport
import Testing

@testable import RemindavPostgresStore
@testable import RemindavStore

@Suite("the steps of the schema", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct HostStepTests {
    @Test("a database of each earlier step is migrated with its reminders", arguments: 2..<hostSteps.count)
    func migration(_ known: Int) throws {
        _ = try TestStores.pool.get()
        let place = try #require(TestStores.place)
        let name = "step\(known)_\(getpid())"
        _ = try PostgresConnection(to: place).runScript("CREATE DATABASE \(name)")
        defer { _ = try? PostgresConnection(to: place).runScript("DROP DATABASE \(name) WITH (FORCE)") }
        // Only servers from before the order of locks have the port of the scheme in their origins.
        let names = hostSteps.prefix(known).map(\.name)
        let hasPorts = names.contains(workStep.name) && !names.contains(lockOrderStep.name)
        let old = DatabasePlace(place.text.replacing("dbname=postgres", with: "dbname=\(name)"))
        do {
            let connection = try PostgresConnection(to: old)
            // The program of that time: its steps, and a tenant with a list and a reminder.
            _ = try connection.runScript(
                """
                GRANT CREATE, USAGE ON SCHEMA public TO remindav_owner; SET ROLE remindav_owner;
                CREATE TABLE schema_step (id bigint PRIMARY KEY, kind text NOT NULL, at bigint NOT NULL)
                """
            )
            for (index, step) in hostSteps.prefix(known).enumerated() {
                _ = try connection.runScript(
                    "\(step.sql); INSERT INTO schema_step VALUES (\(index + 1), '\(step.kind.rawValue)', 0)"
                )
            }
            _ = try connection.runScript(
                """
                RESET ROLE;
                INSERT INTO tenant (id, name, next_list) VALUES (7, 'ada', 2);
                SELECT set_config('remindav.tenant', '7', false);
                INSERT INTO list (id, name, state, read_only, supports_sync_collection, position, created)
                    VALUES (1, 'Home', 'local', 0, 0, 0, 0)
                """
            )
            if hasPorts {
                // Three accounts of two origins, with and without the port of the scheme.
                _ = try connection.runScript(
                    """
                    INSERT INTO server (id, origin, connections, wanted_at) VALUES (11, 'https://a.example.org:443', 9, 0),
                        (12, 'https://a.example.org', 4, 0), (13, 'https://b.example.org:443', 7, 0);
                    INSERT INTO work (tenant, kind, item, server, next_at) VALUES
                        (7, 'sync', 1, 11, 0), (7, 'sync', 2, 12, 0), (7, 'sync', 3, 13, 0)
                    """
                )
            }
        }
        #expect(try HostSchema.migrate(old).count == hostSteps.count - known)
        let pool = PostgresPool(to: DatabasePlace(old.text, role: "remindav_worker"), size: 1)
        let store = ReminderStore.tenant(TenantID(rawValue: 7), in: pool) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
        #expect(try store.read { try $0.lists().map(\.name) } == ["Home"])
        let second = try store.write { transaction throws(DatabaseError) in
            try transaction.insertList(named: "Work", at: 0)
        }
        #expect(second.rawValue == 2)
        // The edit has requested the work of the alarms, which a step or a trigger created.
        let alarms = try PostgresConnection(to: old).runScript(
            "SELECT tenant, requested_at < never() FROM work WHERE kind = 'alarm'"
        )[0]
        #expect(alarms == [["7", "t"]])
        guard hasPorts else { return }
        let servers = try PostgresConnection(to: old).runScript(
            "SELECT item, origin, connections FROM work JOIN server ON server.id = work.server ORDER BY item"
        )[0]
        #expect(
            servers == [
                ["1", "https://a.example.org", "4"], ["2", "https://a.example.org", "4"],
                ["3", "https://b.example.org", "7"],
            ]
        )
        #expect(try PostgresConnection(to: old).runScript("SELECT count(*) FROM server")[0] == [["2"]])
    }
}
