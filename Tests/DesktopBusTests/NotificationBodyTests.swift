import RemindavNotifications
import Testing

@testable import RemindavDesktopBus

@Suite("text for a notification")
struct NotificationBodyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        let text: String
        let title: String
        let body: String
        var testDescription: String { self.what }

        init(_ what: String, _ text: String, title: String, body: String) {
            self.what = what
            self.text = text
            self.title = title
            self.body = body
        }
    }

    /// Noncharacters of Unicode, which Swift does not accept in a literal.
    static let noCharacters = [UInt32](arrayLiteral: 0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFE, 0x10FFFF)
        .compactMap { Unicode.Scalar($0) }.map { String($0) }.joined()

    // swift-format-ignore
    static let cases: [Case] = [
        Case("nothing", "", title: "", body: ""),
        Case("words", "Milk: 2 l", title: "Milk: 2 l", body: "Milk: 2 l"),
        Case("any script", "Ñandú 牛乳 חלב 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿", title: "Ñandú 牛乳 חלב 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿", body: "Ñandú 牛乳 חלב 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        Case("line ends", "a\nb\r\nc\rd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i", title: "a b c d e f g h i", body: "a\nb\nc\nd\ne\nf\ng\nh\ni"),
        Case("two line ends", "a\r\r\n\nb", title: "a   b", body: "a\n\n\nb"),
        Case("a tab", "a\tb", title: "a b", body: "a b"),
        Case("NUL", "a\0b", title: "a\u{FFFD}b", body: "a\u{FFFD}b"),
        Case("an escape sequence", "\u{1B}[31mred\u{9B}0m", title: "\u{FFFD}[31mred\u{FFFD}0m", body: "\u{FFFD}[31mred\u{FFFD}0m"),
        Case("DEL and a mark of byte order", "a\u{7F}\u{FEFF}b", title: "a\u{FFFD}b", body: "a\u{FFFD}b"),
        Case("no characters", Self.noCharacters, title: "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", body: "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Case("an override that stays open", "a\u{202E}b", title: "a\u{202E}b\u{202C}", body: "a\u{202E}b\u{202C}"),
        Case("an end without a beginning", "a\u{202C}\u{2069}b", title: "ab", body: "ab"),
        Case("a pair", "\u{2067}a\u{2069}b", title: "\u{2067}a\u{2069}b", body: "\u{2067}a\u{2069}b"),
        Case("two that cross", "\u{2066}\u{202B}a\u{2069}b\u{202C}", title: "\u{2066}\u{202B}a\u{202C}\u{2069}b", body: "\u{2066}\u{202B}a\u{202C}\u{2069}b"),
        Case("an end that would reach through an isolate", "\u{202A}\u{2068}a\u{202C}b", title: "\u{202A}\u{2068}ab\u{2069}\u{202C}", body: "\u{202A}\u{2068}ab\u{2069}\u{202C}"),
        Case("one that reaches over a line", "\u{202E}a\nb\u{202C}", title: "\u{202E}a b\u{202C}", body: "\u{202E}a\u{202C}\nb"),
        Case("marks of direction", "a\u{200F}b\u{061C}", title: "a\u{200F}b\u{061C}", body: "a\u{200F}b\u{061C}"),
    ]

    @Test("becomes displayable text, on one line or on several", arguments: Self.cases)
    func clean(_ test: Case) {
        #expect(Array(NotificationBody.title(test.text).unicodeScalars) == Array(test.title.unicodeScalars))
        #expect(
            Array(NotificationBody.body(test.text, escaped: false).unicodeScalars) == Array(test.body.unicodeScalars)
        )
    }

    @Test("the five characters of markup are escaped by name, once, for a service that reads markup")
    func markup() {
        let text = "<b>&amp; \"it's\"</b>"
        #expect(
            NotificationBody.body(text, escaped: true)
                == "&lt;b&gt;&amp;amp; &quot;it&apos;s&quot;&lt;/b&gt;"
        )
        #expect(NotificationBody.body(text, escaped: false) == text)
        #expect(NotificationBody.title(text) == text)
    }

    // Each text with its shortened form for a limit of 1,024 bytes.
    @Test(
        "text over the limit ends with an ellipsis between characters, within the limit",
        arguments: [
            (String(repeating: "a", count: 1021), String(repeating: "a", count: 1021)),
            (String(repeating: "a", count: 1022), String(repeating: "a", count: 1021) + "…"),
            (String(repeating: "é", count: 600), String(repeating: "é", count: 510) + "…"),
            (String(repeating: "x", count: 1019) + "e\u{301}\u{301}", String(repeating: "x", count: 1019) + "…"),
            ("e" + String(repeating: "\u{301}", count: 5000), "e" + String(repeating: "\u{301}", count: 510) + "…"),
            (
                "\u{202E}" + String(repeating: "a", count: 5000),
                "\u{202E}" + String(repeating: "a", count: 1015) + "\u{202C}…"
            ),
        ]
    )
    func cut(text: String, expected: String) {
        let title = NotificationBody.title(text)
        #expect(Array(title.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(title.utf8.count <= NotificationBodyLimits.longestTitle)
    }

    @Test("nested text directions are kept up to a depth, and each is closed")
    func depth() {
        let openers = (0..<1000).map { ["\u{202A}", "\u{202E}", "\u{2066}", "\u{2068}"][$0 % 4] }.joined()
        let text = Array(NotificationBody.title(openers + "a\u{2069}\u{202C}b").unicodeScalars)
        let begun = text.filter { [0x202A, 0x202E, 0x2066, 0x2068].contains($0.value) }.count
        let ended = text.filter { [0x202C, 0x2069].contains($0.value) }.count
        #expect(begun == NotificationBodyLimits.maximumDirections)
        #expect(ended == begun)
    }

    @Test("the cost is limited by the allowed length, not by the length of the text")
    func cost() {
        let long = String(repeating: "word ", count: 1 << 20)
        let clock = ContinuousClock()
        let time = clock.measure { for _ in 0..<20 { _ = NotificationBody.body(long, escaped: true) } }
        #expect(time < .seconds(5))
    }
}

@Suite("the arguments of Notify")
struct NotifyArgumentsTests {
    @Test("actions go to services that support them; actions without a possible answer are left out")
    func actions() {
        var notification = DesktopNotification.milk(actions: ["default", "", "öffnen", "a\nb"])
        notification.actions += (0..<40).map { .init(key: "key-\($0)", label: "<b>\n") }
        let values = NotifyArguments.values(notification, replacing: 3, capabilities: ["actions"])
        guard case .strings(let words) = values[5] else {
            Issue.record("\(values)")
            return
        }
        #expect(words.count == 2 * NotificationBodyLimits.maximumActions)
        #expect(words.prefix(6) == ["default", "default", "key-0", "<b> ", "key-1", "<b> "])
        #expect(values[1] == .number(3))
        #expect(NotifyArguments.values(notification, replacing: 0, capabilities: [])[5] == .strings([]))
    }

    @Test("silence is requested, and a sound by its name", arguments: [nil, "bell"], [true, false])
    func sound(name: String?, makesSound: Bool) {
        var notification = DesktopNotification(title: "a", body: "b")
        notification.urgency = .low
        notification.sound = name
        notification.appearance.makesSound = makesSound
        let hints = NotifyArguments.values(notification, replacing: 0, capabilities: [])[6]
        let sound = makesSound ? name.map { BusValue.Entry("sound-name", .string($0)) } : nil
        #expect(hints == .dictionary([.init("urgency", .byte(0)), sound ?? .init("suppress-sound", .boolean(true))]))
    }

    @Test(
        "a title without visible characters is replaced by a word",
        arguments: ["", " ", "\n\t", "\u{FEFF}", "\u{200B}\u{AD}", "\u{202E}\u{2066} ", "\u{3164}", "\u{E0041}"]
    )
    func untitled(title: String) {
        let notification = DesktopNotification(title: title, body: "")
        #expect(NotifyArguments.values(notification, replacing: 0, capabilities: [])[3] == .string("Reminder"))
    }

    @Test("a notification stays, or the service decides when it closes", arguments: [(true, Int32(0)), (false, -1)])
    func persistence(isPersistent: Bool, wire: Int32) {
        var notification = DesktopNotification(title: "a", body: "b")
        notification.isPersistent = isPersistent
        #expect(NotifyArguments.values(notification, replacing: 0, capabilities: [])[7] == .signed(wire))
    }
}
