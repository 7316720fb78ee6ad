import RemindavICalendar
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import RemindavStoreSupport
import RemindavSync
import Testing

@Suite("conflicts: the winner, and the restored loser")
struct ConflictTests {
    @Test(
        "the policy decides",
        arguments: [
            (ConflictPolicy.lastModifiedWins, 2, 1, SyncSide.local), (.lastModifiedWins, 1, 2, .remote),
            (.lastModifiedWins, 1, 1, .remote), (.lastModifiedWins, nil, 1, .remote),
            (.lastModifiedWins, 1, nil, .remote),
            (.here, 1, 2, .local), (.here, nil, 2, .local), (.server, 2, 1, .remote), (.server, 2, nil, .remote),
        ] as [(ConflictPolicy, Int64?, Int64?, SyncSide)]
    )
    func policy(_ policy: ConflictPolicy, _ local: Int64?, _ remote: Int64?, _ winner: SyncSide) {
        let instant = { (seconds: Int64) in Instant(secondsSince1970: seconds) }
        #expect(policy.winner(local: local.map(instant), remote: remote.map(instant)) == winner)
    }

    @Test("an account's name for a policy is known", arguments: ConflictPolicy.allCases)
    func policyNames(_ policy: ConflictPolicy) {
        #expect(["newer", "here", "server"].contains(policy.rawValue))
    }

    static let series = """
        BEGIN:VCALENDAR
        BEGIN:VTODO
        UID:u
        SUMMARY:the series
        RRULE:FREQ=DAILY
        DUE:20260101T090000Z
        END:VTODO
        BEGIN:VTODO
        UID:u
        RECURRENCE-ID:20260102T090000Z
        SUMMARY:one day
        BEGIN:VALARM
        UID:bell
        TRIGGER:-PT5M
        X-NOTE:stays
        END:VALARM
        END:VTODO
        END:VCALENDAR

        """

    private static func text(_ lines: String) -> [UInt8] {
        Array(lines.split(separator: "\n").map { $0 + "\r\n" }.joined().utf8)
    }

    private static func object(_ text: String) throws -> CalendarObject {
        try #require(CalendarObject(ICalendarDocument(self.text(text))))
    }

    private static let context = EditingContext(now: Instant(secondsSince1970: 1_795_000_000)) { _ in nil }

    private var list: ListRecord? {
        get throws {
            let store = try TestStores.make()
            return try store.write { try $0.list($0.insertList(named: "l", at: 0)) }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let old: String
        let here: String
        let server: String
        let component: [String]
        let property: String
        /// The losing lines, which are the local ones.
        let lines: String
        var testDescription: String { self.name }
    }

    static let cases = [
        Case(
            name: "a title",
            old: "SUMMARY:the series",
            here: "SUMMARY;LANGUAGE=en:from here",
            server: "SUMMARY:from there",
            component: ["VTODO\n"],
            property: "SUMMARY",
            lines: "SUMMARY;LANGUAGE=en:from here\r\n"
        ),
        Case(
            name: "the title of one occurrence",
            old: "SUMMARY:one day",
            here: "SUMMARY:from here",
            server: "SUMMARY:from there",
            component: ["VTODO\n20260102T090000Z"],
            property: "SUMMARY",
            lines: "SUMMARY:from here\r\n"
        ),
        Case(
            name: "the time of an alarm in it",
            old: "TRIGGER:-PT5M",
            here: "TRIGGER;RELATED=END:-PT10M",
            server: "TRIGGER:-PT15M",
            component: ["VTODO\n20260102T090000Z", "VALARM\nUID\nbell"],
            property: "TRIGGER",
            lines: "TRIGGER;RELATED=END:-PT10M\r\n"
        ),
        Case(
            name: "dates that belong together",
            old: "DUE:20260101T090000Z",
            here: "DTSTART:20260103T090000Z\nDUE:20260104T090000Z",
            server: "DUE:20260109T090000Z\nDURATION:PT1H",
            component: ["VTODO\n"],
            property: "DUE",
            lines: "DTSTART:20260103T090000Z\r\nDUE:20260104T090000Z\r\n"
        ),
        Case(
            name: "a value that was removed here",
            old: "RRULE:FREQ=DAILY",
            here: "",
            server: "RRULE:FREQ=WEEKLY",
            component: ["VTODO\n"],
            property: "RRULE",
            lines: ""
        ),
    ]

    @Test(
        "the losing lines are stored to the byte and restored at their place, and nothing else changes",
        arguments: cases
    )
    func restoring(_ test: Case) throws {
        let base = try Self.object(Self.series)
        let local = try Self.object(Self.series.replacing(test.old, with: test.here))
        let remote = try Self.object(Self.series.replacing(test.old, with: test.server))
        let result = ThreeWayMerge.merge(base: base, local: local, remote: remote, policy: .server)
        #expect(result.document.bytes == remote.document.bytes)
        let conflict = try #require(result.conflicts.first)
        #expect(result.conflicts.count == 1)
        #expect(conflict.property == test.property)
        #expect(conflict.component.keys == test.component)
        #expect(String(decoding: conflict.local.lines, as: UTF8.self) == test.lines)
        let note = ConflictNote(
            object: ObjectID(1),
            uid: "u",
            property: conflict.property,
            losingText: conflict.local.text,
            winningText: conflict.remote.text,
            losingSide: .local,
            component: conflict.component.keys,
            losingLines: conflict.local.lines
        )
        // Another property was edited later.
        let edited = Self.series.replacing(test.old, with: test.server).replacing("X-NOTE:stays", with: "X-NOTE:edited")
        let wanted = Self.series.replacing(test.old, with: test.here).replacing("X-NOTE:stays", with: "X-NOTE:edited")
        guard case .rewrite(let reminder) = note.restoring(in: Self.text(edited), of: try self.list, in: Self.context)
        else {
            Issue.record("it is not put back")
            return
        }
        #expect(reminder.object.unstampedMeaning == (try Self.object(wanted)).unstampedMeaning)
        #expect(
            String(decoding: reminder.object.document.bytes, as: UTF8.self).contains("LAST-MODIFIED:20261118T110640Z")
        )
        let again = note.restoring(in: reminder.object.document.bytes, of: try self.list, in: Self.context)
        guard case .alreadyApplied = again else {
            Issue.record("a second time it is not as it was: \(again)")
            return
        }
    }

    @Test("a value that cannot be restored is refused with the reason")
    func obstacles() throws {
        var note = ConflictNote(
            object: nil,
            uid: "u",
            property: "SUMMARY",
            losingText: "a",
            winningText: "b",
            losingSide: .local,
            component: ["VTODO\n20260105T090000Z"],
            losingLines: Array("SUMMARY:a\r\n".utf8)
        )
        func obstacle(_ current: [UInt8]?, of list: ListRecord?) -> RestoringObstacle? {
            guard case .impossible(let obstacle) = note.restoring(in: current, of: list, in: Self.context) else {
                return nil
            }
            return obstacle
        }
        let text = Self.text(Self.series)
        var list = try self.list
        #expect(obstacle(nil, of: list) == .reminderGone)
        #expect(obstacle(text, of: list) == .componentGone)
        note.losingLines = nil
        #expect(obstacle(text, of: list) == .linesUnknown)
        list?.isReadOnly = true
        #expect(obstacle(text, of: list) == .listReadOnly)
    }

    @Test(
        "with the policies the same side wins on both machines, in any order",
        arguments: ConflictPolicy.allCases
    )
    func policyOfASync(_ policy: ConflictPolicy) async throws {
        let server = FakeServer()
        let machines = [try Machine(server), try Machine(server)]
        try machines[0].add("u", "SUMMARY:a")
        for machine in machines { await machine.sync() }
        try machines[0].edit("u", .summary, "first", stamp: 2)
        try machines[1].edit("u", .summary, "second", stamp: 1)
        await machines[0].sync()
        var sync = machines[1].listSync(policy: policy)
        let (report, error) = await sync.run()
        #expect(error == nil && report.conflicts == 1)
        await machines[0].sync()
        let winner = policy == .here ? "second" : "first"
        for machine in machines {
            let text = try machine.objects.map { String(decoding: $0.source, as: UTF8.self) }.joined()
            #expect(text.contains("SUMMARY:\(winner)\r\n"))
        }
        let conflict = try #require(try machines[1].store.read { try $0.conflicts() }.first)
        #expect(conflict.note.losingSide == (policy == .here ? .remote : .local))
        let loser = policy == .here ? "first" : "second"
        #expect(conflict.note.losingLines == Array("SUMMARY:\(loser)\r\n".utf8))
        #expect(conflict.note.component == ["VTODO\n"])
    }
}
