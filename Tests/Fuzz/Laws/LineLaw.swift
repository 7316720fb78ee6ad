import RemindavICalendar

/// Content lines (RFC 5545 §3.1, §3.2).
enum LineLaw {
    static let begin = Array("BEGIN:VTODO\r\n".utf8)
    static let end = Array("\r\nEND:VTODO\r\n".utf8)

    static func check(_ input: [UInt8]) throws(BrokenLaw) {
        let document = ICalendarDocument(self.begin + input + self.end)
        try demandEqual(document.bytes, self.begin + input + self.end, "the bytes are kept")
        var last = 0
        for property in everyProperty(of: document).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            try demand(property.range.lowerBound >= last, "line \(property.line) begins inside the one before")
            last = property.range.upperBound
            try self.check(property, in: document)
        }
        try demand(last <= document.bytes.count, "a line ends after the end")
        for issue in document.issues {
            try demand(issue.line >= 1, "an issue has a line")
            try demand(!issue.description.isEmpty, "an issue has words")
        }
    }

    private static func check(_ property: Property, in document: ICalendarDocument) throws(BrokenLaw) {
        try demandEqual(property.bytes, document.bytes[property.range], "line \(property.line): bytes and range")
        try demand(!property.name.wire.isEmpty, "line \(property.line) has a name")
        try demandEqual(Array(property.content), self.unfolding(property), "line \(property.line): unfolded")
        for parameter in property.parameters {
            try demand(!parameter.values.isEmpty, "line \(property.line): \(parameter.name) has a value")
        }
        // Each lookup reads all parameters, so only some of them are tested.
        for parameter in property.parameters.prefix(8) {
            try demand(property.parameter(parameter.name) != nil, "line \(property.line): \(parameter.name) is found")
        }
        _ = property.text
        _ = property.textList
        _ = property.integer
        _ = property.moment
        try self.checkWriting(property)
    }

    /// A line that is written again and read has the same content.
    private static func checkWriting(_ property: Property) throws(BrokenLaw) {
        let line = ContentLine(property.name, property.parameters, value: property.value)
        let bytes = line.bytes()
        try self.checkFolds(bytes)
        let again = ICalendarDocument(self.begin + bytes + self.end).components.first?.properties ?? []
        try demandEqual(again.count, 1, "line \(property.line): written \(show(bytes)) it is one line")
        try demandEqual(again[0].name, property.name, "line \(property.line): its name, written")
        // Without its control characters a parameter may determine the form of the value.
        if property.parameters == property.parameters.map(self.visible) {
            try demandEqual(again[0].value, property.value, "line \(property.line): its value, written")
        }
        try demandEqual(again[0].parameters, property.parameters.map(self.visible), "its parameters, written")
    }

    /// Removes control characters, which a parameter must not contain (RFC 5545 §3.1).
    ///
    /// Writing removes them too.
    private static func visible(_ parameter: Parameter) -> Parameter {
        Parameter(
            parameter.name,
            parameter.values.map { value in
                String(
                    String.UnicodeScalarView(
                        value.unicodeScalars.filter {
                            $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F
                        }
                    )
                )
            }
        )
    }

    /// No part is longer than 75 octets, and none begins inside a UTF-8 letter (RFC 5545 §3.1).
    private static func checkFolds(_ bytes: [UInt8]) throws(BrokenLaw) {
        var parts = bytes.split(separator: 0x0A)
        for (index, part) in parts.enumerated() {
            try demand(part.count <= 76, "a physical line has \(part.count) octets")
            if index > 0 { try demand(part.first == 0x20, "a fold begins with a blank") }
        }
        parts.removeAll { String(validating: $0, as: UTF8.self) != nil }
        try demand(parts.isEmpty, "a fold cuts a letter: \(show(bytes))")
    }

    /// Unfolds the physical lines of a content line.
    ///
    /// A line with a blank at its start continues the line before (§3.1), and so does a line after `=` in quoted-printable
    /// (RFC 2045 §6.7). Any other line is the rest of a text with raw line ends.
    private static func unfolding(_ property: Property) -> [UInt8] {
        var lines = property.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        for index in lines.indices where lines[index].last == 0x0D { lines[index].removeLast() }
        let equals = UInt8(ascii: "=")
        let isSoft = (lines[0].last == equals || lines.last?.last == equals) && self.isQuotedPrintable(property)
        var result = lines[0]
        var isBlank = false
        for line in lines.dropFirst() {
            if isSoft, result.last == equals, !self.isFoldInEscape(line) {
                result.removeLast()
                result += line
            } else if !isBlank, line.first == 0x20 || line.first == 0x09 {
                result += line.dropFirst()
            } else {
                // Only texts with several lines may have raw line ends, and a line of another property is no part of
                // them.
                guard !isSoft, self.texts.contains(property.name.canonical), !self.isProperty(line) else { return [] }
                result += Array("\\n".utf8) + line
            }
            isBlank = line.isEmpty
        }
        while isSoft, result.last == equals { result.removeLast() }
        return result
    }

    private static let texts: Set<String> = ["SUMMARY", "DESCRIPTION", "COMMENT", "LOCATION", "CONTACT"]

    private static func isProperty(_ line: [UInt8]) -> Bool {
        let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return name.utf8.count < line.count && ["BEGIN", "END", "DUE", "UID", "SUMMARY", "RRULE"].contains(name)
    }

    private static func isQuotedPrintable(_ property: Property) -> Bool {
        property.parameters.contains {
            $0.name.canonical == "ENCODING" && $0.values[0].uppercased() == "QUOTED-PRINTABLE"
        }
            || String(decoding: property.content.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
                .split(separator: ";").contains("QUOTED-PRINTABLE")
    }

    private static func isFoldInEscape(_ line: [UInt8]) -> Bool {
        line.count > 2 && (line[0] == 0x20 || line[0] == 0x09)
            && line[1...2].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}

/// Every property of every component, however deep.
func everyProperty(of document: ICalendarDocument) -> [Property] {
    everyComponent(of: document).flatMap(\.properties)
}

/// Every component, however deep.
func everyComponent(of document: ICalendarDocument) -> [Component] {
    var found: [Component] = []
    var open = document.components
    while let component = open.popLast() {
        found.append(component)
        open += component.components
    }
    return found
}
