import Glibc
import RemindavBridge
import RemindavICalendar
import RemindavReminders
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavPostgresStore
@testable import RemindavSQLiteStore
@testable import RemindavStore

/// The round trips to PostgreSQL of use cases: with a network between both, each takes about 0.6 ms.
@Suite("the round trips of use cases", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct RoundTripTests {
    private static let count = Mutex(0)

    private let pool: PostgresPool
    private let useCases: UseCases

    init() throws {
        _ = try TestStores.pool.get()
        let place = try #require(TestStores.place)
        // A single connection counts all round trips.
        self.pool = PostgresPool(to: DatabasePlace(place.text, role: "remindav_worker"), size: 1)
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        let tenant = try TenantDirectory(self.pool).add("round-trips-\(getpid())-\(number)")
        self.useCases = UseCases(
            configuration: Configuration(
                storeFolder: "/nonexistent",
                localZone: "UTC",
                zones: Configuration.systemZones(environment: [:]),
                now: { Instant(secondsSince1970: 1_795_204_800) }
            ),
            store: ReminderStore.tenant(tenant, in: self.pool) { () throws(DatabaseError) in
                try ReminderStore.emptyDatabase()
            }
        )
    }

    private func roundTrips() throws -> Int {
        let connection = try self.pool.take()
        defer { self.pool.give(connection) }
        return connection.roundTrips
    }

    private func roundTrips(of body: () throws -> Void) throws -> Int {
        let before = try self.roundTrips()
        try body()
        return try self.roundTrips() - before
    }

    private func load(_ range: Range<Int>, title: String = "a") throws {
        let todos = range.map {
            "BEGIN:VTODO\r\nUID:u\($0)\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:\(title)\r\nEND:VTODO\r\n"
        }
        let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n\(todos.joined())END:VCALENDAR\r\n"
        let file = Mutex(Array(text.utf8)[...])
        let source = ByteSource(name: "test.ics") { limit in
            file.withLock { rest in
                let piece = Array(rest.prefix(limit))
                rest = rest.dropFirst(limit)
                return piece
            }
        }
        let report = try self.useCases.importCalendar(source, list: nil, dryRun: false, progress: { _ in })
        #expect(report.added == range.count)
    }

    private struct UseCase {
        let name: String
        /// The number of round trips in November 2026, and a few more.
        let limit: Int
        let run: () throws -> Void
    }

    @Test("each use case has a small number of round trips, which does not depend on the number of reminders")
    func limits() throws {
        var next = 0
        func imports(_ count: Int) throws {
            try self.load(next..<next + count)
            next += count
        }
        let id = try self.useCases.add(ReminderDraft(title: "Milk")).id
        let useCases = [
            UseCase(name: "add", limit: 20) { _ = try self.useCases.add(ReminderDraft(title: "Milk")) },
            UseCase(name: "list", limit: 12) { _ = try self.useCases.listing(ReminderFilter()) },
            UseCase(name: "show", limit: 12) { _ = try self.useCases.details(id) },
            UseCase(name: "done", limit: 12) { _ = try self.useCases.complete(id) },
            UseCase(name: "undo", limit: 32) { _ = try self.useCases.undo(.last) },
            UseCase(name: "import of 10", limit: 48) { try imports(10) },
            UseCase(name: "import of 1,000", limit: 56) { try imports(1000) },
            UseCase(name: "list of 1,000", limit: 12) { _ = try self.useCases.listing(ReminderFilter()) },
        ]
        // The first round prepares the statements.
        for isPrepared in [false, true] {
            for useCase in useCases {
                let count = try self.roundTrips(of: useCase.run)
                if isPrepared { #expect(count <= useCase.limit, "\(useCase.name): \(count) round trips") }
            }
        }
    }
}
