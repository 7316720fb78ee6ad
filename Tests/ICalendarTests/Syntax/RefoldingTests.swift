import RemindavICalendar
import Testing

@Suite("folds inside a character")
struct RefoldingTests {
    @Test(
        "a fold inside a character is moved before it; everything else stays",
        arguments: [
            ("SUMMARY:plain\r\n more\r\n", "SUMMARY:plain\r\n more\r\n"),
            ("SUMMARY:gr\u{FC}n\r\n \u{FC}ber\r\n", "SUMMARY:gr\u{FC}n\r\n \u{FC}ber\r\n"),
            ("A:x|C3 \r\n |BC y\r\n", "A:x\r\n \u{FC}y\r\n"),
            ("A:|F0 |9F \n\t|98 |80 \n", "A:\n\t\u{1F600}\n"),
            ("A:|E2 |82 \r\n |AC z|C3 \r\n |A4 .\r\n", "A:\r\n \u{20AC}z\r\n \u{E4}.\r\n"),
        ]
    )
    func torn(written: String, expected: String) {
        let text = Self.bytes(written)
        let refolded = Refolding.atCharacterBoundaries(text)
        #expect(String(decoding: refolded, as: UTF8.self) == expected)
        let unfolded = { (bytes: [UInt8]) in ICalendarDocument(bytes).components.isEmpty }
        #expect(unfolded(text) == unfolded(refolded))
    }

    /// Converts `|C3 ` to the byte C3.
    private static func bytes(_ written: String) -> [UInt8] {
        let parts = written.split(separator: "|", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: Array(parts[0].utf8)) { bytes, part in
            if let byte = UInt8(part.prefix(2), radix: 16) { bytes.append(byte) }
            bytes += part.dropFirst(3).utf8
        }
    }
}
