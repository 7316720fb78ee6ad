import RemindavHTTP
import RemindavICalendar
import Testing

@testable import RemindavHost

@Suite("messages about alarms")
struct AlarmMessageTests {
    private static let moment = Instant(secondsSince1970: 1_795_880_728)

    private func message(_ title: String, _ body: String = "Due 10:00") -> AlarmMessage {
        AlarmMessage(identifier: "0123456789abcdef0123456789abcdef", title: title, body: body)
    }

    private func lines(_ message: AlarmMessage) -> [String] {
        let text = String(
            decoding: message.mail(from: "alarms@example.org", to: "ada@example.net", at: Self.moment),
            as: UTF8.self
        )
        return text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("a mail has the fields of RFC 5322, and its body is base64 of UTF-8 with CRLF line ends")
    func mail() throws {
        let lines = self.lines(self.message("Milk", "Due 10:00\nGr\u{FC}\u{DF}e\n.\n"))
        #expect(lines.contains("Date: Sat, 28 Nov 2026 15:45:28 +0000"))
        #expect(lines.contains("From: Remindav <alarms@example.org>"))
        #expect(lines.contains("To: <ada@example.net>"))
        #expect(lines.contains("Subject: Milk"))
        #expect(lines.contains("Message-ID: <0123456789abcdef0123456789abcdef@example.org>"))
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { (32...126).contains($0) } })
        let start = try #require(lines.firstIndex(of: ""))
        let body = try #require(Base64.decode(lines[start...].joined()))
        #expect(String(decoding: body, as: UTF8.self) == "Due 10:00\r\nGr\u{FC}\u{DF}e\r\n.\r\n\r\n")
    }

    @Test(
        "a title of any text stays in its field",
        arguments: [
            "Gr\u{FC}\u{DF}e", String(repeating: "\u{1F468}\u{200D}\u{1F469} a", count: 40), "=?utf-8?B?eA==?=",
            "x\r\nBcc: other@example.org", String(repeating: "long words ", count: 30), "",
        ]
    )
    func subjects(title: String) throws {
        let lines = self.lines(self.message(title))
        #expect(!lines.contains { $0.hasPrefix("Bcc") } && lines.allSatisfy { $0.utf8.count <= 85 })
        let start = try #require(lines.firstIndex { $0.hasPrefix("Subject: ") })
        let field = lines[start...].prefix { $0.hasPrefix("Subject") || $0.hasPrefix(" ") }
        let words = field.joined().dropFirst("Subject: ".count).split(separator: " ")
        let bytes = words.flatMap { word -> [UInt8] in
            guard word.hasPrefix("=?utf-8?B?"), word.hasSuffix("?=") else { return Array(word.utf8) }
            return Base64.decode(word.dropFirst(10).dropLast(2)) ?? []
        }
        #expect(String(decoding: bytes, as: UTF8.self) == title)
    }

    @Test("a push message is bounded, has no line end in its fields, and the same topic if it is sent again")
    func push() throws {
        let message = self.message("a\nb", String(repeating: "\u{20AC}", count: 5000))
        let request = message.push(to: "https://ntfy.example.org/topic")
        #expect(request.method == "POST" && request.url == "https://ntfy.example.org/topic")
        #expect(request.body.count <= 3003 && String(validating: request.body, as: UTF8.self) != nil)
        #expect(request.headers.fields.allSatisfy { !$0.value.contains(where: \.isNewline) })
        #expect(request.headers["Topic"] == "0123456789abcdef0123456789abcdef")
        #expect(request.headers["TTL"] == "86400" && request.isOnce)
    }
}
