import RemindavHTTP
import RemindavSQLiteStore
import RemindavStore
import Synchronization
import Testing

@testable import RemindavWeb

@Suite("visits of feeds")
struct FeedVisitTests {
    @Test(
        "the kind of program follows from User-Agent",
        arguments: [
            ("Google-Calendar-Importer", SubscriberProgram.google),
            ("Mozilla/5.0 (compatible; Google-Calendar-Importer; +http://www.google.com)", .google),
            ("Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5056; Pro)", .outlook),
            ("Outlook-iOS/2.0", .outlook),
            ("Microsoft.Exchange/15.20 (Windows NT 10.0; Win64; x64)", .outlook),
            ("iOS/7.1.1 (11D201) dataaccessd/1.0", .apple),
            ("Mac+OS+X/10.11.6 (15G1217) CalendarAgent/361.2", .apple),
            ("macOS/26.5.1 (25F80) accountsd/113", .apple),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.5.0", .thunderbird),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Thunderbird/140.0", .thunderbird),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/27.0 Safari/605.1", .other),
            ("Nextcloud-Calendar/1.0", .other),
            ("", .other),
        ]
    )
    func program(_ test: (agent: String, program: SubscriberProgram)) {
        #expect(SubscriberProgram(userAgent: test.agent) == test.program)
    }

    @Test(
        "the recorded name of a program contains no address, no control character and no long word",
        arguments: [
            ("Google-Calendar-Importer", "Google-Calendar-Importer"),
            ("iOS/7.1.1 (11D201) dataaccessd/1.0", "iOS/7.1.1 (11D201) dataaccessd/1.0"),
            ("Bot/1 (+https://example.org/bot; ada@example.org) www.example.org x", "Bot/1 x"),
            ("Proxy 192.0.2.7 (192.0.2.7) for=192.0.2.7:80 [2001:db8::1] y/1.2.3", "Proxy y/1.2.3"),
            ("a\u{1B}[31mb \tc é", "a[31mb c"),
            ("0123456789abcdef0123456789abcdef /feed/0123456789abcdef0123456789abcdef.ics z", "z"),
            (String(repeating: "word ", count: 100), String(repeating: "word ", count: 19) + "word"),
            ("", ""),
        ]
    )
    func recordedAgent(_ test: (agent: String, text: String)) {
        #expect(RecordedAgent.text(test.agent) == test.text)
        #expect(RecordedAgent.text(test.agent).utf8.count <= RecordedAgent.maximumBytes)
    }

    /// Passes each pause to the test, which ends it.
    private final class Pauses: Sendable {
        let (begun, beginning) = AsyncStream.makeStream(of: Int.self)
        private let (ends, ending) = AsyncStream.makeStream(of: Void.self)

        func wait(_ seconds: Int) async {
            self.beginning.yield(seconds)
            for await _ in self.ends { return }
        }

        func end() { self.ending.yield() }
    }

    private static let hash = SHA256(Samples.token.utf8).bytes

    @Test("visits are written once before each pause, in sums")
    func sums() async {
        let written = Mutex<[[FeedVisit]]>([])
        let time = Mutex<Int64>(100)
        let pauses = Pauses()
        let visits = FeedVisits(
            now: { time.withLock { $0 } },
            pause: { await pauses.wait($0) },
            write: { visits in
                written.withLock { $0.append(visits) }
                return []
            }
        )
        var begun = pauses.begun.makeAsyncIterator()
        await visits.add(Self.hash, by: .google, userAgent: "Google-Calendar-Importer", status: 200)
        #expect(await begun.next() == FeedVisits.pauseSeconds)
        #expect(written.withLock { $0.map { $0.map(\.record.visits) } } == [[1]])
        for status in [200, 304, 304] {
            time.withLock { $0 += 1 }
            await visits.add(Self.hash, by: .google, userAgent: "Google-Calendar-Importer", status: status)
        }
        await visits.add(Self.hash, by: .thunderbird, userAgent: "Thunderbird/140.0", status: 304)
        #expect(written.withLock { $0.count } == 1)
        pauses.end()
        #expect(await begun.next() == FeedVisits.pauseSeconds)
        let second = written.withLock { $0[1].map(\.record).sorted { $0.program < $1.program } }
        #expect(
            second == [
                FeedVisitRecord(program: "google", at: 103, status: 304, agent: "Google-Calendar-Importer", visits: 3),
                FeedVisitRecord(program: "thunderbird", at: 103, status: 304, agent: "Thunderbird/140.0", visits: 1),
            ]
        )
        await visits.add(Self.hash, by: .other, userAgent: "", status: 200)
        await visits.finish()
        #expect(written.withLock { $0.count } == 3)
    }

    @Test("visits that cannot be written are kept for the next write, and answers do not depend on it")
    func unwritable() async throws {
        let isLocked = Mutex(true)
        let written = Mutex<[FeedVisit]>([])
        let visits = FeedVisits(now: { 7 }, pause: { _ in try await Task.sleep(for: .seconds(3600)) }) { visits in
            if isLocked.withLock({ $0 }) { return visits }
            written.withLock { $0 += visits }
            return []
        }
        let version = try ReminderStore.inMemory().read { snapshot throws(DatabaseError) in
            try snapshot.contentVersion()
        }
        let router = Router(
            zones: Samples.noZones,
            localZone: "UTC",
            source: FeedSource(
                version: { $0 == Self.hash ? version : nil },
                revisions: { _ in FeedRevisions(names: [], objects: []) },
                content: { _ in FeedContent(name: "Home", objects: []) }
            ),
            visits: visits
        )
        let path = "/feed/\(Samples.token).ics"
        let first = await router.respond(to: Request(url: path))
        #expect(first.status == 200)
        let tag = first.headers[.etag] ?? ""
        #expect(await router.respond(to: Request(url: path, headers: ["If-None-Match": tag])).status == 304)
        // Requests for other addresses and with other methods are no visits.
        for (method, url) in [("GET", "/feed/ffffffffffffffffffffffffffffffff.ics"), ("POST", path), ("GET", "/")] {
            _ = await router.respond(to: Request(method: method, url: url))
        }
        isLocked.withLock { $0 = false }
        await visits.finish()
        #expect(written.withLock { $0.reduce(0) { $0 + $1.record.visits } } == 2)
        #expect(written.withLock { $0.last?.record.status } == 304)
    }

    @Test("of several visits, only those that were not written are written again, with those that came meanwhile")
    func partlyUnwritable() async {
        let lockedHash: [UInt8] = [1]
        let writes = Mutex<[[FeedVisit]]>([])
        let pauses = Pauses()
        let visits = FeedVisits(now: { 7 }, pause: { await pauses.wait($0) }) { visits in
            writes.withLock { writes in
                writes.append(visits)
                return writes.count > 2 ? [] : visits.filter { $0.tokenHash == lockedHash }
            }
        }
        var begun = pauses.begun.makeAsyncIterator()
        await visits.add(Self.hash, by: .other, userAgent: "", status: 200)
        _ = await begun.next()
        // The first write may have contained the first of these visits only, so the second one is counted.
        for (hash, status) in [(Self.hash, 200), (lockedHash, 200), (lockedHash, 304)] {
            await visits.add(hash, by: .other, userAgent: "", status: status)
        }
        pauses.end()
        _ = await begun.next()
        await visits.add(lockedHash, by: .other, userAgent: "", status: 200)
        await visits.finish()
        let all = writes.withLock { $0.map { $0.sorted { $0.tokenHash.count < $1.tokenHash.count }.map(\.record) } }
        #expect(all.map { $0.map(\.visits) } == [[1], [2, 1], [3]])
        #expect(all.last?.map(\.status) == [200])
    }
}
