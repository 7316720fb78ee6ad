import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("the location of a reminder")
struct LocationTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    private func answer(_ words: String...) async -> String {
        #expect(await self.world.run(words) == .success, "\(self.world.takeComplaints())")
        return self.world.takeAnswers()
    }

    @Test("it is added, shown, exported and found")
    func added() async {
        _ = await self.answer("add", "Tea", "--due", "tomorrow", "--location", " Café, 2nd\nfloor ")
        #expect(await self.answer("list", "--json").contains(#""location": "Café, 2nd floor""#))
        #expect(await self.answer("show", "1").contains("  Location    Café, 2nd floor\n"))
        #expect(await self.answer("show", "1", "--json").contains(#""location": "Café, 2nd floor""#))
        #expect(await self.answer("export").contains("LOCATION:Café\\, 2nd floor\r\n"))
        #expect(await self.answer("export", "--format", "csv").contains("\"Café, 2nd floor\""))
        #expect(await self.answer("export", "--format", "json").contains(#""location": "Café, 2nd floor""#))
        #expect(await self.answer("search", "café").contains("Tea"))
    }

    @Test("an edit replaces and clears it, and nothing else")
    func edited() async {
        _ = await self.answer("add", "Tea", "--due", "none", "--location", "Home")
        #expect(await self.answer("edit", "1", "--location", "Work").hasSuffix("\n  location: Home -> Work\n"))
        #expect(await self.answer("edit", "1", "--title", "Coffee", "--json").contains(#""location": "Work""#))
        #expect(await self.answer("edit", "1", "--location", "none").hasSuffix("\n  location: Work -> none\n"))
        #expect(!(await self.answer("export")).contains("LOCATION"))
        #expect(await self.answer("edit", "1", "--location", "").hasPrefix("Unchanged 1: "))
    }

    @Test("a second addition with the same key reports another location")
    func keyed() async {
        _ = await self.answer("add", "Tea", "--id", "tea", "--location", "Home")
        #expect(await self.answer("add", "Tea", "--id", "tea", "--location", "Work").contains("location"))
        #expect(await self.answer("list", "--json").contains(#""location": "Home""#))
    }
}
