import RemindavICalendar
import Testing

@testable import RemindavNotifications

@Suite("failures to show alarms")
struct DeliveryFailureTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    @Test("it begins with the first failure and lasts until no alarm is pending (N15)")
    func life() {
        func now(_ known: DeliveryFailure?, _ unshown: Int, _ showing: Int, _ reason: String?, _ seconds: Int64)
            -> DeliveryFailure?
        {
            DeliveryFailure.now(after: known, unshown: unshown, showing: showing, reason: reason, at: self.at(seconds))
        }
        #expect(now(nil, 0, 5, nil, 1) == nil, "requested notifications have not failed")
        #expect(now(nil, 2, 2, nil, 1) == nil, "no reason is known yet")
        let first = now(nil, 2, 3, "gone", 10)
        #expect(first == DeliveryFailure(since: self.at(10), count: 2, reason: "gone"))
        #expect(first?.description == "Failed to schedule notification: gone")
        let more = now(first, 4, 4, "refused", 20)
        #expect(more == DeliveryFailure(since: self.at(10), count: 4, reason: "refused"))
        // The notifications are requested from another service.
        let asked = now(more, 0, 4, nil, 30)
        #expect(asked == DeliveryFailure(since: self.at(10), count: 4, reason: "refused"))
        let over = now(asked, 0, 0, nil, 40)
        #expect(over == DeliveryFailure(since: self.at(10), over: self.at(40), count: 4, reason: "refused"))
        #expect(now(over, 0, 3, nil, 50) == over, "it stays recorded afterwards")
        #expect(now(over, 1, 1, "silent", 60) == DeliveryFailure(since: self.at(60), count: 1, reason: "silent"))
    }

    @Test("without a daemon it is over when no alarm is unacknowledged", arguments: [true, false])
    func standing(isRunning: Bool) {
        let open = DeliveryFailure(since: self.at(10), count: 2, reason: "gone")
        let over = DeliveryFailure(since: self.at(10), over: self.at(20), count: 2, reason: "gone")
        #expect(open.standing(isRunning: isRunning, unacknowledged: 0) == (isRunning ? open : nil))
        #expect(open.standing(isRunning: isRunning, unacknowledged: 1) == open)
        #expect(open.standing(isRunning: isRunning, unacknowledged: nil) == open, "the number is unknown")
        #expect(over.standing(isRunning: isRunning, unacknowledged: 0) == over)
    }
}
