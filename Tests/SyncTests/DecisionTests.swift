import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore
import Testing

@testable import RemindavSync

/// The decisions of a sync, as functions of values.
@Suite
struct DecisionTests {
    private static func text(_ lines: String, uid: String = "u") -> [UInt8] {
        Array(
            """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:\(uid)\r\n\(lines)\r\nEND:VTODO\r\n\
            END:VCALENDAR\r\n
            """.utf8
        )
    }

    private static func object(_ lines: String) throws -> CalendarObject {
        try #require(CalendarObject(Self.text(lines)))
    }

    private static func remote(_ lines: String) throws -> RemoteObject {
        RemoteObject(href: "/l/u.ics", etag: "2", uid: "u", object: try Self.object(lines))
    }

    private static func item(etag: EntityTag? = "1", href: Href? = "/l/u.ics", isDirty: Bool = true) -> SyncItem {
        SyncItem(id: ObjectID(rawValue: 1), uid: "u", href: href, etag: etag, isDirty: isDirty, revision: 1)
    }

    // MARK: Items that were changed on both sides

    struct Merge: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var local = "SUMMARY:local"
        var base: String? = "SUMMARY:base"
        var remote = "SUMMARY:remote"
        var isNew = false
        var evidence = UploadEvidence()
        let outcome: String
    }

    private static let merges = [
        Merge(testDescription: "both sides differ from the base", outcome: "merge"),
        Merge(testDescription: "the server has the local text", remote: "SUMMARY:local", outcome: "confirmSent"),
        Merge(testDescription: "the server has the agreed text", remote: "SUMMARY:base", outcome: "keepLocal"),
        Merge(
            testDescription: "the server shortened a value of the local text",
            local: "SUMMARY:a\r\nX-PLACE:abc",
            remote: "SUMMARY:a\r\nX-PLACE:ab",
            outcome: "confirmSent keeping"
        ),
        Merge(
            testDescription: "a whole-list request shortened a value of a new item",
            local: "SUMMARY:a\r\nX-PLACE:abc",
            base: nil,
            remote: "SUMMARY:a\r\nX-PLACE:ab",
            isNew: true,
            evidence: UploadEvidence(uploadedInBulk: ["u".exact]),
            outcome: "keepLocal"
        ),
        Merge(
            testDescription: "another program changed an item of a whole-list request",
            local: "SUMMARY:a\r\nLAST-MODIFIED:20260101T000000Z",
            base: nil,
            remote: "SUMMARY:b\r\nLAST-MODIFIED:20260102T000000Z",
            isNew: true,
            evidence: UploadEvidence(uploadedInBulk: ["u".exact]),
            outcome: "merge"
        ),
    ]

    @Test("an item that was changed on both sides needs a merge unless one side has no author", arguments: merges)
    func withoutMerge(_ test: Merge) throws {
        let decision = MergeDecision.withoutMerge(
            try Self.object(test.local),
            base: test.base.map { Self.text($0) },
            of: Self.item(etag: test.isNew ? nil : "1"),
            over: try Self.remote(test.remote),
            test.evidence
        )
        let outcome =
            switch decision {
            case .confirmSent(let kept): kept == nil ? "confirmSent" : "confirmSent keeping"
            case .keepLocal: "keepLocal"
            case nil: "merge"
            default: "other"
            }
        #expect(outcome == test.outcome)
    }

    @Test(
        "a merged text is sent unless it differs from the server's in time stamps only",
        arguments: [
            ("SUMMARY:a\r\nPRIORITY:1", "SUMMARY:b", true), ("SUMMARY:b", "SUMMARY:b", false),
            ("SUMMARY:a\r\nLAST-MODIFIED:20260101T000000Z", "SUMMARY:b", false),
        ]
    )
    func merging(local: String, remote: String, isSent: Bool) throws {
        let base = try Self.object("SUMMARY:a")
        let (local, remote) = (try Self.object(local), try Self.object(remote))
        switch MergeDecision.merging(local, base: base, remote: remote, policy: .lastModifiedWins) {
        case .writeMerged(let text, let conflicts):
            #expect(isSent && conflicts.isEmpty && text.main.first(.summary)?.text == "b")
        case .acceptRemote(let conflicts): #expect(!isSent && conflicts.isEmpty)
        default: Issue.record("not merged")
        }
    }

    // MARK: Uploads that the server does not mention

    private static func sending(_ kind: ChangeKind, before: [UInt8]? = nil, after: [UInt8]? = nil) -> ChangeNote {
        ChangeNote(
            object: ObjectID(rawValue: 1),
            uid: "u",
            title: "",
            side: .remote,
            kind: kind,
            before: before,
            after: after
        )
    }

    @Test("an upload that the server does not have is sent again only if it was new and got no entity tag")
    func missingUploads() {
        let (added, changed) = (Self.sending(.added), Self.sending(.changed))
        #expect(MissingUploadDecision(etag: nil, sendings: []) == .keep)
        #expect(MissingUploadDecision(etag: nil, sendings: [changed, added]) == .keep)
        #expect(MissingUploadDecision(etag: "1", sendings: [added]) == .keep)
        #expect(MissingUploadDecision(etag: nil, sendings: [added]) == .sendAgain)
        #expect(MissingUploadDecision(etag: nil, sendings: [added, added]) == .sendAgainAndReport)
    }

    @Test("the text of an unmentioned upload shows whether it was kept, dropped or overwritten")
    func confirmation() throws {
        let (old, new) = (Self.text("SUMMARY:old"), Self.text("SUMMARY:new"))
        let sendings = [Self.sending(.changed, before: old, after: new)]
        func outcome(_ remote: String, _ sendings: [ChangeNote]) throws -> UploadConfirmation {
            UploadConfirmation(local: new, remote: try Self.object(remote), sendings: sendings)
        }
        #expect(try outcome("SUMMARY:new", sendings) == .confirmed)
        #expect(try outcome("SUMMARY:old", sendings) == .dropped(isRepeated: false))
        #expect(try outcome("SUMMARY:old", sendings + sendings) == .dropped(isRepeated: true))
        #expect(try outcome("SUMMARY:other", sendings) == .changed)
        #expect(try outcome("SUMMARY:old", []) == .changed)
    }

    @Test("a server that alters an upload twice in the same way has stored it, and has not dropped it")
    func alteration() throws {
        let stamp = "\r\nLAST-MODIFIED:20261126T160000Z"
        let (altered, whole) = (Self.text("LOCATION:a\(stamp)"), Self.text("LOCATION:a\\,b\(stamp)"))
        let sending = Self.sending(.changed, before: altered, after: whole)
        func outcome(_ sendings: [ChangeNote]) throws -> UploadConfirmation {
            UploadConfirmation(local: whole, remote: try Self.object("LOCATION:a\(stamp)"), sendings: sendings)
        }
        #expect(try outcome([sending]) == .dropped(isRepeated: false))
        #expect(try outcome([sending, sending]) == .confirmed)
    }

    // MARK: Items that were moved

    @Test("an edited item that is gone is sent as new, or merged into its copy in another list")
    func recreation() {
        let (local, base) = (Self.text("SUMMARY:a\r\nPRIORITY:1"), Self.text("SUMMARY:a"))
        func isMerged(local: [UInt8]?, copy: [UInt8]?) -> Bool {
            let result = ThreeWayMerge.acrossLists(base: base, local: local, remote: copy, policy: .lastModifiedWins)
            return result?.document.bytes == Self.text("SUMMARY:b\r\nPRIORITY:1")
        }
        #expect(isMerged(local: local, copy: Self.text("SUMMARY:b")))
        #expect(!isMerged(local: local, copy: nil))
        #expect(!isMerged(local: nil, copy: Self.text("SUMMARY:b")))
    }

    @Test("a change of a moved item goes to its copy, unless the copy is gone or may have been sent unrecorded")
    func movedCopies() {
        func isMerged(copy: [UInt8]?, isUnrecorded: Bool = false) -> Bool {
            let (base, remote) = (Self.text("SUMMARY:a"), Self.text("SUMMARY:b"))
            let result = ThreeWayMerge.acrossLists(
                base: base,
                local: copy,
                remote: remote,
                isUnrecorded: isUnrecorded,
                policy: .lastModifiedWins
            )
            return result?.document.bytes == remote
        }
        #expect(isMerged(copy: Self.text("SUMMARY:a")))
        #expect(!isMerged(copy: nil))
        #expect(!isMerged(copy: Self.text("SUMMARY:a"), isUnrecorded: true))
    }

    struct Facts: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let facts: NewItemFacts
        var leaving: Set<ByteExactString> = []
        var mayLeave = true
        let isKeptElsewhere: Bool
    }

    private static let series = "s".exact
    private static let facts = [
        Facts(testDescription: "an ordinary new item", facts: NewItemFacts(), isKeptElsewhere: false),
        Facts(
            testDescription: "an item with the UID of an item in another list",
            facts: NewItemFacts(copy: .init()),
            isKeptElsewhere: false
        ),
        Facts(
            testDescription: "an item that this list had before, and another list has now",
            facts: NewItemFacts(copy: .init(), wasSynchronized: true),
            isKeptElsewhere: true
        ),
        Facts(
            testDescription: "the same completed occurrence, with the series in the other list only",
            facts: NewItemFacts(series: series, copy: .init(series: series, isSeriesThere: true)),
            isKeptElsewhere: true
        ),
        Facts(
            testDescription: "a completed occurrence that the user copied into a list without the series",
            facts: NewItemFacts(series: series, copy: .init(series: series, isSeriesThere: true, isWanted: true)),
            isKeptElsewhere: false
        ),
        Facts(
            testDescription: "the same completed occurrence, with the series in both lists",
            facts: NewItemFacts(
                series: series,
                copy: .init(series: series, isSeriesThere: true),
                isSeriesHere: true
            ),
            isKeptElsewhere: false
        ),
        Facts(
            testDescription: "the same completed occurrence, with a series that is about to leave this list",
            facts: NewItemFacts(
                series: series,
                copy: .init(series: series, isSeriesThere: true),
                isSeriesHere: true
            ),
            leaving: [series],
            isKeptElsewhere: true
        ),
        Facts(
            testDescription: "a completed occurrence of a series that may not leave this list yet",
            facts: NewItemFacts(series: series),
            leaving: [series],
            mayLeave: false,
            isKeptElsewhere: true
        ),
    ]

    @Test("a new item is not sent if another list has it from the server", arguments: facts)
    func keptElsewhere(_ test: Facts) {
        let isKept = test.facts.isKeptElsewhere(leaving: test.leaving, mayLeave: test.mayLeave)
        #expect(isKept == test.isKeptElsewhere)
    }

    @Test("a deletion is half of a move if the object is in another list of the account, with its UID")
    func moves() {
        let tombstone = Tombstone(uid: "u", object: ObjectID(rawValue: 1), href: "/l/u", etag: nil, deletedAt: 0)
        let others = [ListID(rawValue: 2)]
        #expect(tombstone.wasMoved(to: others[0], as: "u", in: others))
        #expect(!tombstone.wasMoved(to: others[0], as: "v", in: others), "another item has the number")
        #expect(!tombstone.wasMoved(to: ListID(rawValue: 3), as: "u", in: others), "a list of another account")
        #expect(!tombstone.wasMoved(to: nil, as: nil, in: others), "deleted there, too")
    }

    // MARK: Refused UIDs

    @Test("an item gets another UID only after the server has proved that it cannot store the old one")
    func refusedUIDs() {
        func decision(
            isTaken: Bool = true,
            attempt: Int = 2,
            isTrashUnknown: Bool = false,
            changes: Int = 0,
            _ prepare: (inout RemoteRestoration) -> Void = { _ in }
        ) -> RefusedUIDDecision {
            var trash = RemoteRestoration()
            prepare(&trash)
            let error = RemoteError(.conflict, ItemError.contested, mayConcernUID: true, isUIDTaken: isTaken)
            return RefusedUIDDecision(
                "u".exact,
                error,
                attempt: attempt,
                trash: trash,
                isTrashUnknown: isTrashUnknown,
                changes: changes
            )
        }
        #expect(decision() == .changeUID)
        #expect(decision(attempt: 1) == .sendAgain)
        #expect(decision(isTaken: false) == .sendAgain)
        #expect(decision(isTrashUnknown: true) == .sendAgain)
        #expect(decision(changes: SuccessorUID.longestChain) == .sendAgain)
        #expect(decision { $0.restored = ["u".exact] } == .overwriteRestored)
        #expect(decision(isTaken: false, attempt: 1) { $0.refused = ["u".exact] } == .changeUID)
    }
}
