import Store
import Testing

@testable import Bridge
@testable import Recurrence

@Suite("what was done in a bubble and cannot be written")
struct DeedWriterTests {
    @Test("what the reminder refuses is not tried again, what the store refuses now is")
    func forGood() {
        #expect(DeedWriter.isForGood(UseCaseError(.listIsReadOnly)))
        #expect(DeedWriter.isForGood(RecurrenceError(code: .severalRules)))
        #expect(!DeedWriter.isForGood(UseCaseError(.syncIsRunning)))
        #expect(!DeedWriter.isForGood(DatabaseError(.busy)))
        #expect(!DeedWriter.isForGood(DatabaseError(.full)))
    }
}
