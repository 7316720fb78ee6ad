import Store
import Testing

@testable import Bridge
@testable import Recurrence

@Suite("what was done in a notification and cannot be written")
struct ActionQueueTests {
    @Test("what the reminder refuses is not tried again, what the store refuses now is")
    func forGood() {
        #expect(ActionQueue.isForGood(UseCaseError(.listIsReadOnly)))
        #expect(ActionQueue.isForGood(RecurrenceError(code: .severalRules)))
        #expect(!ActionQueue.isForGood(UseCaseError(.syncIsRunning)))
        #expect(!ActionQueue.isForGood(DatabaseError(.busy)))
        #expect(!ActionQueue.isForGood(DatabaseError(.full)))
    }
}
