import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("records of conflicts")
struct ConflictRecordTests {
    private let store: ReminderStore
    private let list: ListID

    init() throws {
        self.store = try TestStores.make()
        self.list = try self.store.makeSyncedList()
    }

    private func note(_ title: String, component: [String] = [], lines: [UInt8]? = nil) -> ConflictNote {
        ConflictNote(
            object: ObjectID(1),
            uid: "a",
            property: "SUMMARY",
            losingText: title,
            winningText: "won",
            losingSide: .remote,
            component: component,
            losingLines: lines
        )
    }

    @Test("a record is read as it was written, with lines to the byte and keys of any text")
    func roundTrip() throws {
        let notes = [
            self.note("a"),
            self.note("b", component: ["VTODO\n", "VALARM\n\\n\\odd"], lines: Array("SUMMARY:b\r\n c\r\n".utf8)),
            self.note("c", component: ["VTODO\n20260102T090000Z"], lines: []),
        ]
        try self.store.write { transaction in
            for note in notes { try transaction.recordConflict(note, in: self.list, at: Sample.now) }
        }
        let found = try self.store.read { try $0.conflicts(in: self.list) }
        #expect(found.reversed().map(\.note) == notes)
        #expect(found.allSatisfy { $0.settledAt == nil && $0.at == Sample.now })
    }

    @Test("a resolved conflict is not counted any more, and the time of its resolution stays")
    func resolving() throws {
        let ids = try self.store.write { transaction in
            try ["a", "b", "c"].map { try transaction.recordConflict(self.note($0), in: self.list, at: 1) }
        }
        func unsettled() throws -> [ConflictID] {
            let (listed, count) = try self.store.read { snapshot in
                (try snapshot.conflicts(unsettledOnly: true).map(\.id), try snapshot.unsettledConflictCount())
            }
            #expect(listed.count == count)
            return listed
        }
        #expect(try unsettled() == ids.reversed())
        let isThere = try self.store.write { transaction in
            try [(ids[1], 7), (ids[1], 8), (ConflictID(99), 7)].map { try transaction.settle($0.0, at: $0.1) }
        }
        #expect(isThere == [true, true, false])
        #expect(try unsettled() == [ids[2], ids[0]])
        #expect(try self.store.read { try $0.conflict(ids[1])?.settledAt } == 7)
        #expect(try self.store.write { try $0.settleAllConflicts(at: 9) } == 2)
        #expect(try unsettled().isEmpty)
        #expect(try self.store.read { try $0.conflicts().map(\.settledAt) } == [9, 7, 9])
    }
}
