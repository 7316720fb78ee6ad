/// A content line to write (RFC 5545 §3.1).
public struct ContentLine: Hashable, Sendable {
    /// The name of the property.
    public var name: Name
    /// The parameters, in the order in which they are written.
    public var parameters: [Parameter]
    /// The value in wire form, escapes included.
    public var value: String

    /// Creates a line with a value in wire form.
    public init(_ name: Name, _ parameters: [Parameter] = [], value: String) {
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// Creates a line with a TEXT value (RFC 5545 §3.3.11).
    public init(_ name: Name, _ parameters: [Parameter] = [], text: String) {
        self.init(name, parameters, value: TextValue.escape(text))
    }

    /// Creates a line with a date or a date-time; VALUE and TZID are added as needed.
    public init(_ name: Name, moment: CalendarDateOrDateTime) {
        var parameters = moment.isDate ? [Parameter(.value, "DATE")] : []
        if let zone = PropertyValue(moment).zoneName { parameters.append(Parameter(.tzid, zone)) }
        self.init(name, parameters, value: moment.wire)
    }

    /// The folded line in wire form, with `lineEnd` after each physical line.
    public func bytes(lineEnd: [UInt8] = [0x0D, 0x0A]) -> [UInt8] {
        var bytes: [UInt8] = []
        self.append(to: &bytes, lineEnd: lineEnd)
        return bytes
    }

    package func append(to bytes: inout [UInt8], lineEnd: [UInt8] = [0x0D, 0x0A]) {
        let start = bytes.count
        self.appendUnfolded(to: &bytes)
        if bytes.count - start > Self.foldOctets {
            let line = Array(bytes[start...])
            bytes.removeSubrange(start...)
            Self.fold(line[...], lineEnd: lineEnd, into: &bytes)
        } else {
            bytes += lineEnd
        }
    }

    var unfolded: [UInt8] {
        var bytes: [UInt8] = []
        self.appendUnfolded(to: &bytes)
        return bytes
    }

    private func appendUnfolded(to bytes: inout [UInt8]) {
        bytes += self.name.wire.utf8
        for parameter in self.parameters {
            bytes += ";\(parameter.name.wire)=\(parameter.values.map(Self.encode).joined(separator: ","))".utf8
        }
        bytes.append(UInt8(ascii: ":"))
        bytes += self.value.utf8
    }

    /// The largest number of octets in a physical line, without its line end (RFC 5545 §3.1).
    static let foldOctets = 75

    /// Folds a line so that no physical line is longer than 75 octets and no UTF-8 character is split.
    package static func fold(_ line: [UInt8], lineEnd: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count + line.count / 24 + 2)
        self.fold(line[...], lineEnd: lineEnd, into: &result)
        return result
    }

    static func fold(_ line: ArraySlice<UInt8>, lineEnd: [UInt8], into result: inout [UInt8]) {
        var rest = line
        var room = self.roomBeforeFold(line)
        while rest.count > room {
            var end = rest.startIndex + room
            // In UTF-8, at most three continuation bytes follow the first byte of a character.
            while rest.startIndex + room - end < 3, rest[end] & 0xC0 == 0x80 { end -= 1 }
            result += rest[..<end]
            result += lineEnd
            result.append(0x20)
            rest = rest[end...]
            room = self.foldOctets - 1
        }
        result += rest
        result += lineEnd
    }

    /// The number of octets before the first fold; in quoted-printable, `=` before a fold would be a soft line break.
    private static func roomBeforeFold(_ line: ArraySlice<UInt8>) -> Int {
        let last = line.startIndex + self.foldOctets - 1
        guard line.count > self.foldOctets, line[last] == UInt8(ascii: "="),
            let head = LineScanner.head(line.span, 0, 0x0A, NameTable.standard),
            line.prefix(head.value - 1).declaresQuotedPrintable
        else { return self.foldOctets }
        return self.foldOctets - line[...last].reversed().prefix { $0 == UInt8(ascii: "=") }.count
    }

    /// Encodes a parameter value: carets are escaped, and quotes are added if needed (RFC 5545 §3.2, RFC 6868 §3.1).
    private static func encode(_ value: String) -> String {
        var text = ""
        var needsQuotes = false
        for scalar in value.unicodeScalars {
            switch scalar {
            case "^": text += "^^"
            case "\"": text += "^'"
            case "\n": text += "^n"
            case ":", ";", ",":
                needsQuotes = true
                text.unicodeScalars.append(scalar)
            default:
                // A parameter value cannot contain control characters, and there is no escape for them (RFC 5545 §3.1).
                if scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" { text.unicodeScalars.append(scalar) }
            }
        }
        return needsQuotes ? "\"\(text)\"" : text
    }
}
