import RemindavHTTP
import RemindavResources
import Synchronization
import Testing

@testable import RemindavCalDAV

@Suite("the pace of requests to a server under load")
struct RequestPacingTests {
    private static let overload = RequestPacing.Failure(.overload, mayRepeat: true)

    private static func milliseconds(_ duration: Duration?) -> Int { duration.map { Int($0 / .milliseconds(1)) } ?? 0 }

    @Test("with one connection, requests are sent one after another, also after many successes and a failure")
    func oneConnection() {
        var pacing = RequestPacing(connections: 1)
        #expect(pacing.concurrency == 1)
        for _ in 0..<100 { pacing.succeeded(attempt: 1) }
        #expect(pacing.concurrency == 1)
        let failure = RequestPacing.Failure(.overload, mayRepeat: true)
        _ = pacing.failed(failure, attempt: 1, start: .zero, now: .seconds(1), random: 0)
        for _ in 0..<100 { pacing.succeeded(attempt: 1) }
        #expect(pacing.concurrency == 1)
    }

    @Test("the pause doubles with each failure in a row, and a success ends the row")
    func backoff() {
        var pacing = RequestPacing()
        var now = Duration.zero
        var pauses: [Int] = []
        for attempt in 1...4 {
            let decision = pacing.failed(Self.overload, attempt: attempt, start: now, now: now, random: 0)
            #expect(decision == (attempt < 4 ? .again : .givenUp))
            pauses.append(Self.milliseconds(pacing.pause(at: now)))
            now += .seconds(5)
        }
        #expect(pauses == [300, 600, 1200, 2400])
        #expect(pacing.pause(at: now) == nil)
        pacing.succeeded(attempt: 1)
        _ = pacing.failed(Self.overload, attempt: 1, start: now, now: now, random: 255)
        #expect(Self.milliseconds(pacing.pause(at: now)) == 450, "half of the pause more, at the most")
    }

    @Test("one request at a time after a failure, and one more after each row of successes, which gets longer")
    func concurrency() {
        var pacing = RequestPacing()
        #expect(pacing.concurrency == 4)
        var now = Duration.zero
        for needed in [10, 20, 40] {
            _ = pacing.failed(Self.overload, attempt: 1, start: now, now: now, random: 0)
            #expect(pacing.concurrency == 1)
            for _ in 1..<needed { pacing.succeeded(attempt: 1) }
            #expect(pacing.concurrency == 1)
            pacing.succeeded(attempt: 1)
            #expect(pacing.concurrency == 2)
            now += .seconds(1)
        }
    }

    @Test("concurrent requests that fail together count as one failure")
    func together() {
        var pacing = RequestPacing()
        for _ in 1...4 {
            let decision = pacing.failed(
                Self.overload,
                attempt: 1,
                start: .zero,
                now: .milliseconds(20),
                random: 0
            )
            #expect(decision == .again)
        }
        #expect(Self.milliseconds(pacing.pause(at: .milliseconds(20))) == 300)
    }

    @Test("after a lock the pauses are short, and one request is sent at a time")
    func lock() {
        var pacing = RequestPacing()
        let failure = RequestPacing.Failure(.lock, mayRepeat: true)
        for (attempt, pause) in [(1, 50), (2, 150), (3, 450)] {
            let now = Duration.seconds(attempt)
            #expect(pacing.failed(failure, attempt: attempt, start: now, now: now, random: 0) == .again)
            #expect(Self.milliseconds(pacing.pause(at: now)) == pause)
        }
        #expect(pacing.concurrency == 1)
    }

    @Test("a short Retry-After is obeyed at once, a long one ends the run")
    func retryAfter() {
        var pacing = RequestPacing()
        let short = RequestPacing.Failure(.overload, mayRepeat: true, retryAfterSeconds: 3)
        #expect(pacing.failed(short, attempt: 1, start: .zero, now: .zero, random: 0) == .again)
        #expect(Self.milliseconds(pacing.pause(at: .zero)) == 3000)
        let long = RequestPacing.Failure(.overload, mayRepeat: true, retryAfterSeconds: 11)
        #expect(pacing.failed(long, attempt: 1, start: .zero, now: .zero, random: 0) == .givenUp)
    }

    @Test("retries for a server that never recovers have a limit, and so have all pauses of a run")
    func limits() {
        var pacing = RequestPacing()
        var now = Duration.zero
        var paused = 0
        var repeated = 0
        for _ in 0..<1000 {
            for attempt in 1...4 {
                let decision = pacing.failed(Self.overload, attempt: attempt, start: now, now: now, random: 255)
                let pause = Self.milliseconds(pacing.pause(at: now))
                paused += pause
                now += .milliseconds(pause + 1)
                guard decision == .again else { break }
                repeated += 1
            }
            // Reading works, and only writing fails.
            pacing.succeeded(attempt: 1)
        }
        #expect(paused <= RequestPacing.longestTotalPause)
        #expect(repeated == 3 * RequestPacing.mostExhausted)
    }
}

@Suite("repeated requests")
struct RequestGateTests {
    /// A clock that advances only during waits.
    private final class Clock: Sendable {
        let time = Mutex(Duration.zero)

        var pacing: PacingClock {
            PacingClock(now: { self.time.withLock { $0 } }, sleep: { pause in self.time.withLock { $0 += pause } })
        }
    }

    private static func client(_ server: ScriptedServer, _ clock: Clock) throws -> CalDAVClient {
        try CalDAVClient(
            address: "https://dav.example.org/dav/",
            credentials: Credentials(user: "u", password: Secret("p")),
            transport: server,
            gate: RequestGate(clock: clock.pacing) { 0 }
        )
    }

    private let list = CalendarCollection(url: ReplayTransport.url("/l/"))

    @Test(
        "a conditional write is repeated after each temporary failure",
        arguments: [500, 502, 503, 504, 423]
    )
    func put(status: Int) async throws {
        let server = ScriptedServer { _, number in Response(status: number < 3 ? status : 201) }
        let clock = Clock()
        let client = try Self.client(server, clock)
        _ = try await client.put([1], at: self.list.href(forResource: "a.ics"), in: self.list, condition: .create)
        #expect(await server.requests.count == 3)
        #expect(await client.requestCount == 3, "each attempt is a request")
        #expect(clock.time.withLock { $0 } >= .milliseconds(200))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Response
        var condition = WriteCondition.create
    }

    static let final = [
        Case(testDescription: "no condition", answer: Response(status: 500), condition: .replace),
        Case(testDescription: "maintenance", answer: .said(503, "System is in maintenance mode.")),
        Case(
            testDescription: "a violated constraint",
            answer: .said(500, "SQLSTATE[23000]: Integrity constraint violation: 19 UNIQUE constraint failed: x.uid")
        ),
        Case(testDescription: "a limit without an end", answer: Response(status: 429)),
        Case(testDescription: "an hour", answer: Response(status: 503, headers: [.retryAfter: "3600"])),
        Case(testDescription: "not able", answer: Response(status: 501)),
        Case(testDescription: "no room", answer: Response(status: 507)),
    ]

    @Test(
        "a request with a lasting failure, or with an effect that must not happen twice, is sent once",
        arguments: Self.final
    )
    func once(_ test: Case) async throws {
        let server = ScriptedServer { _, _ in test.answer }
        let client = try Self.client(server, Clock())
        await #expect(throws: CalDAVError.self) {
            try await client.put(
                [1],
                at: self.list.href(forResource: "a.ics"),
                in: self.list,
                condition: test.condition
            )
        }
        #expect(await server.requests.count == 1)
    }

    @Test("a REPORT is sent again, and the error of the last attempt states that it was the last", arguments: [3, 4])
    func report(failures: Int) async throws {
        let server = ScriptedServer { _, number in
            number <= failures
                ? Response(status: 503)
                : Response(
                    status: 207,
                    body: Array(
                        "<multistatus xmlns=\"DAV:\"><response><href>/l/</href></response></multistatus>".utf8
                    )
                )
        }
        let client = try Self.client(server, Clock())
        do throws(CalDAVError) {
            _ = try await client.listing(of: self.list)
            #expect(failures == 3)
        } catch {
            #expect(failures == 4 && error.code == .busy && error.isGivenUp)
        }
    }
}

extension Response {
    /// Returns a refusal with the text of sabre/dav.
    fileprivate static func said(_ status: Int, _ words: String) -> Response {
        let body =
            "<d:error xmlns:d=\"DAV:\" xmlns:s=\"http://sabredav.org/ns\"><s:message>\(words)</s:message></d:error>"
        return Response(status: status, headers: [.contentType: "application/xml"], body: Array(body.utf8))
    }
}
