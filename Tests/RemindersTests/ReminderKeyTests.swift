import RemindavReminders
import Testing

@Suite("the key of a reminder")
struct ReminderKeyTests {
    @Test(
        "a text that is a valid file name on every system is a key, unchanged",
        arguments: ["a", "7", "backup-2026-11", "Disk_91.full+x@host.example", String(repeating: "k", count: 200)]
    )
    func keys(text: String) throws { #expect(try ReminderKey(text).text == text) }

    @Test(
        "a text that is a path, hidden, too long or must be escaped is no key",
        arguments: [
            "", " ", ".", "..", ".hidden", "-x", "_x", "@x", "+x", "../x", "a/b", "a\\b", "a b", " a", "a\n", "a,b",
            "a;b", "a:b", "a%2Fb", "a?b", "a#b", "a\"b", "a'b", "a*b", "a\u{0}b", "é", "ａ", "a\u{301}", "😀",
            String(repeating: "k", count: 201),
        ]
    )
    func noKeys(text: String) {
        #expect(throws: ReminderKeyError.notAKey) { try ReminderKey(text) }
    }
}
