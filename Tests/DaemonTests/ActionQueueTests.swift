import Bridge
import Store
import Testing

@testable import Daemon
@testable import Recurrence

@Suite("what was done in a notification and cannot be written")
struct ActionQueueTests {
    @Test("what the reminder refuses is not tried again, what the store refuses now is")
    func forGood() {
        #expect(ActionQueue.isPermanent(UseCaseError(.listIsReadOnly)))
        #expect(ActionQueue.isPermanent(RecurrenceError(code: .severalRules)))
        #expect(!ActionQueue.isPermanent(UseCaseError(.syncIsRunning)))
        #expect(!ActionQueue.isPermanent(DatabaseError(.busy)))
        #expect(!ActionQueue.isPermanent(DatabaseError(.full)))
    }
}
