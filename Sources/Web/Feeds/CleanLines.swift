import ICalendar

extension [ContentLine] {
    /// The lines as they go on the wire, folded and ended with CRLF.
    var wire: [UInt8] { self.flatMap { $0.bytes() } }
}

extension Component {
    /// The component in lines that every reader takes: what could not be read here is left out.
    ///
    /// A subscriber such as Google drops the whole calendar for one bad line, and the reminders of everybody else with
    /// it. The text in the store stays as it was received.
    var cleanLines: [ContentLine] {
        var lines = [ContentLine(.begin, value: self.name.wire)]
        for property in self.properties {
            lines.append(ContentLine(property.name, property.parameters, value: property.value.withoutControls))
        }
        for inner in self.components { lines += inner.cleanLines }
        return lines + [ContentLine(.end, value: self.name.wire)]
    }
}

extension String {
    /// Without the control characters that no content line may hold (RFC 5545 §3.1, `CONTROL`).
    var withoutControls: String {
        guard self.utf8.contains(where: \.isControl) else { return self }
        return String(decoding: self.utf8.filter { !$0.isControl }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
