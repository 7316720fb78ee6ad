import ICalendar
import Store
import Sync
import Testing

/// What random histories have found (docs/sync-model.md).
@Suite("sync of a list: what is in another list of the account as well")
struct TwoListsTests {
    @Test("what somebody has moved to another list, and was changed in both here, is not sent anew")
    func editedInBoth() async throws {
        let server = FakeServer()
        let machine = try Machine(server)
        try machine.add("u", "SUMMARY:a")
        await machine.sync()
        let other = try machine.addList()
        try machine.pull("u", "SUMMARY:a", into: other)
        try machine.store.write { transaction in
            let moved = try #require(try transaction.object(in: other, uid: "u"))
            let text = Machine.text("u", "SUMMARY:a\r\nPRIORITY:1")
            try transaction.update(moved.id, source: Array(text.utf8), index: ObjectIndex(title: "u"))
        }
        try machine.edit("u", .summary, "edited", stamp: 1)
        server.remove("/list/new-1.ics")
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pushed == 0)
        #expect(server.count == 0)
        #expect(try machine.objects.isEmpty)
        let text = try machine.source("u", in: other) ?? ""
        #expect(text.contains("SUMMARY:edited\r\n") && text.contains("PRIORITY:1\r\n"))
    }
}
