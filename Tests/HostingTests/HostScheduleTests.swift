import RemindavHosting
import Testing

struct HostScheduleTests {
    private struct Case {
        let outcome: RunOutcome
        var interval: Int?
        var failures = 0
        let next: NextRun
    }

    @Test func nextRuns() {
        let cases = [
            Case(outcome: .done, failures: 3, next: NextRun(seconds: 900, succeeded: true)),
            Case(outcome: .done, interval: 3600, next: NextRun(seconds: 3600, succeeded: true)),
            // A shorter interval than that of a host is not possible.
            Case(outcome: .done, interval: 60, next: NextRun(seconds: 300, succeeded: true)),
            Case(outcome: .failed, next: NextRun(seconds: 1800, failures: 1)),
            Case(outcome: .failed, failures: 2, next: NextRun(seconds: 7200, failures: 3)),
            Case(outcome: .failed, failures: 40, next: NextRun(seconds: 86_400, failures: 41)),
            Case(outcome: .unreachable, interval: 86_400, next: NextRun(seconds: 60, failures: 1)),
            Case(outcome: .unreachable, failures: 3, next: NextRun(seconds: 480, failures: 4)),
            Case(outcome: .unreachable, failures: 40, next: NextRun(seconds: 86_400, failures: 41)),
            Case(outcome: .hostFailed, failures: 2, next: NextRun(seconds: 300, failures: 2)),
            Case(outcome: .busy(seconds: 40), failures: 2, next: NextRun(seconds: 40, failures: 2)),
            Case(outcome: .busy(seconds: 0), next: NextRun(seconds: 1)),
            Case(outcome: .refusedPassword, next: NextRun(seconds: nil, failures: 1, stopReason: .authentication)),
            Case(outcome: .interrupted, failures: 2, next: NextRun(seconds: 0, failures: 2)),
        ]
        for each in cases {
            let next = HostSchedule.next(
                after: each.outcome,
                interval: each.interval,
                failures: each.failures,
                random: 0.5
            )
            #expect(next == each.next, "\(each.outcome) after \(each.failures) failures")
        }
    }

    @Test func intervalsVaryByATenth() {
        let next = [0.0, 1.0].map { HostSchedule.next(after: .done, interval: nil, failures: 0, random: $0).seconds }
        #expect(next == [810, 990])
    }
}

struct ServerHealthTests {
    private func health(_ outcomes: [RunOutcome], failures: Int = 0) -> ServerHealth {
        var health = ServerHealth(failures: failures)
        for outcome in outcomes { health.ended(outcome) }
        return health
    }

    @Test func restsAfterThreeUnreachableAccounts() {
        #expect(!self.health([.unreachable, .unreachable]).isResting)
        #expect(self.health([.unreachable, .unreachable, .unreachable]).rest == ServerRest(seconds: 60, failures: 1))
        // An account that was synced in between shows that the server works.
        #expect(!self.health([.unreachable, .unreachable, .done, .unreachable, .unreachable]).isResting)
        #expect(!self.health([.unreachable, .unreachable, .refusedPassword, .unreachable]).isResting)
    }

    @Test func restsDoubleUpToAnHour() {
        let rests = (0...8).map { self.health([.unreachable, .unreachable, .unreachable], failures: $0).rest?.seconds }
        #expect(rests == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    }

    @Test func aRequestedPauseAppliesToTheServer() {
        let health = self.health([.busy(seconds: 30), .busy(seconds: 90), .done], failures: 2)
        #expect(health.rest == ServerRest(seconds: 90, failures: 0))
    }

    @Test func aSuccessEndsTheCount() {
        #expect(self.health([.done], failures: 3).rest == ServerRest(seconds: 0, failures: 0))
        #expect(self.health([.done]).rest == nil)
        #expect(self.health([.failed], failures: 3).rest == nil)
    }
}

struct LeaseTermsTests {
    @Test func noWriteBeginsShortlyBeforeTheEndOfALease() {
        let start = ContinuousClock.now
        #expect(LeaseTerms.mayWrite(at: start, extended: start))
        #expect(LeaseTerms.mayWrite(at: start.advanced(by: .seconds(60)), extended: start))
        #expect(!LeaseTerms.mayWrite(at: start.advanced(by: .seconds(60.001)), extended: start))
        // Requests that change something have a minute, and three extensions may fail before.
        #expect(LeaseTerms.seconds - LeaseTerms.writeSeconds >= LeaseTerms.extensionSeconds)
    }
}

struct RunChoiceTests {
    private func begins(_ due: [String], places: Int, running: [Character: Int] = [:]) -> [String] {
        let choice = RunChoice.divide(due, places: places, running: running, limit: 2) { $0.first }
        #expect(choice.beginning.count + choice.waiting.count == due.count)
        return choice.beginning
    }

    @Test func theOldestWorkBegins() { #expect(self.begins(["a1", "b1", "c1"], places: 2) == ["a1", "b1"]) }

    @Test func aTenantUsesNoPlaceBeyondItsLimit() {
        #expect(self.begins(["a1", "a2", "a3", "b1"], places: 3) == ["a1", "a2", "b1"])
        #expect(self.begins(["a1", "a2", "b1"], places: 3, running: ["a": 1]) == ["a1", "b1"])
        #expect(self.begins(["a1"], places: 3, running: ["a": 2]).isEmpty)
    }
}
