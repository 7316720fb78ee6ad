package import XML

/// `C:calendar-data`: a calendar object as text (RFC 4791 §9.6).
///
/// Not trimmed. XML turns CRLF into LF (XML 1.0 §2.11).
package struct CalendarData: DAVProperty {
    package static let name = QualifiedName.calDAV("calendar-data")
    /// iCalendar text.
    package let text: String

    package init?(_ element: Element) {
        guard !element.trimmedText.isEmpty else { return nil }
        self.text = element.text
    }

    /// The text in UTF-8 with CRLF line ends.
    package var bytes: [UInt8] { Self.restoringLineEnds(Array(self.text.utf8)) }

    /// Replaces LF by CRLF in a text without any CR, as RFC 5545 §3.1 requires.
    package static func restoringLineEnds(_ data: [UInt8]) -> [UInt8] {
        guard !data.contains(0x0D) else { return data }
        var result: [UInt8] = []
        result.reserveCapacity(data.count + data.count / 24)
        var rest = data[...]
        while let end = rest.firstIndex(of: 0x0A) {
            result += rest[..<end]
            result += [0x0D, 0x0A]
            rest = rest[(end + 1)...]
        }
        result += rest
        return result
    }
}
