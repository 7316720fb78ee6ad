import RemindavICalendar
import RemindavResources
import RemindavStore
import RemindavSync
import RemindavTestSupport
import Synchronization
import Testing

@Suite("sync of a list: texts with the same appearance and different bytes")
struct LookalikeTests {
    /// The letter as one scalar, and as an e with a combining accent: equal in Swift, different in every other program.
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    @Test("UIDs with composed and decomposed letters are two reminders")
    func uids() async throws {
        let server = FakeServer()
        server.put(Machine.text(Self.composed, "SUMMARY:one"), at: "/list/1.ics")
        server.put(Machine.text(Self.decomposed, "SUMMARY:other"), at: "/list/2.ics")
        let machine = try Machine(server)
        let (report, error) = await machine.sync()
        #expect(error == nil && report.pulled == 2 && report.unreadable.count == 0)
        try machine.edit(Self.composed, .summary, "edited", stamp: 1)
        try machine.delete(Self.decomposed)
        for _ in 0..<2 { await machine.sync() }
        #expect(server.state.withLock { $0.items.keys.sorted() } == ["/list/1.ics"])
        #expect(server.texts[Self.composed]?.contains("SUMMARY:edited") == true)
    }

    @Test("such hrefs are two resources, and such entity tags two versions")
    func names() throws {
        let (composed, decomposed) = (Href("/list/\(Self.composed)"), Href("/list/\(Self.decomposed)"))
        #expect(Set([composed, decomposed]).count == 2)
        #expect(EntityTag(Self.composed) != EntityTag(Self.decomposed))
        #expect(SyncToken(Self.composed) != SyncToken(Self.decomposed))
    }
}
