import RemindavBridge
import RemindavStore
import Testing

@testable import RemindavDaemon
@testable import RemindavRecurrence

@Suite("actions of a notification that cannot be written")
struct ActionQueueTests {
    @Test("an action that the reminder refuses is not repeated; one that the store refuses for now is")
    func forGood() {
        #expect(ActionQueue.isPermanent(UseCaseError(.listIsReadOnly)))
        #expect(ActionQueue.isPermanent(RecurrenceError.severalRules))
        #expect(!ActionQueue.isPermanent(UseCaseError(.syncIsRunning)))
        #expect(!ActionQueue.isPermanent(DatabaseError(.busy)))
        #expect(!ActionQueue.isPermanent(DatabaseError(.full)))
    }
}
