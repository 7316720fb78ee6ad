import Reminders
import Testing

@Suite("the key of a reminder")
struct ReminderKeyTests {
    @Test(
        "what may be a file's name everywhere is a key, as it is",
        arguments: ["a", "7", "backup-2026-11", "Disk_91.full+x@host.example", String(repeating: "k", count: 200)]
    )
    func keys(text: String) throws { #expect(try ReminderKey(text).text == text) }

    @Test(
        "what leads elsewhere, is hidden, has to be escaped, or is too long is none",
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
