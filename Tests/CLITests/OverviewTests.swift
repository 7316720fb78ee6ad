import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("remindav without a command")
struct OverviewTests {
    private let folder: TemporaryFolder
    private let world: TestWorld

    init() throws {
        self.folder = try TemporaryFolder()
        self.world = TestWorld(store: "\(self.folder.path)/store")
    }

    private func page() async -> String {
        #expect(await self.world.run([]) == .success)
        #expect(self.world.takeComplaints().isEmpty)
        return self.world.takeAnswers()
    }

    private func add(_ words: String...) async {
        #expect(await self.world.run(["add"] + words) == .success)
        _ = self.world.takeAnswers()
        _ = self.world.takeComplaints()
    }

    @Test("a new store shows the first steps in five lines, and stays absent")
    func new() async {
        let page = await self.page()
        #expect(page.hasPrefix("There are no reminders yet. The first steps:\n  remindav add 'Buy milk tomorrow 9am'"))
        #expect(page.split(separator: "\n").count == 5)
        #expect(await self.world.run("list") == .success)
    }

    @Test("the advised commands name the store of the invocation")
    func advice() async {
        func page(_ words: String...) async -> String {
            #expect(await self.world.run(["--store", "s"] + words) == .success)
            return self.world.takeAnswers()
        }
        let steps = await page()
        #expect(
            steps.contains("\n  remindav --store s add 'Buy milk tomorrow 9am'") && steps.contains("\n  remindav help ")
        )
        for day in 1...6 { await self.add("Number \(day)", "--due", "in \(day) days") }
        #expect(await page("feed", "list") == "No feeds yet. Create one: remindav --store s feed create\n")
        #expect(await page().contains("'remindav --store s list'"))
    }

    @Test("the reminders for today, the next five and the number of the others are shown")
    func today() async {
        await self.add("Call Ben", "--due", "today 18:30")
        for day in 1...7 { await self.add("Number \(day)", "--due", "in \(day) days") }
        #expect(
            await self.page() == """
                Today
                  1  Fri 20 Nov 18:30  Call Ben

                Upcoming
                  Tomorrow
                  2  Sat 21 Nov        Number 1
                  This week
                  3  Sun 22 Nov        Number 2
                  Later
                  4  Mon 23 Nov        Number 3
                  5  Tue 24 Nov        Number 4
                  6  Wed 25 Nov        Number 5

                2 more: 'remindav list'. All commands: 'remindav help'.

                """
        )
    }

    @Test("without a reminder for today, and without an open one, the page says so")
    func none() async {
        await self.add("Later", "--due", "in 3 days")
        #expect(await self.page().hasPrefix("Nothing is due today.\n\nUpcoming\n"))
        #expect(await self.world.run("done", "1") == .success)
        _ = self.world.takeAnswers()
        #expect(await self.page() == "No reminder is open. 'remindav help' shows commands.\n")
    }
}
