import RemindavBridge
import RemindavJSON
import Testing

@testable import RemindavCLI

@Suite("JSON of reminders")
struct JSONTests {
    private func text(_ json: [some JSONEncodable]) -> String {
        String(decoding: JSONWriter.document(json), as: UTF8.self)
    }

    @Test("a reminder has exactly these members, in this order")
    func reminder() {
        let names = """
            id uid list title notes due dueZone allDay start repeat repeatFrom status completedAt snoozedUntil \
            priority labels alarms parent parentId childIds dependsOnIds blocked section overdue startsLater \
            createdAt updatedAt location link
            """
        #expect(ReminderView.jsonKeys.map(\.name).joined(separator: " ") == names)
        expectSnapshot(self.text([ReminderView.sample, .bare]), "list.json")
    }
}
