import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavPages

@Suite("web pages: changes while they are open")
struct OpenPagesTests {
    /// Reads the stream until it contains the text; the time limit of the test ends an endless wait.
    private func wait(for text: String, in stream: BodyStream, _ seen: inout String) async throws {
        for _ in 0..<1000 where !seen.contains(text) {
            if case .bytes(let bytes) = stream.read(65536, wait: { {} }) {
                seen += String(decoding: bytes, as: UTF8.self)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(seen.contains(text))
    }

    private func useCases(in folder: TemporaryFolder, now: @escaping @Sendable () -> Instant) throws -> UseCases {
        try UseCases.open(
            Configuration(
                storeFolder: folder.path,
                localZone: "UTC",
                zones: ZoneDatabase { _ in nil },
                now: now
            )
        )
    }

    @Test("a page learns of a change by another connection, and of an alarm that is due")
    func events() async throws {
        let folder = try TemporaryFolder()
        let start = try #require(Instant(wire: "20261120T170500Z"))
        let time = Mutex(start)
        let now: @Sendable () -> Instant = { time.withLock { $0 } }
        let (shown, other) = (try self.useCases(in: folder, now: now), try self.useCases(in: folder, now: now))
        let pages = OpenPages(StoreWatch(AlarmTable(shown)))
        let stream = pages.open()
        var seen = ""
        try await self.wait(for: ":\n\n", in: stream, &seen)
        let due = CalendarDateOrDateTime.dateTime(
            CalendarDateTime(localSeconds: start.secondsSince1970 + 3300, zone: .utc)
        )
        _ = try other.add(ReminderDraft(title: "Call\nBen", due: due))
        try await self.wait(for: "event: changed\n", in: stream, &seen)
        time.withLock { $0 = start.adding(seconds: 3600) }
        // Any write wakes the watch, which then sees the later time.
        _ = try other.add(ReminderDraft(title: "Other"))
        try await self.wait(for: "event: fired\ndata: Call Ben\n", in: stream, &seen)
        stream.close()
    }

    @Test("the oldest of too many streams ends")
    func limit() async throws {
        let folder = try TemporaryFolder()
        let now = try #require(Instant(wire: "20261120T170500Z"))
        let pages = OpenPages(StoreWatch(AlarmTable(try self.useCases(in: folder, now: { now }))))
        let streams = (0..<17).map { _ in pages.open() }
        #expect(streams[0].read(10, wait: { {} }) == .bytes(Array(":\n\n".utf8)))
        #expect(streams[0].read(10, wait: { {} }) == .end)
        _ = streams[1].read(10, wait: { {} })
        #expect(streams[1].read(10, wait: { {} }) == .none)
        for stream in streams { stream.close() }
    }

    @Test("a page that the browser has already is not sent again")
    func knownPage() async throws {
        let browser = try await TestBrowser()
        let tag = try #require(await browser.get("/").headers[.etag])
        let known = await browser.get("/", ["If-None-Match": tag])
        #expect(known.status == 304 && known.body.isEmpty)
        _ = await browser.post("/quick", ["text": "Buy milk"])
        #expect(await browser.get("/", ["If-None-Match": tag]).status == 200)
    }
}
