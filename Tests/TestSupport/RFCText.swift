/// A component or a few lines of a standard's text, from `Fixtures/rfc`.
public struct RFCText: CustomStringConvertible, Sendable {
    /// The section that has it.
    public let section: String
    /// The words after the section: the findings of `ics check`, in order.
    public let findings: [String]
    /// Its lines, folded as in the text, without line ends.
    public let lines: [String]
    /// The section and its first line.
    public var description: String { "\(self.section) \(self.lines.first ?? "")" }

    private init?(_ block: [Substring]) {
        let text = block.filter { !$0.hasPrefix("#") }
        guard let head = text.first, head.hasPrefix("=== ") else { return nil }
        let words = head.split(separator: " ")
        self.section = String(words[1])
        self.findings = words.dropFirst(2).map(String.init)
        self.lines = text.dropFirst().map(String.init)
    }

    /// The examples of `Fixtures/rfc/‹name›.txt`.
    public static func all(_ name: String) throws -> [RFCText] {
        try Fixture.text("rfc/\(name).txt").split(separator: "\n", omittingEmptySubsequences: false)
            .split { $0.isEmpty }.compactMap { RFCText(Array($0)) }
    }

    /// The text in a whole calendar: an alarm in a to-do, other lines in an event.
    public var calendar: String {
        let first = self.lines.first ?? ""
        var lines = self.lines
        if let parent = first.hasPrefix("BEGIN:") ? Self.parents[first] : "VEVENT" {
            let start = ["DTSTART:19970101T000000Z"] + (parent == "VTODO" ? ["DUE:19970102T000000Z"] : [])
            lines = ["BEGIN:\(parent)", "UID:t", "DTSTAMP:19970101T000000Z"] + start + lines + ["END:\(parent)"]
        }
        if first != "BEGIN:VCALENDAR" {
            lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN"] + lines + ["END:VCALENDAR"]
        }
        return lines.map { "\($0)\r\n" }.joined()
    }

    private static let parents = [
        "BEGIN:VALARM": "VTODO", "BEGIN:PARTICIPANT": "VEVENT", "BEGIN:VLOCATION": "VEVENT",
        "BEGIN:VRESOURCE": "VEVENT",
    ]
}
