import Glibc
import TestSupport
import Testing

@testable import SQLiteStore
@testable import Store

@Suite("what a daemon remembers")
struct DeliveryStateFileTests {
    private func row(_ key: String, _ value: String?) -> DeliveryStateRow {
        DeliveryStateRow(kind: "k", key: key, value: value)
    }

    @Test("rows are kept, replaced and taken away, in their order, and are there at the next start")
    func kept() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try DeliveryStateFile.open(folder: folder.path).file
            try file.keep([self.row("a", "1"), self.row("b", "2"), self.row("a", "3"), self.row("c", "4")])
            try file.keep([self.row("b", nil), self.row("nothing", nil)])
            try file.keep([])
            #expect(!file.wasRecreated)
        }
        let rows = try DeliveryStateFile.open(folder: folder.path).rows
        #expect(Set(rows) == [self.row("a", "3"), self.row("c", "4")])
    }

    @Test("the same key of another kind is another row, and a text is kept to the byte")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let file = try DeliveryStateFile.open(folder: folder.path).file
        let odd = "=a\tb\nü\u{1F600}'\""
        try file.keep([
            DeliveryStateRow(kind: "one", key: odd, value: odd), DeliveryStateRow(kind: "two", key: odd, value: ""),
        ])
        #expect(
            Set(try file.rows()) == [
                DeliveryStateRow(kind: "one", key: odd, value: odd), DeliveryStateRow(kind: "two", key: odd, value: ""),
            ]
        )
    }

    @Test("a damaged file is put aside, and what rings goes on")
    func damaged() throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(
            Array("this is no database at all, and long enough".utf8),
            to: "\(folder.path)/rings.db"
        )
        let file = try DeliveryStateFile.open(folder: folder.path).file
        #expect(file.wasRecreated)
        #expect(try file.rows().isEmpty)
        try file.keep([self.row("a", "1")])
        #expect(try DeliveryStateFile.open(folder: folder.path).rows == [self.row("a", "1")])
    }

    @Test("damage that is found only when all of it is read puts the file aside as well")
    func damagedWithin() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try DeliveryStateFile.open(folder: folder.path).file
            try file.keep((0..<500).map { self.row("key \($0)", String(repeating: "v", count: 50)) })
        }
        let path = "\(folder.path)/rings.db"
        try TemporaryFolder.damage(path, from: 2 * 4096, count: 4096)
        let (file, rows) = try DeliveryStateFile.open(folder: folder.path)
        #expect(file.wasRecreated && rows.isEmpty)
        try file.keep([self.row("a", "1")])
    }

    @Test("a start writes nothing")
    func startWritesNothing() throws {
        let folder = try TemporaryFolder()
        try DeliveryStateFile.open(folder: folder.path).file.keep([self.row("a", "1")])
        let path = "\(folder.path)/rings.db"
        // While somebody writes it could not be written to.
        let other = try SQLiteConnection(path: path, access: .readWrite, busyTimeoutMilliseconds: 0)
        try other.transaction(.write(.survivesKill)) { () throws(DatabaseError) in
            #expect(try DeliveryStateFile.open(folder: folder.path).rows == [self.row("a", "1")])
        }
    }

    @Test("one kind of rows can be looked at while somebody writes and afterwards, and no file is made by that")
    func look() throws {
        let folder = try TemporaryFolder()
        #expect(try DeliveryStateFile.look(folder: folder.path, kind: "k").isEmpty)
        #expect(try DeliveryStateFile.look(folder: "\(folder.path)/none", kind: "k").isEmpty)
        #expect(folder.names.isEmpty)
        do {
            let file = try DeliveryStateFile.open(folder: folder.path).file
            try file.keep([self.row("a", "1"), DeliveryStateRow(kind: "other", key: "a", value: "2")])
            #expect(try DeliveryStateFile.look(folder: folder.path, kind: "k") == [self.row("a", "1")])
            try file.keep([self.row("a", "3")])
            #expect(try DeliveryStateFile.look(folder: folder.path, kind: "k") == [self.row("a", "3")])
            #expect(try DeliveryStateFile.look(folder: folder.path, kind: "neither").isEmpty)
        }
        let names = folder.names
        #expect(try DeliveryStateFile.look(folder: folder.path, kind: "other").map(\.value) == ["2"])
        #expect(folder.names == names)
        try TemporaryFolder.damage("\(folder.path)/rings.db", from: 0, count: 4096)
        #expect(throws: DatabaseError.self) { try DeliveryStateFile.look(folder: folder.path, kind: "k") }
    }

    // MARK: The right to ring

    @Test("whether somebody rings can be seen without being in the way, and a file that is left says nothing")
    func isHeld() throws {
        let folder = try TemporaryFolder()
        #expect(!DaemonLock.isHeld(folder: folder.path))
        #expect(folder.names.isEmpty)
        var lock: DaemonLock? = try DaemonLock(folder: folder.path)
        #expect(DaemonLock.isHeld(folder: folder.path))
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(folder.names == ["daemon.lock"])
        #expect(!DaemonLock.isHeld(folder: folder.path))
        _ = try DaemonLock(folder: folder.path)
    }

    @Test("one has the right to ring; the next is told who")
    func lock() throws {
        let folder = try TemporaryFolder()
        var first: DaemonLock? = try DaemonLock(folder: folder.path)
        #expect(throws: DaemonLock.Failure.held(by: getpid())) { try DaemonLock(folder: folder.path) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try DaemonLock(folder: folder.path)
    }

    // MARK: What has changed

    @Test("each change of a text is another version, and no look needs the text")
    func versions() throws {
        let store = try ReminderStore.inMemory()
        let list = try store.write { try $0.insertList(named: "a", color: nil, at: 0) }
        let index = ObjectIndex(title: "t", status: 2)
        let id = try store.write { try $0.insert(into: list, uid: "u", source: [1], index: index) }
        let before = try #require(try store.read { try $0.versions() }.first)
        #expect(before.id == id && before.list == list && before.status == 2 && before.isDirty)
        try store.write { try $0.update(id, source: [2], index: index) }
        let after = try #require(try store.read { try $0.versions() }.first)
        #expect(after.revision > before.revision)
        try store.write { try $0.delete(id, at: 0) }
        #expect(try store.read { try $0.versions() }.isEmpty)
    }
}
