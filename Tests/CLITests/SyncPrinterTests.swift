import RemindavStore
import RemindavSync
import Testing

@testable import RemindavBridge
@testable import RemindavCLI

@Suite("the output of a sync")
struct SyncPrinterTests {
    private let world = TestWorld()
    private let rest = UseCaseError(.serverWantsRest, subject: "2026-11-20 21:01")

    private func print(_ summary: SyncSummary, isDryRun: Bool = false, isJSON: Bool = false, local: [String] = [])
        throws -> RemindavCLI.ExitStatus
    {
        try SyncPrinter(output: self.world.output(), isDryRun: isDryRun, localLists: local)
            .print(summary, isJSON: isJSON)
    }

    @Test("an account with an error is a separate object, and decides the status only if it is the only account")
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
        #expect(answer.contains(#""error": "The server requested a pause until 2026-11-20 21:01. "#))
    }

    @Test("a deletion that the server refused is named, in a sentence and in JSON")
    func deletion() throws {
        var list = ListSyncReport(list: "Home", account: "home")
        list.leftOut = [
            LeftOutReminder(id: 12, title: "Call Ben", reason: "it may not", error: self.rest),
            LeftOutReminder(id: nil, title: "Buy milk", reason: "it may not", error: self.rest),
        ]
        list.error = self.rest
        let summary = SyncSummary(lists: [list])
        _ = try self.print(summary)
        let line = "Home: 2 reminders left out: 'Call Ben' (12), 'Buy milk' (deleted locally). "
        #expect(self.world.takeComplaints().contains(line))
        _ = try self.print(summary, isJSON: true)
        let more = #", "reason": "it may not", "sent": true}"#
        let leftOut =
            ##""leftOut": [{"id": 12, "title": "Call Ben"\##(more), {"id": null, "title": "Buy milk"\##(more)]"##
        #expect(self.world.takeAnswers().contains(leftOut))
    }

    @Test("reminders that were left out are grouped by cause, one sentence each")
    func causes() throws {
        var list = ListSyncReport(list: "Home", account: "home")
        for number in 1...5 {
            let error = UseCaseError(number % 2 == 0 ? .editsWait : .badSetting, subject: "x")
            let title = "Title \(number)"
            list.leftOut.append(LeftOutReminder(id: Int64(number), title: title, reason: "\(error.code)", error: error))
        }
        list.error = list.leftOut.first?.error
        _ = try self.print(SyncSummary(lists: [list]))
        let lines = self.world.takeComplaints().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("3 reminders left out: 'Title 1' (1), 'Title 3' (3), 'Title 5' (5). ") == true)
        #expect(lines.last?.contains("2 reminders left out: 'Title 2' (2), 'Title 4' (4). ") == true)
    }

    @Test("a text that was refused before and not sent again is reported, and is no failure of this run")
    func refusedEarlier() throws {
        var list = ListSyncReport(list: "Home", account: "home")
        list.leftOut = [LeftOutReminder(id: 7, title: "Call Ben", reason: "the server does not accept it", error: nil)]
        #expect(try self.print(SyncSummary(lists: [list])) == .success)
        let line =
            "Home: 1 reminder is not sent again, because the server refused the same text before: 'Call Ben' (7). "
        #expect(self.world.takeComplaints().contains(line))
        _ = try self.print(SyncSummary(lists: [list]), isJSON: true)
        #expect(self.world.takeAnswers().contains(#""reason": "the server does not accept it", "sent": false}"#))
    }

    @Test("many unchanged lists are one line", arguments: [3, 4, 14])
    func idle(count: Int) throws {
        var lists = (1...count).map { ListSyncReport(list: "List \($0)", account: "home") }
        var busy = ListSyncReport(list: "Home", account: "home")
        busy.sync.pulled = 2
        lists.append(busy)
        _ = try self.print(SyncSummary(lists: lists))
        let lines = self.world.takeAnswers().split(separator: "\n")
        #expect(lines.contains("Home: 2 received"))
        #expect(lines.count == (count == 3 ? 5 : 3))
        #expect(lines.last == "Everything is in sync.")
        #expect(lines.contains("\(count) lists: nothing to do") == (count > 3))
    }

    @Test("a first sync has one line for the list, a later one a line for each of the first ten changes")
    func first() throws {
        func lines(pulled: Int, pushed: Int) throws -> [Substring] {
            var list = ListSyncReport(list: "Home", account: "home")
            (list.sync.pulled, list.sync.pushed) = (pulled, pushed)
            list.changes = (0..<pulled + pushed).map { ChangeView.test("Title \($0)", isLocal: $0 < pulled) }
            _ = try self.print(SyncSummary(lists: [list]))
            return self.world.takeAnswers().split(separator: "\n")
        }
        #expect(try lines(pulled: 11, pushed: 0) == ["Home: 11 received", "Everything is in sync."])
        #expect(try lines(pulled: 10, pushed: 0).count == 12)
        #expect(try lines(pulled: 11, pushed: 1).count == 13)
    }

    @Test("the last line says whether everything is in sync")
    func conclusion() throws {
        func last(_ lists: [ListSyncReport], isDryRun: Bool = false) throws -> Substring? {
            _ = try self.print(SyncSummary(lists: lists), isDryRun: isDryRun)
            return self.world.takeAnswers().split(separator: "\n").last
        }
        let whole = ListSyncReport(list: "Home", account: "home")
        var failed = ListSyncReport(list: "Work", account: "home")
        failed.error = self.rest
        var held = ListSyncReport(list: "Held", account: "home")
        held.sync.held.localObjects = (1...20).map { ObjectID(rawValue: $0) }
        #expect(try last([whole]) == "Everything is in sync.")
        #expect(try last([whole], isDryRun: true) == "Home: nothing to do")
        #expect(try last([whole, failed]) == "The sync is incomplete; 1 list in sync.")
        #expect(try last([failed]) == nil)
        #expect(try last([held]) == "Everything else is in sync.")
        let local = ["Home", "Garden", "A\u{1B}B", "Work"]
        _ = try self.print(SyncSummary(lists: [whole]), local: local)
        let line = self.world.takeAnswers().split(separator: "\n").last
        #expect(line == "Everything is in sync. On this computer only: Home, Garden, A\\x1bB and 1 more.")
    }

    @Test("open conflicts are reported in a dry run too", arguments: [true, false])
    func conflicts(isDryRun: Bool) throws {
        var summary = SyncSummary(lists: [ListSyncReport(list: "Home", account: "home")])
        summary.unsettledConflicts = 2
        #expect(try self.print(summary, isDryRun: isDryRun) == .success)
        #expect(
            self.world.takeComplaints().hasSuffix(
                "2 conflicts are not reviewed yet: 'remindav conflicts' shows the values that lost.\n"
            )
        )
    }
}

extension ChangeView {
    fileprivate static func test(_ title: String, isLocal: Bool) -> Self {
        Self(
            id: 1,
            run: 1,
            reminder: 1,
            title: title,
            list: "Home",
            side: isLocal ? "here" : "server",
            kind: "added",
            at: "2026-11-20T18:00:00Z",
            undoneAt: nil,
            fields: [],
            isOperation: false,
            reverses: nil
        )
    }
}
