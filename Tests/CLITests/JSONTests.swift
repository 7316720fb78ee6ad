import Bridge
import Testing

@testable import CLI

@Suite("JSON (RFC 8259)")
struct JSONTests {
    private func text(_ json: JSON) -> String { String(decoding: json.document(), as: UTF8.self) }

    @Test("values are written in their order")
    func values() {
        #expect(self.text(.null) == "null\n")
        #expect(self.text(.bool(true)) == "true\n")
        #expect(self.text(.integer(-9_223_372_036_854_775_808)) == "-9223372036854775808\n")
        #expect(self.text(["b": .integer(1), "a": .array([]), "c": [:]]) == #"{"b": 1, "a": [], "c": {}}"# + "\n")
        #expect(self.text(.array([])) == "[]\n")
        #expect(self.text(.array([.integer(1), .strings(["x", "y"])])) == "[\n1,\n[\"x\", \"y\"]\n]\n")
        #expect(self.text(.optional(nil)) == "null\n")
    }

    @Test(
        "strings are escaped (RFC 8259 §7), and so is what a terminal would act on",
        arguments: [
            ("plain", #""plain""#),
            ("", #""""#),
            (#"a"b\c/"#, #""a\"b\\c/""#),
            ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{8}\u{1B}\u{1F}", #""\u0000\u0008\u001b\u001f""#),
            ("\u{7F}\u{9B}", #""\u007f\u009b""#),
            ("\u{202E}\u{2066}\u{200E}", #""\u202e\u2066\u200e""#),
            ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("日本語 ✅", #""日本語 ✅""#),
            ("\u{E0001}", #""\udb40\udc01""#),
            ("\r\n", #""\r\n""#),
        ]
    )
    func strings(value: String, expected: String) {
        #expect(self.text(.string(value)) == expected + "\n")
    }

    @Test("a reminder has exactly the members that scripts rely on, in their order")
    func reminder() {
        guard case .object(let members) = JSON(ReminderView.sample) else {
            Issue.record("a reminder is no object")
            return
        }
        let names = """
            id uid list title notes due dueZone allDay start repeat status completedAt snoozedUntil priority labels \
            alarms section overdue createdAt updatedAt
            """
        #expect(members.map(\.name).joined(separator: " ") == names)
        expectSnapshot(self.text(.array([JSON(.sample), JSON(.bare)])), "list.json")
    }
}
