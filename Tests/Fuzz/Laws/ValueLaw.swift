import RemindavICalendar

/// Values of every type (RFC 5545 §3.3): the first byte of the input chooses the reader, the rest is the value.
public enum ValueLaw {
    /// One way to read a value.
    ///
    /// Its function returns whether the value is valid, and throws if a valid value breaks a law.
    struct Reader: Sendable {
        let name: String
        let read: @Sendable (_ wire: String) throws(BrokenLaw) -> Bool
    }

    /// The names of the readers, by the byte that chooses them.
    public static var names: [String] { self.readers.map(\.name) }

    /// Returns the reader that an input selects, and whether the input is a valid value.
    public static func visit(_ input: [UInt8]) throws(BrokenLaw) -> (reader: Int, isValue: Bool)? {
        guard let first = input.first else { return nil }
        let index = Int(first) % self.readers.count
        return (index, try self.readers[index].read(String(decoding: input.dropFirst(), as: UTF8.self)))
    }

    static func check(_ input: [UInt8]) throws(BrokenLaw) { _ = try self.visit(input) }

    // New readers must be added at the end: the corpora refer to them by number.
    static let readers: [Reader] =
        [
            Self.same("date", { CalendarDate(wire: $0) }, { $0.wire }),
            Self.same("date-time", { CalendarDateTime(wire: $0, tzid: nil) }, { $0.wire }),
            Self.same("moment in a zone", { CalendarDateOrDateTime(wire: $0, tzid: "Europe/Berlin") }, { $0.wire }),
            Self.same("duration", { CalendarDuration(wire: $0) }, { $0.wire }),
            Self.same("instant", { Instant(wire: $0) }, { $0.wire }),
            Self.same("integer", { IntegerValue.parse($0) }, { String($0) }),
            Self.same("UTC offset", { UTCOffset(wire: $0) }, { $0.wire }),
            Self.same("weekday", { Weekday(wire: $0) }, { $0.wire }),
            Self.same("trigger", { Trigger(wire: $0, related: "END") }, { $0.wire }),
            Self.same("rule", { try? RecurrenceRule(wire: $0) }, { $0.wire }),
            Reader(name: "text", read: Self.checkText),
            Reader(name: "RFC 3339", read: Self.checkRFC3339),
            Reader(name: "name", read: Self.checkName),
        ] + Self.types.map(Self.property)

    private static let types = [
        "BINARY", "BOOLEAN", "CAL-ADDRESS", "DATE", "DATE-TIME", "DURATION", "FLOAT", "INTEGER", "PERIOD", "RECUR",
        "TEXT",
        "TIME", "URI", "UTC-OFFSET", "UID", "XML-REFERENCE", "X-OTHER",
    ]

    /// The values of a property of that type: written as a line and read again they are the same.
    private static func property(_ type: String) -> Reader {
        Reader(name: "VALUE=\(type)") { wire throws(BrokenLaw) in
            let value = String(String.UnicodeScalarView(wire.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }))
            let line = "X-A;VALUE=\(type);TZID=Europe/Berlin:\(value)"
            guard let values = self.values(Array("\(line)\r\n".utf8)) else { return false }
            // An empty value is written as an empty text.
            guard values.contains(where: { !$0.wire.isEmpty }) else { return false }
            // The name of an unknown type must be written again.
            let own = type == "X-OTHER" ? [Parameter(.value, type)] : []
            let written = ContentLine(.xA, own, values: values).bytes()
            guard let again = self.values(written) else {
                throw BrokenLaw(description: "\(show(line)) is written as \(show(written)) and cannot be read")
            }
            try demandEqual(again.map(self.visible), values.map(self.visible), "\(show(line)) and \(show(written))")
            return true
        }
    }

    private static func values(_ line: [UInt8]) -> [PropertyValue]? {
        let document = ICalendarDocument(LineLaw.begin + line + LineLaw.end)
        return try? document.components.first?.properties.first?.values()
    }

    private static func visible(_ value: PropertyValue) -> PropertyValue {
        switch value {
        case .text(let text): .text(self.visible(text))
        case .uid(let text): .uid(self.visible(text))
        default: value
        }
    }

    /// A value that is read, written and read again stays the same.
    private static func same<Value: Equatable & Sendable>(
        _ name: String,
        _ read: @escaping @Sendable (String) -> Value?,
        _ write: @escaping @Sendable (Value) -> String
    ) -> Reader {
        Reader(name: name) { wire throws(BrokenLaw) in
            guard let value = read(wire) else { return false }
            let written = write(value)
            try demandEqual(read(written), value, "\(name) \(show(wire)) and what it is written as, \(show(written))")
            try demandEqual(read(written).map(write), written, "\(name) \(show(wire)), written twice and once")
            return true
        }
    }

    private static func checkText(_ wire: String) throws(BrokenLaw) -> Bool {
        let text = TextValue.unescape(wire)
        let again = TextValue.unescape(TextValue.escape(text))
        try demandEqual(again, self.visible(text), "a text and what it is written as")
        let list = TextValue.split(wire)
        try demand(!list.isEmpty, "a list holds one text at least")
        try demandEqual(
            TextValue.split(TextValue.join(list)),
            list.map(self.visible),
            "a list and what it is written as"
        )
        return true
    }

    /// A text as it can be written: line ends of one kind, no control characters (RFC 5545 §3.1).
    private static func visible(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\r" { scalars.append("\n") }
            if scalar == "\n", !isAfterReturn { scalars.append("\n") }
            if scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F { scalars.append(scalar) }
        }
        return String(scalars)
    }

    private static func checkRFC3339(_ text: String) throws(BrokenLaw) -> Bool {
        guard let (instant, offset) = RFC3339.parse(text) else { return false }
        let written = RFC3339.string(from: instant, offset: offset)
        // Writing limits a moment that the offset moves out of the years 1 to 9999.
        let shown = CalendarDateTime(utc: instant.adding(seconds: offset.seconds))
        guard shown.localSeconds == instant.adding(seconds: offset.seconds).secondsSince1970 else { return true }
        try demandEqual(RFC3339.parse(written)?.instant, instant, "\(show(text)) and \(show(written))")
        return true
    }

    private static func checkName(_ wire: String) throws(BrokenLaw) -> Bool {
        guard let name = Name(wire) else { return false }
        try demandEqual(name.wire, wire, "a name keeps its spelling")
        try demandEqual(Name(wire.lowercased()), name, "a name in small letters")
        try demandEqual(Name(name.canonical), name, "a name in capitals")
        return true
    }
}

extension Name {
    fileprivate static let xA = Name("X-A") ?? .summary
}
