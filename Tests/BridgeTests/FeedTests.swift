import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavStore
import RemindavTestSupport
import Testing

@Suite("feeds of a store")
struct FeedTests {
    let useCases: UseCases

    init() throws { self.useCases = try Workplace.open() }

    @Test("a feed has the given name, else that of its list, else that of its label")
    func names() async throws {
        _ = try await self.useCases.addList(named: "Garden", account: nil, color: nil)
        #expect(try self.useCases.createFeed(list: nil, labels: []).name == "Reminders")
        #expect(try self.useCases.createFeed(list: "Garden", labels: ["x"]).name == "Garden")
        #expect(try self.useCases.createFeed(list: nil, labels: ["x", "y"]).name == "x")
        #expect(try self.useCases.createFeed(named: " Family ", list: "Garden", labels: []).name == "Family")
        #expect(throws: UseCaseError(.feedNameTaken)) {
            try self.useCases.createFeed(named: "Family", list: nil, labels: [])
        }
        for bad in ["", "  ", "7", "a\nb", String(repeating: "x", count: 101)] {
            #expect(throws: UseCaseError(.badFeedName)) {
                try self.useCases.createFeed(named: bad, list: nil, labels: [])
            }
        }
        #expect(try self.useCases.feeds().map(\.name) == ["Reminders", "Garden", "x", "Family"])
    }

    @Test("a feed is found by its number, or by a name that only one feed has")
    func selection() throws {
        for name in ["Family", "family", "Work"] {
            _ = try self.useCases.createFeed(named: name, list: nil, labels: [])
        }
        _ = try self.useCases.createFeed(list: nil, labels: [])
        _ = try self.useCases.createFeed(list: nil, labels: [])
        #expect(try self.useCases.renameFeed("work", to: "Office").id == 3)
        #expect(try self.useCases.renameFeed("family", to: "Kin").id == 2)
        #expect(try self.useCases.renameFeed("3", to: "Office").name == "Office")
        #expect(throws: UseCaseError(.feedNameTaken)) { try self.useCases.renameFeed("3", to: "Family") }
        #expect(throws: UseCaseError(.severalFeeds)) { try self.useCases.revokeFeed("Reminders") }
        for unknown in ["Nobody", "9", "0"] {
            #expect(throws: UseCaseError(.feedNotFound)) { try self.useCases.revokeFeed(unknown) }
        }
        #expect(try self.useCases.revokeFeed("FAMILY").id == 1)
        #expect(throws: UseCaseError(.feedNotFound)) { try self.useCases.revokeFeed("1") }
        // The name of a revoked feed is free.
        #expect(try self.useCases.renameFeed("3", to: "Family").name == "Family")
    }

    @Test("visits are added up, of each kind of program, and change neither the journal nor a reminder")
    func visits() throws {
        let feed = try self.useCases.createFeed(list: nil, labels: [])
        let token = try #require(feed.path).dropFirst("/feed/".count).dropLast(".ics".count)
        let hash = SHA256(token.utf8).bytes
        func visit(_ program: String, at: Int64, status: Int = 200, visits: Int = 1) throws {
            let record = FeedVisitRecord(program: program, at: at, status: status, agent: "X/1", visits: visits)
            try self.useCases.store.write { try $0.addVisits(record, ofFeedWith: hash) }
        }
        try visit("google", at: 100)
        try visit("apple", at: 200, visits: 3)
        try visit("google", at: 300, status: 304, visits: 2)
        let visits = try self.useCases.feeds()[0].visits
        #expect(visits.map(\.program) == ["google", "apple"])
        #expect(visits.map(\.programName) == ["Google Calendar", "Apple Calendar"])
        #expect(visits.map(\.count) == [3, 3])
        #expect(visits.map(\.status) == [304, 200])
        #expect(visits.map(\.at.secondsSince1970) == [300, 200])
        #expect(try self.useCases.log(limit: 10).isEmpty)
        // A revoked feed has no visits.
        _ = try self.useCases.revokeFeed("1")
        try visit("google", at: 400)
        #expect(try self.useCases.store.read { try $0.visits(of: FeedID(feed.id)) }.map(\.visits) == [3, 3])
    }
}
