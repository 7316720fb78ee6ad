import RemindavReminders
import Testing

@testable import RemindavStore

@Suite("values in the columns of existing stores")
struct StoredValueTests {
    @Test("statuses and priorities keep their numbers")
    func numbers() {
        #expect([Status.pending, .inProgress, .completed, .cancelled].map(\.stored) == [0, 1, 2, 3])
        #expect([Priority.undefined, .low, .medium, .high].map(\.stored) == [0, 1, 2, 3])
        #expect(Status.allCases.allSatisfy { Status(stored: $0.stored) == $0 })
        #expect(Priority.allCases.allSatisfy { Priority(stored: $0.stored) == $0 })
        #expect(Status(stored: 4) == .cancelled)
    }

    @Test("enumerations keep their texts")
    func texts() {
        #expect([ListState.local, .synced, .detached].map(\.rawValue) == ["local", "synced", "detached"])
        #expect([SyncSide.local, .remote].map(\.rawValue) == ["local", "remote"])
        #expect(ChangeKind.allCases.map(\.rawValue) == ["added", "changed", "merged", "moved", "deleted"])
        #expect(JournalEntity.allCases.map(\.rawValue) == ["reminder", "label", "list"])
        let operations = [
            "add", "edit", "complete", "skip", "reopen", "snooze", "acknowledge", "dismiss", "move", "delete",
        ]
        #expect(Operation.allCases.map(\.rawValue) == operations)
        let states: [OverrideResource.State] = [.found, .sending, .joined]
        #expect(states.map(\.rawValue) == ["found", "sending", "joined"])
    }
}
