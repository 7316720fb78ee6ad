import RemindavICalendar
import RemindavReminders
import RemindavSQLiteStore
import RemindavStoreSupport
import Testing

@testable import RemindavStore

@Suite("labels in the store")
struct LabelRecordTests {
    private let store: ReminderStore

    init() throws { self.store = try TestStores.make() }

    private static func label(
        _ id: String,
        _ name: String,
        _ hex: String = "#FF5722",
        at now: Int64 = 1
    ) throws -> Label {
        let color = try #require(LabelColor(hex))
        return try Label(id: id, name: name, color: color, at: Instant(secondsSince1970: now))
    }

    private func labels() throws -> [Label] { try self.store.read { snapshot in try snapshot.labels() } }

    private func deleted() throws -> [DeletedLabel] { try self.store.read { snapshot in try snapshot.deletedLabels() } }

    @Test("labels are read as they were stored, by name ignoring case")
    func kept() throws {
        let kept = try [Self.label("1", "work", "#010203"), Self.label("2", "Home, sweet"), Self.label("3", "ändern")]
        try self.store.write { transaction in for label in kept { try transaction.save(label) } }
        #expect(try self.labels().map(\.id) == ["2", "1", "3"])
        #expect(try Set(self.labels()) == Set(kept))
        #expect(try self.deleted() == [])
    }

    @Test("a label of the same name under another number is refused, in any case")
    func unique() throws {
        try self.store.write { transaction in try transaction.save(Self.label("1", "Straße")) }
        #expect(throws: DatabaseError(.alreadyExists)) {
            try self.store.write { transaction in try transaction.save(Self.label("2", "STRASSE")) }
        }
        #expect(try self.labels().map(\.name) == ["Straße"])
    }

    @Test("an unused name is stored as deleted until a label has it again")
    func renamed() throws {
        try self.store.write { transaction in
            let label = try Self.label("1", "Work", at: 1)
            try transaction.save(label)
            try transaction.save(label.edited(name: "WORK", at: Instant(secondsSince1970: 2)))
        }
        #expect(try self.deleted() == [])
        try self.store.write { transaction in
            let label = try #require(try transaction.labels().first)
            try transaction.save(label.edited(name: "Job", at: Instant(secondsSince1970: 3)))
        }
        #expect(try self.deleted() == [DeletedLabel(name: "WORK", deletedAt: 3)])
        try self.store.write { transaction in try transaction.save(Self.label("2", "work", at: 4)) }
        #expect(try self.deleted() == [])
        try self.store.write { transaction in
            for label in try transaction.labels() { try transaction.delete(label, at: 9) }
        }
        #expect(try self.labels() == [])
        let both = [DeletedLabel(name: "Job", deletedAt: 9), DeletedLabel(name: "work", deletedAt: 9)]
        #expect(try self.deleted() == both)
        #expect(throws: DatabaseError(.notFound)) {
            try self.store.write { transaction in try transaction.delete(Self.label("2", "work"), at: 10) }
        }
    }

    @Test("after a year the record of a deleted label is removed")
    func forgotten() throws {
        try self.store.write { transaction in
            try transaction.remember(DeletedLabel(name: "old", deletedAt: 1000))
            try transaction.remember(DeletedLabel(name: "new", deletedAt: 1000 + labelMemorySeconds))
        }
        #expect(try self.deleted().map(\.name) == ["new", "old"])
        try self.store.write { transaction in
            try transaction.remember(DeletedLabel(name: "NEW", deletedAt: 1001 + labelMemorySeconds))
        }
        #expect(try self.deleted() == [DeletedLabel(name: "NEW", deletedAt: 1001 + labelMemorySeconds)])
    }

    @Test("the label changes of an operation are deleted with its run")
    func changes() throws {
        let (old, new) = try (Self.label("1", "Work"), Self.label("1", "Job", "#000001", at: 5))
        // The journal has no times for a label that the store did not contain.
        let unknown = try LabelState(Self.label("1", "Work", at: 0), isKnown: false)
        let changes = [
            StateChange(before: unknown, after: LabelState(new)),
            StateChange(before: LabelState(new), after: nil), StateChange(before: nil, after: LabelState(old)),
        ]
        let run = try self.store.write { transaction in
            let run = try transaction.beginOperation(at: 100)
            for change in changes { try transaction.recordChange(change, of: run, at: 100) }
            return run
        }
        #expect(try self.store.read { snapshot in try snapshot.stateChanges(of: run).map(\.change) } == changes)
        try self.store.write { transaction in _ = try transaction.beginOperation(at: 101 + journalSeconds) }
        #expect(try self.store.read { snapshot in try snapshot.stateChanges(of: run, LabelState.self) } == [])
    }
}
