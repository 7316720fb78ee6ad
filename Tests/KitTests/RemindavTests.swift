import RemindavKit
import Testing

@Suite("the interface for embedding programs")
struct RemindavTests {
    private let now = Instant(secondsSince1970: 1_795_000_000)

    private func remindav() throws -> Remindav {
        let now = self.now
        return try Remindav(
            inMemory: Configuration(localZone: "UTC", zones: .init { _ in nil }, storeFolder: "", now: { now })
        )
    }

    @Test("a reminder is added, edited, completed, deleted and restored")
    func reminders() async throws {
        let remindav = try self.remindav()
        let id = try await remindav.add(ReminderDraft(title: "Call Ben", labels: ["work"])).id
        let edited = try await remindav.edit(id, ReminderChange(title: "Call Ada"))
        #expect(edited.title == "Call Ada")
        #expect(try await remindav.reminders().map(\.id) == [id])
        try await remindav.complete(id)
        #expect(try await remindav.reminders().isEmpty)
        try await remindav.reopen(id)
        try await remindav.delete(id)
        #expect(try await remindav.trash().map(\.title) == ["Call Ada"])
        let restored = try await remindav.restore([id])
        #expect(restored.run != nil)
        #expect(try await remindav.reminders().map(\.title) == ["Call Ada"])
    }

    @Test("the last run is undone, and the history has both runs")
    func history() async throws {
        let remindav = try self.remindav()
        _ = try await remindav.add(ReminderDraft(title: "Call Ben"))
        let undone = try await remindav.undo()
        #expect(undone.undoneRun != nil && undone.run != nil)
        #expect(try await remindav.reminders().isEmpty)
        let runs = try await remindav.history()
        #expect(runs.map(\.isUndo) == [true, false])
        #expect(runs.allSatisfy { $0.account == nil })
    }

    @Test("a label is renamed, merged and deleted in all reminders")
    func labels() async throws {
        let remindav = try self.remindav()
        let id = try await remindav.add(ReminderDraft(title: "Call Ben", labels: ["work", "phone"])).id
        #expect(try await remindav.renameLabel("work", to: "office").reminders == [id])
        _ = try await remindav.mergeLabel("phone", into: "office")
        #expect(try await remindav.labels().map(\.name) == ["office"])
        #expect(try await remindav.labels().map(\.openCount) == [1])
        _ = try await remindav.deleteLabel("office")
        #expect(try await remindav.reminder(id).labels.isEmpty)
    }

    @Test("an export is imported again without a change, and a table keeps the titles")
    func files() async throws {
        let remindav = try self.remindav()
        try await remindav.addList(named: "Home")
        _ = try await remindav.add(ReminderDraft(title: "Call Ben", list: "Home"))
        let file = try await remindav.export()
        let again = try await remindav.importFile(file, named: "all.ics")
        #expect((again.added, again.updated, again.unchanged) == (0, 0, 1))
        let table = try await remindav.export(.csv)
        #expect(String(decoding: table, as: UTF8.self).contains("Call Ben"))
        let other = try self.remindav()
        #expect(try await other.importFile(file, named: "all.ics", list: "Work").added == 1)
        #expect(try await other.reminders().map(\.list) == ["Work"])
    }

    @Test("a feed has a path once, and its content until it is revoked")
    func feeds() async throws {
        let remindav = try self.remindav()
        _ = try await remindav.add(ReminderDraft(title: "Call Ben"))
        let feed = try await remindav.createFeed(named: "All")
        #expect(feed.path?.hasPrefix("/feed/") == true)
        #expect(try await remindav.feeds().map(\.path) == [nil])
        #expect(try await remindav.feedContent(feed.id).starts(with: "BEGIN:VCALENDAR".utf8))
        try await remindav.revokeFeed(feed.id)
        await #expect(throws: RemindavError.self) { try await remindav.feedContent(feed.id) }
    }

    @Test("errors have codes and subjects")
    func errors() async throws {
        let remindav = try self.remindav()
        let missing = await #expect(throws: RemindavError.self) { try await remindav.reminder(7) }
        #expect(missing?.code == .reminderNotFound)
        #expect(missing?.subject == "7")
        let accounts = await #expect(throws: RemindavError.self) { try await remindav.sync() }
        #expect(accounts?.code == .noAccounts)
    }

    @Test("errors of values and of a batch have their codes")
    func valueErrors() async throws {
        let remindav = try self.remindav()
        let untitled = await #expect(throws: RemindavError.self) { try await remindav.add(ReminderDraft(title: " ")) }
        #expect(untitled?.code == .titleRequired)
        let drafts = [ReminderDraft(title: "a"), ReminderDraft(title: "b", list: "nope")]
        let batch = await #expect(throws: RemindavError.self) { try await remindav.add(drafts) }
        #expect(batch?.code == .listNotFound)
        #expect(try await remindav.reminders().isEmpty)
        let id = try await remindav.add(ReminderDraft(title: "a")).id
        let past = await #expect(throws: RemindavError.self) { try await remindav.snooze(id, until: self.now) }
        #expect(past?.code == .mustBeInFuture)
        let run = await #expect(throws: RemindavError.self) { try await remindav.undo(run: 99) }
        #expect(run?.code == .runNotFound)
        let trash = await #expect(throws: RemindavError.self) { try await remindav.restore([99]) }
        #expect(trash?.code == .notInTrash)
    }

    @Test("a list keeps its colour")
    func colors() async throws {
        let remindav = try self.remindav()
        let green = try #require(LabelColor("#00FF00"))
        #expect(try await remindav.addList(named: "Home", color: green).color == green)
        #expect(try await remindav.recolorList("Home", to: nil).color == nil)
    }
}
