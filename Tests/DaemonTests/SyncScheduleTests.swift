import RemindavStore
import Testing

@testable import RemindavDaemon

/// Times are in seconds; the clock starts at 1000.
///
/// The random jitter has its mean value.
@Suite("when the daemon syncs")
struct SyncScheduleTests {
    private var schedule = SyncSchedule(seconds: 900, now: 1000 * SyncScheduleTests.second, random: { 0.5 })
    private static let second: Int64 = 1_000_000_000

    private func change(_ number: Int64, revision: Int64 = 1) -> UnsentChange {
        UnsentChange(account: AccountID(1), list: ListID(1), uid: "u\(number)", revision: revision, isDeletion: false)
    }

    private func at(_ seconds: Int64) -> Int64 { seconds * Self.second }

    /// Returns the moments at which a run begins.
    private mutating func begun(at moments: [Int64]) -> [Int64] {
        var found: [Int64] = []
        for moment in moments where self.schedule.begins(at: self.at(moment)) { found.append(moment) }
        return found
    }

    private var next: Int64? { self.schedule.next.map { $0 / Self.second } }

    @Test("first shortly after the start, then at its interval, plus or minus a tenth")
    mutating func regular() {
        #expect(self.next == 1010)
        let begun1 = self.begun(at: [1009, 1010, 9999])
        #expect(begun1 == [1010])
        #expect(self.next == nil)
        self.schedule.ended(.done, unsent: [], at: self.at(1012))
        #expect(self.next == 1912)
        for (random, expected) in [(0.0, 1000 + 810), (1.0, 1000 + 990)] as [(Double, Int64)] {
            var other = SyncSchedule(seconds: 900, now: 0, random: { random })
            let begins = other.begins(at: self.at(999))
            #expect(begins)
            other.ended(.done, unsent: [], at: self.at(1000))
            #expect(other.next.map { $0 / Self.second } == expected)
        }
    }

    private mutating func afterFirst() {
        _ = self.schedule.begins(at: self.at(1010))
        self.schedule.ended(.done, unsent: [], at: self.at(1010))
    }

    @Test("a change here is sent after a short pause in changes, or after a maximum delay")
    mutating func changes() {
        self.afterFirst()
        self.schedule.found([self.change(1)], at: self.at(1100))
        #expect(self.next == 1105)
        for moment in stride(from: Int64(1103), to: 1130, by: 3) {
            self.schedule.found([self.change(moment)], at: self.at(moment))
        }
        #expect(self.next == 1130)
        let begun2 = self.begun(at: [1130])
        #expect(begun2 == [1130])
        self.schedule.ended(.done, unsent: [], at: self.at(1131))
        #expect(self.next == 2031)
    }

    @Test("a refused change is not sent repeatedly, and later changes are sent")
    mutating func refused() {
        self.afterFirst()
        self.schedule.found([self.change(1)], at: self.at(1100))
        let begun3 = self.begun(at: [1105])
        #expect(begun3 == [1105])
        self.schedule.ended(.failed, unsent: [self.change(1)], at: self.at(1106))
        #expect(self.next == 2006)
        self.schedule.found([self.change(1)], at: self.at(1200))
        #expect(self.next == 2006)
        self.schedule.found([self.change(1), self.change(2)], at: self.at(1300))
        #expect(self.next == 1305)
        let begun4 = self.begun(at: [1305])
        #expect(begun4 == [1305])
        self.schedule.found([self.change(1), self.change(2), self.change(3)], at: self.at(1306))
        self.schedule.ended(.done, unsent: [self.change(1), self.change(3)], at: self.at(1310))
        #expect(self.next == 1315)
    }

    @Test("a merge that is refused each time is sent with growing delays, and an edit of it soon")
    mutating func refusedEachTime() {
        self.afterFirst()
        self.schedule.found([self.change(1)], at: self.at(1100))
        var begin: Int64 = 1105
        for pause: Int64 in [10, 20, 40, 80] {
            #expect(self.next == begin)
            _ = self.begun(at: [begin])
            self.schedule.ended(.done, unsent: [self.change(1, revision: begin)], at: self.at(begin + 1))
            self.schedule.found([self.change(1, revision: begin)], at: self.at(begin + 2))
            begin += 1 + pause
        }
        self.schedule.found([self.change(1, revision: 7)], at: self.at(begin - 40))
        #expect(self.next == begin - 35)
        _ = self.begun(at: [begin - 35])
        self.schedule.ended(.done, unsent: [], at: self.at(begin - 34))
        self.schedule.found([self.change(2)], at: self.at(begin))
        _ = self.begun(at: [begin + 5])
        self.schedule.ended(.done, unsent: [self.change(2, revision: 9)], at: self.at(begin + 6))
        #expect(self.next == begin + 16)
    }

    @Test("a change with an unknown outcome does not count as sent, and is not sent again at once")
    mutating func unknown() {
        self.afterFirst()
        self.schedule.found([self.change(1)], at: self.at(1100))
        let begun = self.begun(at: [1105])
        #expect(begun == [1105])
        self.schedule.ended(.failed, unsent: nil, at: self.at(1106))
        self.schedule.found([self.change(1)], at: self.at(1107))
        #expect(self.next == 2006)
    }

    @Test("a change of the network starts a sync of unreachable servers, and of no others")
    mutating func network() {
        self.afterFirst()
        self.schedule.networkChanged(at: self.at(1100))
        #expect(self.next == 1910)
        let begun5 = self.begun(at: [1910])
        #expect(begun5 == [1910])
        self.schedule.ended(.unreachable, unsent: [], at: self.at(1940))
        #expect(self.next == 2840)
        self.schedule.networkChanged(at: self.at(2000))
        self.schedule.networkChanged(at: self.at(2002))
        #expect(self.next == 2005)
    }

    @Test("after a sync that took too long the pause is not that of an unreachable server")
    mutating func unfinished() {
        self.afterFirst()
        let begun = self.begun(at: [1910])
        #expect(begun == [1910])
        self.schedule.ended(.unfinished, unsent: [], at: self.at(1940))
        self.schedule.networkChanged(at: self.at(2000))
        #expect(self.next == 2840 && !self.schedule.isUnreachable)
    }

    @Test("a shorter interval counts at once, a longer one after the next run")
    mutating func changed() {
        self.afterFirst()
        self.schedule.change(seconds: 7200, at: self.at(1100))
        #expect(self.next == 1910)
        self.schedule.change(seconds: 60, at: self.at(1100))
        #expect(self.next == 1160)
        self.schedule.change(seconds: 60, at: self.at(1150))
        #expect(self.next == 1160)
    }

    @Test("while another process syncs, the run is repeated later")
    mutating func busy() {
        self.afterFirst()
        let begun6 = self.begun(at: [1910])
        #expect(begun6 == [1910])
        self.schedule.ended(.busy, unsent: [self.change(1)], at: self.at(1911))
        #expect(self.next == 1941)
    }

    @Test(
        "the outcome of a sync determines the time of the next one",
        arguments: [(0, "done"), (3, "done"), (5, "busy"), (7, "unreachable"), (6, "failed")]
    )
    func outcomes(status: Int32, outcome: String) {
        #expect("\(SyncSchedule.Outcome(status: status))" == outcome)
    }
}
