import RemindavICalendar
import RemindavNotifications
import RemindavSQLiteStore
import RemindavStore
import RemindavTestSupport
import Testing

@testable import RemindavBridge
@testable import RemindavCLI

@Suite("failed notifications in the status")
struct UnshownTests {
    @Test("an abandoned notification is reported while it needs attention, and then no more (N15)")
    func unshownWithoutDaemon() async throws {
        let folder = try TemporaryFolder()
        let store = "\(folder.path)/s"
        let world = TestWorld(environment: ["HOME": "/h", "LANG": "C.UTF-8", "REMINDAV_STORE": store], store: store)
        #expect(await world.run("add", "Soon", "--due", "today 17:06") == .success)
        let failure = DeliveryFailure(since: .test, count: 1, reason: "gone")
        try DeliveryStateFile.open(folder: store).file.save(failure)
        world.letPass(seconds: 60)
        for (isDone, isTold) in [(false, true), (true, false)] {
            if isDone { #expect(await world.run("done", "1") == .success) }
            _ = world.takeAnswers()
            #expect(await world.run("status") == .success)
            #expect(world.takeAnswers().contains("not shown") == isTold)
            _ = await world.run("doctor")
            #expect(world.takeAnswers().contains("; no daemon runs to retry.") == isTold)
        }
        #expect(world.complaints.isEmpty)
    }
}
