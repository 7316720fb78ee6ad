import ICalendar
import SQLiteStore
import Store
import TestSupport
import Testing

@testable import Bridge

@Suite("what could not be shown")
struct AlarmTroubleTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    @Test("it begins with the first that fails, lasts until all is shown, and the next begins anew (N15)")
    func life() {
        func now(_ known: DeliveryFailure?, _ unshown: Int, _ showing: Int, _ reason: String?, _ seconds: Int64)
            -> DeliveryFailure?
        {
            DeliveryFailure.now(after: known, unshown: unshown, showing: showing, reason: reason, at: self.at(seconds))
        }
        #expect(now(nil, 0, 5, nil, 1) == nil, "what is on its way has not failed")
        #expect(now(nil, 2, 2, nil, 1) == nil, "nobody has said so yet")
        let first = now(nil, 2, 3, "gone", 10)
        #expect(first == DeliveryFailure(since: self.at(10), count: 2, reason: "gone"))
        #expect(first?.description == "Failed to schedule notification: gone")
        let more = now(first, 4, 4, "refused", 20)
        #expect(more == DeliveryFailure(since: self.at(10), count: 4, reason: "refused"))
        // Another service is there, and was asked.
        let asked = now(more, 0, 4, nil, 30)
        #expect(asked == DeliveryFailure(since: self.at(10), count: 4, reason: "refused"))
        let over = now(asked, 0, 0, nil, 40)
        #expect(over == DeliveryFailure(since: self.at(10), over: self.at(40), count: 4, reason: "refused"))
        #expect(now(over, 0, 3, nil, 50) == over, "it is told afterwards")
        #expect(now(over, 1, 1, "silent", 60) == DeliveryFailure(since: self.at(60), count: 1, reason: "silent"))
    }

    @Test("without a daemon it is over when nothing has rung that nobody has seen to", arguments: [true, false])
    func standing(isRunning: Bool) {
        let open = DeliveryFailure(since: self.at(10), count: 2, reason: "gone")
        let over = DeliveryFailure(since: self.at(10), over: self.at(20), count: 2, reason: "gone")
        #expect(open.standing(isRunning: isRunning, unacknowledged: 0) == (isRunning ? open : nil))
        #expect(open.standing(isRunning: isRunning, unacknowledged: 1) == open)
        #expect(open.standing(isRunning: isRunning, unacknowledged: nil) == open, "nobody can tell")
        #expect(over.standing(isRunning: isRunning, unacknowledged: 0) == over)
    }

    @Test("status tells of it while it lasts, and whatever is in the file keeps nobody from asking")
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
        let file = try DeliveryStateFile.open(folder: folder.path).file
        let open = DeliveryFailure(since: self.at(10), count: 2, reason: "gone")
        try file.keep([DeliveryStateCoding.row(open)])
        #expect(UseCases.deliveryFailure(in: folder.path) == open)
        #expect(try useCases.status().unshown == nil, "no daemon runs, and nothing waits")
        let lock = try DaemonLock(folder: folder.path)
        #expect(try withExtendedLifetime(lock) { try useCases.status().unshown } == open)
        let lines = ["VERSION:2.0", "BEGIN:VTODO", "UID:a", "DUE:20261120T190000Z", "END:VTODO", "END:VCALENDAR", ""]
        try Workplace.load((["BEGIN:VCALENDAR"] + lines).joined(separator: "\r\n"), into: useCases)
        #expect(try useCases.status().unacknowledged == 1)
        #expect(try useCases.status().unshown == open)
        let over = DeliveryFailure(since: self.at(10), over: self.at(20), count: 2, reason: "gone")
        try file.keep([DeliveryStateCoding.row(over)])
        #expect(try useCases.status().unshown == nil)
        #expect(UseCases.deliveryFailure(in: folder.path) == over)
        try file.keep([DeliveryStateRow(kind: "trouble", key: "", value: "damaged")])
        #expect(UseCases.deliveryFailure(in: folder.path) == nil)
    }
}
