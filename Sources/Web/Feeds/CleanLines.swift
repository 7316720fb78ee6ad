import RemindavICalendar

extension [UInt8] {
    mutating func append(_ line: ContentLine) { line.append(to: &self) }
}

extension [ContentLine] {
    /// The lines as bytes, folded and terminated with CRLF.
    var wire: [UInt8] { self.reduce(into: []) { $0.append($1) } }
}

extension Component {
    /// The lines without control characters; Google and others reject a whole calendar because of one invalid line.
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
    /// The text without control characters, which a content line must not contain (RFC 5545 §3.1, `CONTROL`).
    var withoutControls: String {
        guard self.utf8.contains(where: \.isControl) else { return self }
        return String(decoding: self.utf8.filter { !$0.isControl }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
