import RemindavBridge
import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@Suite("the order of a list")
struct ListOrderTests {
    /// Titles with equal beginnings that differ near the end of the letters in the numeric key.
    private static let titles: [String] = ["", "a", "abcdefg", "abcdefgh", "abcdéfgh", "語abcdefg"].flatMap {
        beginning in
        [
            "", "h", "i", "\u{301}", "h\u{301}", "é", "hi", "h\u{301}i", "h\u{0}", "\u{0}", "語", "hijk", "Hijk",
            "\u{65}\u{301}x",
        ]
        .map { beginning + $0 }
    }

    @Test("sorting by keys is sorting by titles and numbers, for every place of combining marks")
    func keys() {
        var random = SeededGenerator(5)
        var views: [ReminderView] = []
        for (number, title) in (Self.titles + Self.titles).enumerated() {
            var view = ReminderView(id: Int64(number), uid: "", list: "", title: title, group: .later)
            view.dueInstant = [nil, Instant(secondsSince1970: 5)].randomElement(using: &random)!
            views.append(view)
        }
        let expected = views.sorted(by: ReminderView.inListOrder)
        for _ in 0..<20 {
            views.shuffle(using: &random)
            var sorted = views
            sorted.sortInListOrder()
            #expect(sorted == expected)
        }
    }
}
