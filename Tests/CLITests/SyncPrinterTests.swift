import Bridge
import Testing

@testable import CLI

@Suite("what a sync says")
struct SyncPrinterTests {
    private let world = TestWorld()
    private let rest = UseCaseError(.serverWantsRest, subject: "2026-11-20 21:01")

    private func print(_ summary: SyncSummary, isDryRun: Bool = false, isJSON: Bool = false) throws -> CLI.ExitStatus {
        try SyncPrinter(output: self.world.output(), isDryRun: isDryRun).print(summary, isJSON: isJSON)
    }

    @Test("an account in trouble is an object of its own, and decides the status only where it is alone")
    func account() throws {
        let alone = SyncSummary(failedAccounts: [("work", self.rest)])
        #expect(try self.print(alone, isJSON: true) == .network)
        #expect(self.world.takeAnswers().hasPrefix(#"[\#n{"list": null, "account": "work", "pulled": 0, "#))
        let both = SyncSummary(
            lists: [ListSyncReport(list: "Home", account: "home")],
            failedAccounts: alone.failedAccounts
        )
        #expect(try self.print(both, isJSON: true) == .partial)
        let answer = self.world.takeAnswers()
        #expect(answer.contains(#"{"list": "Home", "account": "home""#))
        #expect(answer.contains(#""error": "The server wants to be left alone until 2026-11-20 21:01. "#))
    }

    @Test("a deletion that the server did not take is named, in a sentence and for programs")
    func deletion() throws {
        var list = ListSyncReport(list: "Home", account: "home")
        list.failures = 2
        list.leftOut = [(12, "Call Ben"), (nil, "Buy milk")]
        list.error = self.rest
        let summary = SyncSummary(lists: [list])
        _ = try self.print(summary)
        #expect(self.world.takeComplaints().contains("Home: 2 left out: 'Call Ben' (12), 'Buy milk' (deleted here). "))
        _ = try self.print(summary, isJSON: true)
        let leftOut = #""leftOut": [{"id": 12, "title": "Call Ben"}, {"id": null, "title": "Buy milk"}]"#
        #expect(self.world.takeAnswers().contains(leftOut))
    }

    @Test("conflicts that wait are told of in a dry run too", arguments: [true, false])
    func conflicts(isDryRun: Bool) throws {
        var summary = SyncSummary(lists: [ListSyncReport(list: "Home", account: "home")])
        summary.unsettledConflicts = 2
        #expect(try self.print(summary, isDryRun: isDryRun) == .success)
        #expect(
            self.world.takeComplaints().hasSuffix(
                "2 conflicts are not settled yet: 'remindav conflicts' shows the values that lost.\n"
            )
        )
    }
}
