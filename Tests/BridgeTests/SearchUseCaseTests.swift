import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("finding reminders of a store")
struct SearchUseCaseTests {
    private static let text = """
        BEGIN:VCALENDAR
        BEGIN:VTODO
        UID:notes
        SUMMARY:One
        DESCRIPTION:Bring the off
         er\\, and cof
         fee
        END:VTODO
        BEGIN:VTODO
        UID:place
        SUMMARY:Two offers
        LOCATION:Café Offer
        URL:https://example.org/coffee
        STATUS:COMPLETED
        END:VTODO
        BEGIN:VTODO
        UID:label
        SUMMARY:Coffee
        CATEGORIES:Offer
        END:VTODO
        BEGIN:VTODO
        UID:alarm
        SUMMARY:Three
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:offer coffee
        TRIGGER:-PT5M
        END:VALARM
        END:VTODO
        BEGIN:VTODO
        UID:torn
        SUMMARY:Four
        DESCR
         IPTION:offer coffee
        END:VTODO
        END:VCALENDAR

        """

    private func found(_ words: String..., all: Bool = true, detail: ReminderDetail = .line) throws -> [FoundReminder] {
        let useCases = try Workplace.open()
        try Workplace.load(Self.text, into: useCases)
        let query = try #require(SearchQuery(words))
        return try useCases.search(query, matching: ReminderFilter(includesCompleted: all), detail: detail)
    }

    @Test("words are found across folds, in each of the fields, and not in the text of an alarm")
    func fields() throws {
        let found = try self.found("offer", "coffee")
        #expect(found.map(\.view.title) == ["Coffee", "Two offers", "Four", "One"])
        #expect(found.map(\.match.fields) == [["title", "label"], ["title", "link"], ["notes"], ["notes"]])
        #expect(found[3].texts == ["Bring the offer, and coffee"])
    }

    @Test(
        "the result equals that of reading every text",
        arguments: ["o", "off", "coffee", "offer coffee", "e", "zz", "4"]
    )
    func everyText(words: String) throws {
        let useCases = try Workplace.open()
        try Workplace.load(Self.text, into: useCases)
        let query = try #require(SearchQuery(words.split(separator: " ").map(String.init)))
        let records = try useCases.store.read { snapshot in try snapshot.objects() }
        let expected = try records.filter { record in
            let reminder = try #require(Reminder(ICalendarDocument(record.source)))
            return query.match(title: reminder.title, labels: reminder.labels) { reminder.searchTexts } != nil
        }
        let found = try useCases.search(query, matching: ReminderFilter(includesCompleted: true), detail: .line)
        #expect(found.map(\.view.id).sorted() == expected.map(\.id.rawValue).sorted())
    }

    @Test("completed reminders are found only on request")
    func done() throws {
        #expect(try self.found("two", all: false).isEmpty)
        #expect(try self.found("two").map(\.view.title) == ["Two offers"])
    }

    @Test("a found reminder equals that of a list, with all of its fields or those of a row")
    func views() throws {
        let useCases = try Workplace.open()
        try Workplace.load(Self.text, into: useCases)
        let query = try #require(SearchQuery(["o"]))
        for detail in [ReminderDetail.line, .everything] {
            let listed = try useCases.reminders(matching: ReminderFilter(includesCompleted: true), detail: detail)
            let found = try useCases.search(query, matching: ReminderFilter(includesCompleted: true), detail: detail)
            #expect(found.count == 4)
            for reminder in found { #expect(listed.contains(reminder.view)) }
        }
    }
}
