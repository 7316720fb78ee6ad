import RemindavBridge
import RemindavHTTP
import RemindavHosting
import RemindavStore
import Synchronization
import Testing

@testable import RemindavHost

@Suite("the outcomes of runs, and their lines in the log")
struct RunOutcomeTests {
    @Test("the exit status of a sync is its outcome")
    func exitStatuses() {
        let outcomes = [0, 3, 5, 6, 7, 1].map { AccountRun.outcome(ofExit: $0) }
        #expect(outcomes == [.done, .partlyDone, .hostFailed, .refusedPassword, .unreachable, .failed])
    }

    @Test("the log has each reason of failed syncs at once, and then every ten minutes with the number")
    func failureReports() {
        var reports = FailureReports()
        let start = ContinuousClock.now
        func add(_ reason: String, isPartial: Bool = false, after seconds: Double) -> Int? {
            reports.add(reason, isPartial: isPartial, at: start.advanced(by: .seconds(seconds)))
        }
        #expect(add("unreachable", after: 0) == 1)
        #expect(add("unreachable", after: 1) == nil && add("unreachable", after: 599) == nil)
        #expect(add("busy", after: 2) == 1)
        #expect(add("unreachable", isPartial: true, after: 3) == 1)
        #expect(add("unreachable", after: 600) == 3)
        #expect(add("unreachable", after: 601) == nil)
    }

    @Test("the log has a fault of the database once, and its end when all workers can use it")
    func databaseEvents() {
        let log = Mutex<[HostEvent]>([])
        let events = WorkerEvents { event in log.withLock { $0.append(event) } }
        let (sync, alarms) = (events.report(of: .sync), events.report(of: .alarms))
        let fault = HostEvent.databaseFailed(DatabaseError(.unavailable))
        sync(fault)
        alarms(fault)
        sync(.databaseWorks)
        sync(.stopping)
        #expect(log.withLock { $0 } == [fault, .stopping])
        alarms(.databaseWorks)
        alarms(fault)
        #expect(log.withLock { $0 } == [fault, .stopping, .databaseWorks, fault])
    }

    @Test("the error of a list leaves out the list, and is no failure of the account")
    func partialSyncs() {
        func outcome(_ errors: [(any Error)?]) -> RunOutcome {
            var summary = SyncSummary()
            for error in errors {
                var list = ListSyncReport(list: "a", account: "b")
                list.error = error
                summary.lists.append(list)
            }
            return AccountRun.outcome(of: summary)
        }
        let quota = DatabaseError(.quotaExceeded)
        #expect(outcome([]) == .done && outcome([nil, nil]) == .done)
        #expect(outcome([nil, quota]) == .partlyDone && outcome([quota]) == .partlyDone)
        // A restart of PostgreSQL in a sync says nothing about the account.
        for code in [DatabaseError.Code.unavailable, .outcomeUnknown, .busy, .unsuitable, .signInRefused] {
            #expect(outcome([quota, DatabaseError(code)]) == .hostFailed)
        }
        // The worker has not stopped the run, so the host cannot send requests.
        #expect(outcome([nil, TransportError(.cancelled)]) == .hostFailed)
        #expect(AccountRun.outcome(of: UseCaseError(.passwordNotSealed)) == .refusedPassword)
        #expect(outcome([TransportError(.cannotConnect)]) == .unreachable)
        #expect(outcome([TransportError(.cannotConnect), nil]) == .partlyDone)
        let next = HostSchedule.next(after: .partlyDone, interval: nil, failures: 2, random: 0.5)
        #expect(next == NextRun(seconds: HostSchedule.standardSeconds))
    }
}
