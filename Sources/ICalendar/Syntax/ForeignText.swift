extension ParseIssue {
    /// Describes why a stream without components is not iCalendar, based on its beginning.
    package init(notICalendar bytes: [UInt8]) {
        let text = ForeignText(bytes)
        if bytes.isUTF16 {
            // Without its byte order mark a converter would have to guess the byte order.
            let isMarked = bytes[0] >= 0xFE
            self.init(.utf16, line: 1, detail: isMarked ? nil : bytes[0] == 0 ? "UTF-16BE" : "UTF-16LE")
        } else if text.isEmpty {
            self.init(.emptyFile, line: 1)
        } else if bytes.hasDoubledReturns {
            self.init(.doubledReturn, line: 1)
        } else if let wrapping = text.wrapping {
            self.init(.wrappedCalendar, line: 1, detail: wrapping)
        } else {
            self.init(.notICalendar, line: 1, detail: text.kind)
        }
    }
}

extension [UInt8] {
    /// Whether the first line ends with CR CR LF.
    fileprivate var hasDoubledReturns: Bool {
        guard let end = self.firstIndex(of: 0x0A), end >= 2 else { return false }
        return self[end - 1] == 0x0D && self[end - 2] == 0x0D
    }
}

/// The beginning of a stream that is not iCalendar.
private struct ForeignText {
    /// In capitals, without blanks at the beginning.
    private let beginning: [UInt8]
    /// The unchanged beginning.
    private let lines: [ArraySlice<UInt8>]

    /// The number of inspected bytes: more than a mail has before a calendar.
    private static let length = 16_384

    init(_ bytes: [UInt8]) {
        let head = Array(bytes.prefix(Self.length))
        let start = head.span.startsWithByteOrderMark ? 3 : 0
        self.beginning = head[start...].drop { $0.isFold || $0 == 0x0A || $0 == 0x0D }.map(\.capital)
        self.lines = head[start...].split { $0 == 0x0A || $0 == 0x0D }
    }

    var isEmpty: Bool { self.beginning.isEmpty }

    /// The detected format; `nil` when unknown.
    var kind: String? { Self.kinds.first { self.beginning.starts(with: $0.beginning) }?.name }

    // Formats by their beginnings, the more specific ones first.
    private static let kinds: [(beginning: [UInt8], name: String)] = [
        (Array("<!DOCTYPE HTML".utf8), "a web page; perhaps you must sign in where it was fetched"),
        (Array("<HTML".utf8), "a web page; perhaps you must sign in where it was fetched"),
        (Array("<".utf8), "XML or a web page"),
        (Array("BEGIN:VCARD".utf8), "a vCard: contacts, and no calendar"),
        (Array("[\"VCALENDAR\"".utf8), "jCal, the JSON form of iCalendar"),
        (Array("[".utf8), "JSON"),
        (Array("{".utf8), "JSON"),
        (Array("PK".utf8) + [3, 4], "a ZIP archive; there may be a calendar in it"),
        ([0x1F, 0x8B], "a file compressed with gzip; there may be a calendar in it"),
        (Array("%PDF".utf8), "a PDF document"),
    ]

    /// The wrapping around an embedded calendar; `nil` without one.
    var wrapping: String? {
        let begin = Array("BEGIN:VCALENDAR".utf8)
        for line in self.lines {
            let text = line.drop(while: \.isFold)
            let quoted = text.drop { $0 == UInt8(ascii: ">") || $0.isFold }
            if quoted.prefix(begin.count).map(\.capital) == begin {
                if quoted.dropFirst(begin.count).first == UInt8(ascii: "\\") {
                    return "its line ends are written as \\r\\n"
                }
                if quoted.startIndex > text.startIndex { return "its lines begin with '>'" }
                if text.startIndex > line.startIndex { return "its lines are indented" }
            }
            // BEGIN:VCALENDAR in base64.
            if text.starts(with: "QkVHSU46VkNBTEVOREFS".utf8) { return "it is in base64" }
        }
        return nil
    }
}
