import RemindavSQLiteStore
import RemindavStore
import RemindavTestSupport
import Testing

@Suite("the file of the sign-ins")
struct SignInFileTests {
    let folder = try? TemporaryFolder()

    private func open() throws -> SignInFile { try SignInFile.open(folder: #require(self.folder).path) }

    @Test("a ticket is exchanged once, before it expires")
    func ticket() throws {
        let file = try self.open()
        try file.addTicket([1], expires: 160, now: 100)
        #expect(try !file.exchangeTicket([2], for: [9], agent: "a", now: 100))
        #expect(try file.exchangeTicket([1], for: [9], agent: "a", now: 159))
        #expect(try !file.exchangeTicket([1], for: [8], agent: "a", now: 159))
        try file.addTicket([3], expires: 160, now: 100)
        #expect(try !file.exchangeTicket([3], for: [7], agent: "a", now: 160))
        #expect(try file.browsers().map(\.agent) == ["a"])
    }

    @Test("a sign-in lasts for a time after its last request")
    func lifetime() throws {
        let file = try self.open()
        let day: Int64 = 86400
        try file.addTicket([1], expires: 60, now: 0)
        _ = try file.exchangeTicket([1], for: [9], agent: "a", now: 0)
        #expect(try file.isSignedIn([9], now: 29 * day, validSeconds: 30 * day))
        #expect(try file.isSignedIn([9], now: 58 * day, validSeconds: 30 * day))
        #expect(try !file.isSignedIn([9], now: 89 * day, validSeconds: 30 * day))
        #expect(try !file.isSignedIn([8], now: 0, validSeconds: 30 * day))
    }

    @Test("browsers are signed out by number, by cookie, or all; the oldest of too many is signed out")
    func signOut() throws {
        let file = try self.open()
        for number in 0..<UInt8(102) {
            try file.addTicket([number], expires: 10, now: 0)
            _ = try file.exchangeTicket([number], for: [number, 1], agent: "\(number)", now: Int64(number) / 100)
        }
        #expect(try file.browsers().count == 100)
        try file.signOut(cookie: [50, 1])
        #expect(try file.signOut(file.browsers()[0].id) == 1)
        #expect(try file.browsers().count == 98)
        #expect(try file.signOut(nil) == 98)
        #expect(try file.browsers().isEmpty)
    }

    @Test("a damaged file is renamed and replaced")
    func damage() throws {
        let folder = try #require(self.folder)
        do {
            let file = try self.open()
            try file.addTicket([1], expires: 60, now: 0)
        }
        try TemporaryFolder.damage("\(folder.path)/web.db", from: 0, count: 100)
        #expect(try self.open().browsers().isEmpty)
        #expect(folder.names.contains("web.db.damaged"))
        #expect(TemporaryFolder.mode(of: "\(folder.path)/web.db") == 0o600)
    }
}
