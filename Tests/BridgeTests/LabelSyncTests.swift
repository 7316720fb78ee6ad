import RemindavHTTP
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavResources
import RemindavStoreSupport
import Synchronization
import Testing

@testable import RemindavBridge
@testable import RemindavStore

@Suite("colours of labels on a server")
struct LabelSyncTests {
    private let server = Home()
    private let clock = Clock()

    /// Returns a machine with an account on the server.
    private func machine() throws -> UseCases {
        let clock = self.clock
        return try Workplace.connected(to: self.server) { clock.now }
    }

    /// Returns a synced machine with a reminder that has the label.
    private func machine(with label: String, _ rgb: UInt32) async throws -> UseCases {
        let machine = try self.machine()
        try await self.sync(machine)
        _ = try machine.add(ReminderDraft(title: "One", labels: [label], list: "l"))
        _ = try machine.recolorLabel(label, to: LabelColor(rgb: rgb))
        return machine
    }

    /// Advances the clock by a second and runs a sync, which must succeed.
    private func sync(_ machine: UseCases, _ request: SyncRequest = SyncRequest()) async throws {
        self.clock.advance()
        let summary = try await machine.sync(request)
        #expect(summary.failedAccounts.isEmpty && summary.lists.allSatisfy { $0.error == nil })
    }

    private func color(_ name: String, _ machine: UseCases) throws -> String? {
        try machine.labels().first { $0.name == name }?.color.hex
    }

    @Test("a colour reaches the other machine with one request, and later syncs need none")
    func arrives() async throws {
        let (laptop, desk) = (try await self.machine(with: "Work", 0x4CAF50), try self.machine())
        try await self.sync(laptop)
        #expect(self.server.take().filter { $0 == "PROPPATCH" }.count == 1)
        #expect(self.server.text?.contains("\"Work\":{\"color\":\"#4CAF50\"") == true)
        try await self.sync(desk)
        #expect(try self.color("Work", desk) == "#4CAF50")
        try await self.sync(laptop)
        _ = self.server.take()
        for machine in [desk, laptop, desk, laptop] {
            try await self.sync(machine)
            #expect(self.server.take() == ["PROPFIND"])
        }
    }

    @Test("the later colour, name or deletion counts, on every machine")
    func later() async throws {
        let (laptop, desk) = (try await self.machine(with: "Work", 1), try self.machine())
        for machine in [laptop, desk] { try await self.sync(machine) }
        _ = try laptop.recolorLabel("Work", to: LabelColor(rgb: 2))
        self.clock.advance()
        _ = try desk.recolorLabel("Work", to: LabelColor(rgb: 3))
        for machine in [desk, laptop, desk] { try await self.sync(machine) }
        #expect(try self.color("Work", laptop) == "#000003" && self.color("Work", desk) == "#000003")

        _ = try desk.renameLabel("work", to: "Office")
        for machine in [desk, laptop] { try await self.sync(machine) }
        #expect(try laptop.labels().map(\.name) == ["Office"])
        #expect(try self.color("Office", laptop) == "#000003")

        self.clock.advance()
        _ = try laptop.deleteLabel("Office")
        for machine in [laptop, desk, laptop, desk] { try await self.sync(machine) }
        #expect(try laptop.labels().isEmpty && desk.labels().isEmpty)
        self.clock.advance()
        _ = try desk.add(ReminderDraft(title: "Two", labels: ["Office"], list: "l"))
        _ = try desk.addLabel(named: "Office", color: LabelColor(rgb: 4))
        for machine in [desk, laptop] { try await self.sync(machine) }
        #expect(try self.color("Office", laptop) == "#000004")
    }

    @Test("the server gets no label that its reminders do not have")
    func discretion() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        _ = try laptop.addLabel(named: "Private", color: nil)
        _ = try laptop.addLabel(named: "Gone", color: nil)
        _ = try laptop.deleteLabel("Gone")
        try await self.sync(laptop)
        #expect(self.server.text?.contains("Work") == true)
        #expect(self.server.text?.contains("Private") == false && self.server.text?.contains("Gone") == false)
    }

    @Test(
        "a server that does not store it is asked once and not again, and no sync fails",
        arguments: [Home.Manner.refuses(403), .refuses(405), .refuses(500), .refusesInside, .forgets]
    )
    fileprivate func refused(manner: Home.Manner) async throws {
        let laptop = try await self.machine(with: "Work", 1)
        self.server.behave(manner)
        _ = self.server.take()
        for _ in 0..<4 { try await self.sync(laptop) }
        #expect(self.server.take().filter { $0 == "PROPPATCH" }.count == 1)
        _ = try laptop.recolorLabel("Work", to: LabelColor(rgb: 2))
        try await self.sync(laptop)
        #expect(!self.server.take().contains("PROPPATCH"))
        self.server.behave(.keeps)
        // The result of the test is kept for a month.
        self.clock.advance(31 * 86_400)
        try await self.sync(laptop)
        #expect(self.server.take().filter { $0 == "PROPPATCH" }.count == 1)
        #expect(self.server.text?.contains("#000002") == true)
    }

    @Test("a broken connection does not mark the server as unable to store labels")
    func brokenOff() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        self.server.behave(.breaks)
        try await self.sync(laptop)
        self.server.behave(.keeps)
        try await self.sync(laptop)
        #expect(self.server.text?.contains("Work") == true)
    }

    @Test(
        "an unreadable value on the server is not overwritten",
        arguments: ["{", "{\"labels\":[]}", "<R:later/>", "[1]"]
    )
    func unreadable(text: String) async throws {
        let laptop = try await self.machine(with: "Work", 1)
        self.server.set(text)
        _ = self.server.take()
        try await self.sync(laptop)
        #expect(self.server.text == text && !self.server.take().contains("PROPPATCH"))
    }

    @Test("a dry run neither reads nor sends labels")
    func dryRun() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        self.server.set("{\"labels\":{\"New\":{\"color\":\"#000009\",\"updated\":\"2026-11-20T20:00:00Z\"}}}")
        _ = self.server.take()
        var request = SyncRequest()
        request.isDryRun = true
        try await self.sync(laptop, request)
        #expect(try self.color("New", laptop) == nil)
        #expect(!self.server.take().contains("PROPPATCH"))
    }

    @Test("an entry of a clock that was far ahead wins once and not for ever")
    func ahead() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        self.server.set("{\"labels\":{\"Work\":{\"color\":\"#000009\",\"updated\":\"2126-11-20T20:00:00Z\"}}}")
        try await self.sync(laptop)
        #expect(try self.color("Work", laptop) == "#000009")
        self.clock.advance()
        _ = try laptop.recolorLabel("Work", to: LabelColor(rgb: 2))
        for machine in [laptop, try self.machine(), laptop] { try await self.sync(machine) }
        #expect(try self.color("Work", laptop) == "#000002")
        #expect(self.server.text?.contains("2126") == false)
    }

    @Test("an equal entry with a future time is corrected once and causes no later requests")
    func aheadOfTheSame() async throws {
        let laptop = try await self.machine(with: "Work", 9)
        self.server.set("{\"labels\":{\"Work\":{\"color\":\"#000009\",\"updated\":\"2026-11-20T21:00:00Z\"}}}")
        let before = try laptop.labels()
        try await self.sync(laptop)
        #expect(try laptop.labels().map(\.updatedAt) == before.map(\.updatedAt))
        _ = self.server.take()
        for _ in 0..<3 {
            try await self.sync(laptop)
            #expect(!self.server.take().contains("PROPPATCH"))
        }
    }

    @Test("an entry of this machine with a future time is corrected, and loses to a later entry")
    func ownClockAhead() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        self.clock.advance(400 * 86_400)
        _ = try laptop.recolorLabel("Work", to: LabelColor(rgb: 2))
        _ = try laptop.addLabel(named: "Gone", color: nil)
        _ = try laptop.deleteLabel("Gone")
        self.clock.advance(-400 * 86_400)
        let desk = try self.machine()
        for machine in [laptop, desk] { try await self.sync(machine) }
        _ = self.server.take()
        for machine in [laptop, desk] {
            try await self.sync(machine)
            #expect(!self.server.take().contains("PROPPATCH"))
        }
        _ = try desk.recolorLabel("Work", to: LabelColor(rgb: 3))
        for machine in [desk, laptop] { try await self.sync(machine) }
        #expect(try self.color("Work", laptop) == "#000003")
    }

    @Test("a server that sends a name learns nothing about a label with this name")
    func probing() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        _ = try laptop.addLabel(named: "Private", color: LabelColor(rgb: 7))
        let entry = "\"Private\":{\"color\":\"#000005\",\"updated\":\"2026-01-01T00:00:00Z\"}"
        self.server.set("{\"labels\":{\(entry)}}")
        for _ in 0..<2 { try await self.sync(laptop) }
        #expect(self.server.text?.contains(entry) == true && self.server.text?.contains("Work") == true)
        #expect(try self.color("Private", laptop) == "#000007")
    }

    @Test("a deletion from a server leaves a label that reminders outside the account have")
    func foreignDeletion() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        _ = try await laptop.addList(named: "Here", account: nil, color: nil)
        _ = try laptop.add(ReminderDraft(title: "Mine", labels: ["Home"], list: "Here"))
        _ = try laptop.recolorLabel("Home", to: LabelColor(rgb: 6))
        let time = "2026-11-20T20:00:02Z"
        self.server.set("{\"labels\":{\"Home\":{\"updated\":\"\(time)\"},\"Work\":{\"updated\":\"\(time)\"}}}")
        self.clock.advance()
        try await self.sync(laptop)
        #expect(try self.color("Home", laptop) == "#000006")
        #expect(try laptop.labels().first { $0.name == "Work" }?.id == nil)
        _ = self.server.take()
        try await self.sync(laptop)
        #expect(!self.server.take().contains("PROPPATCH"))
    }

    @Test(
        "an error of the store with labels removes no report about reminders",
        .disabled(if: TestStores.useServer, "the role of a worker cannot drop a table")
    )
    func brokenStore() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        try laptop.store.write { transaction throws(DatabaseError) in
            _ = try transaction.database.send("DROP TABLE deleted_label")
        }
        try await self.sync(laptop)
        #expect(self.server.take().contains("PUT"))
    }

    @Test("from a server with ever new labels, only a limited number is kept")
    func flood() async throws {
        let laptop = try self.machine()
        for round in 0..<2 {
            let entries = (0..<800).map { number in
                "\"\(round) \(number)\":{\"color\":\"#000005\",\"updated\":\"2026-01-01T00:00:00Z\"}"
            }
            self.server.set("{\"labels\":{\(entries.joined(separator: ","))}}")
            try await self.sync(laptop)
        }
        #expect(try laptop.labels().count == LabelUpdates.limit)
    }

    @Test("an entry of a newer program version is written back unchanged, and no entry is added beside it")
    func newerProgram() async throws {
        let laptop = try await self.machine(with: "Work", 1)
        _ = try laptop.add(ReminderDraft(title: "Two", labels: ["Home"], list: "l"))
        _ = try laptop.recolorLabel("Home", to: LabelColor(rgb: 6))
        let odd = #""HOME":{"color":"lab(50 40 30)","updated":"2026-11-20T20:00:02Z","icon":[1,{"a":"\u00e9"}]}"#
        let rich = ##""Old":{"color":"#000009","icon":"star","updated":"2026-01-01T00:00:00Z"}"##
        self.server.set("{\"labels\":{\(rich),\(odd)}}")
        try await self.sync(laptop)
        let text = try #require(self.server.text)
        #expect(text.contains("\"Work\":{\"color\":\"#000001\"") && text.contains(odd) && text.contains(rich))
        #expect(!text.contains("\"Home\""))
        #expect(try self.color("Home", laptop) == "#000006" && self.color("Old", laptop) == "#000009")
        _ = self.server.take()
        for _ in 1...2 { try await self.sync(laptop) }
        #expect(!self.server.take().contains("PROPPATCH"))
    }

    @Test("any names survive writing and reading; invalid names are left out")
    func json() {
        let long = String(repeating: "x", count: 1000)
        let names = ["Work", "a\"b\\c", "<&>'", "🏠 Ünï", long]
        var words: LabelUpdates = [:]
        for (index, name) in names.enumerated() {
            words.add(LabelUpdate(name: name, color: index % 2 == 0 ? .standard : nil, updatedAt: Int64(index)))
        }
        let json = LabelSyncDocument().json(with: words)
        #expect(words.count == 5 && LabelSyncDocument(json: json)?.words == words)
        let wrong = ["line\\nfeed", "\\u001b[31m", "\\u0085", long + "x"].map { name in
            "\"\(name)\":{\"updated\":\"2026-01-01T00:00:00Z\"}"
        }
        #expect(LabelSyncDocument(json: "{\"labels\":{\(wrong.joined(separator: ","))}}")?.words == [:])
        #expect(json.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"<>&'".utf8.contains($0) })
    }
}

/// A clock that only the test advances.
private final class Clock: Sendable {
    private let seconds = Mutex(Workplace.now.secondsSince1970)

    var now: Instant { Instant(secondsSince1970: self.seconds.withLock { $0 }) }

    func advance(_ seconds: Int64 = 1) { self.seconds.withLock { $0 += seconds } }
}

/// A server with one list in a home, which may or may not store a property of ours.
private final class Home: Transport {
    enum Manner: Sendable, Hashable {
        case keeps, forgets, breaks, refusesInside
        case refuses(Int)
    }

    private struct State {
        var text: String?
        var manner = Manner.keeps
        var methods: [String] = []
        var members: [String: String] = [:]
        var changes = 1
    }

    private let state = Mutex(State())

    var text: String? { self.state.withLock { $0.text } }
    func set(_ text: String) { self.state.withLock { $0.text = text } }
    func behave(_ manner: Manner) { self.state.withLock { $0.manner = manner } }
    /// Returns the methods of the requests since the last call.
    func take() -> [String] {
        self.state.withLock { state in
            defer { state.methods = [] }
            return state.methods
        }
    }

    func send(_ request: Request) async throws(TransportError) -> Response {
        let path = "/" + request.url.split(separator: "/", maxSplits: 2).dropFirst(2).joined(separator: "/")
        let answer = self.state.withLock { state -> Response? in
            state.methods.append(request.method)
            return Self.answer(request, path, &state)
        }
        guard let answer else { throw TransportError(.interrupted) }
        return answer
    }

    private static func answer(_ request: Request, _ path: String, _ state: inout State) -> Response? {
        switch (request.method, path) {
        case ("PROPFIND", "/u/"):
            let kept = state.text.map { "<L:labels>\(Self.escape($0))</L:labels>" } ?? ""
            return Self.multistatus([Self.entry("/u/", "<D:resourcetype/>\(kept)"), Self.list(state)])
        case ("PROPFIND", "/u/0/"):
            return Self.multistatus(
                [Self.list(state)]
                    + state.members.keys.map { member in
                        Self.entry(member, "<D:resourcetype/><D:getetag>\(Self.tag(member, state))</D:getetag>")
                    }
            )
        case ("PROPPATCH", "/u/"): return Self.keep(String(decoding: request.body, as: UTF8.self), &state)
        case ("GET", _):
            guard let text = state.members[path] else { return Response(status: 404) }
            let headers: Headers = [.etag: Self.tag(path, state), .contentType: "text/calendar"]
            return Response(status: 200, headers: headers, body: Array(text.utf8))
        case ("PUT", _):
            state.members[path] = String(decoding: request.body, as: UTF8.self)
            state.changes += 1
            return Response(status: 201, headers: [.etag: Self.tag(path, state)])
        default: return Response(status: 403)
        }
    }

    private static func keep(_ body: String, _ state: inout State) -> Response? {
        switch state.manner {
        case .breaks: return nil
        case .refuses(let status): return Response(status: status)
        case .refusesInside: return Self.multistatus([Self.entry("/u/", "<L:labels/>", status: "403 Forbidden")])
        case .forgets: break
        case .keeps:
            if let start = body.firstIndex(of: "{"), let end = body.lastIndex(of: "}") {
                state.text = String(body[start...end]).replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
            }
        }
        return Self.multistatus([Self.entry("/u/", "<L:labels/>")])
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private static func tag(_ path: String, _ state: State) -> String { "\"\(state.members[path].hashValue)\"" }

    private static func list(_ state: State) -> String {
        self.entry(
            "/u/0/",
            "<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>l</D:displayname>"
                + "<S:getctag>c\(state.changes)</S:getctag>"
                + "<C:supported-calendar-component-set><C:comp name=\"VTODO\"/></C:supported-calendar-component-set>"
        )
    }

    private static func entry(_ path: String, _ properties: String, status: String = "200 OK") -> String {
        "<D:response><D:href>\(path)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
            + "<D:status>HTTP/1.1 \(status)</D:status></D:propstat></D:response>"
    }

    private static func multistatus(_ entries: [String]) -> Response {
        let text =
            "<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\" "
            + "xmlns:S=\"http://calendarserver.org/ns/\" xmlns:L=\"urn:uuid:db6fc0c4-5a85-4594-9631-0e2b40b277f5\">"
            + "\(entries.joined())</D:multistatus>"
        return Response(status: 207, headers: [.contentType: "application/xml"], body: Array(text.utf8))
    }
}
