import RemindavICalendar
import RemindavNotifications
import RemindavStore
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavSQLiteStore

@Suite("Failures to show alarms in the status")
struct DeliveryFailureStatusTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    @Test("status reports it while it lasts, and a damaged file is ignored")
    func status() throws {
        let folder = try TemporaryFolder()
        let useCases = try UseCases.open(
            Configuration(
                storeFolder: folder.path,
                localZone: "UTC",
                zones: Configuration.systemZones(environment: [:]),
                now: { Workplace.now }
            )
        )
        #expect(try useCases.status().unshown == nil)
        var file: DeliveryStateFile? = try DeliveryStateFile.open(folder: folder.path).file
        let open = DeliveryFailure(since: self.at(10), count: 2, reason: "gone")
        try file?.save(open)
        #expect(UseCases.deliveryFailure(in: folder.path) == open)
        #expect(try useCases.status().unshown == nil, "no daemon runs, and no alarm is pending")
        let lock = try DaemonLock(folder: folder.path)
        #expect(try withExtendedLifetime(lock) { try useCases.status().unshown } == open)
        let lines = ["VERSION:2.0", "BEGIN:VTODO", "UID:a", "DUE:20261120T190000Z", "END:VTODO", "END:VCALENDAR", ""]
        try Workplace.load((["BEGIN:VCALENDAR"] + lines).joined(separator: "\r\n"), into: useCases)
        #expect(try useCases.status().unacknowledged == 1)
        #expect(try useCases.status().unshown == open)
        let over = DeliveryFailure(since: self.at(10), over: self.at(20), count: 2, reason: "gone")
        try file?.save(over)
        #expect(try useCases.status().unshown == nil)
        #expect(UseCases.deliveryFailure(in: folder.path) == over)
        // Closing the database moves the content of its log into the file.
        file = nil
        try TemporaryFolder.damage("\(folder.path)/delivery.db", from: 0, count: 4096)
        #expect(UseCases.deliveryFailure(in: folder.path) == nil)
    }
}
