/// A parameter of a property, decoded (RFC 5545 §3.2).
public struct Parameter: Hashable, Sendable {
    /// The name of the parameter.
    public let name: Name
    /// The values in order, without quotes and with the carets of RFC 6868 decoded; at least one.
    public let values: [String]

    /// Creates a parameter to write.
    public init(_ name: Name, _ values: [String]) {
        self.name = name
        self.values = values
    }

    /// Creates a parameter with one value to write.
    public init(_ name: Name, _ value: String) { self.init(name, [value]) }
}

/// A content line of a component (RFC 5545 §3.1); it refers to the document's bytes and decodes texts on demand.
public struct Property: Sendable {
    let storage: DocumentStorage
    let index: Int
    private var record: LineRecord { self.storage.lines[self.index] }

    /// The name of the property.
    public var name: Name { self.storage.name(self.index) }

    package var nameNumber: UInt16 { self.record.name }

    /// The number of the first physical line, from 1.
    public var line: Int { Int(self.record.number) }

    /// The unfolded text after the colon, with its escapes.
    ///
    /// Bytes that are not UTF-8 are read as Windows-1252, the usual encoding of programs that do not write UTF-8.
    public var value: String { TextDecoding.string(self.storage.value(self.index)) }

    /// The value as a decoded TEXT (RFC 5545 §3.3.11); quoted-printable of vCalendar 1.0 (Outlook) is decoded too.
    public var text: String {
        let parts = self.hasParameters ? self.parts : nil
        guard let parts, parts.parameters.declaresQuotedPrintable else { return TextValue.unescape(self.value) }
        return TextValue.unescape(TextDecoding.quotedPrintable(parts.value))
    }

    /// The value as a list of decoded TEXT values, split at the commas that are not escaped.
    public var textList: [String] { TextValue.split(self.value) }

    /// The value as an INTEGER (RFC 5545 §3.3.8); `nil` for any other value.
    public var integer: Int? { IntegerValue.parse(self.value.trimmingSpaces) }

    package var definition: PropertyDefinition? {
        PropertyDefinition.byNumber[Int(self.record.name)]
    }

    /// The physical bytes, folds and line end included, exactly as received.
    public var bytes: ArraySlice<UInt8> { self.storage.source[self.range] }

    /// The position of ``bytes`` in the bytes of the document.
    public var range: Range<Int> { self.storage.range(self.index) }
    package var content: ArraySlice<UInt8> { self.storage.content(self.index) }

    /// Whether the property has any parameter.
    public var hasParameters: Bool { self.record.flags.contains(.hasParameters) }

    /// The parameters, in order; unreadable ones are left out.
    public var parameters: [Parameter] {
        self.hasParameters ? self.parameterReading.parameters : []
    }

    /// The parameters, whether one of them is unreadable, and whether there are forbidden blanks.
    var parameterReading: (parameters: [Parameter], hasFailed: Bool, hasBlanks: Bool) {
        var reader = ParameterReader(self.parameterBytes)
        let parameters = reader.readAll()
        return (parameters, reader.hasFailed, reader.hasBlanks)
    }

    var hasUnreadableParameters: Bool { self.hasParameters && self.parameterReading.hasFailed }
    private var parameterBytes: ArraySlice<UInt8> { self.parts.parameters }

    /// The parameters and the value, from one unfolding of the line.
    var parts: (parameters: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let content = self.content
        let value = content.startIndex + Int(self.record.value)
        return (content[..<(value - 1)].drop { $0 != UInt8(ascii: ";") }, content[value...])
    }

    /// The first value of a parameter; `nil` when there is no such parameter.
    public func parameter(_ name: Name) -> String? {
        guard self.hasParameters else { return nil }
        return self.parameters.first { $0.name == name }?.values.first
    }

    /// The value as a date or a date-time, with the time zone of TZID (RFC 5545 §3.3.4, §3.3.5), or `nil`.
    public var moment: CalendarDateOrDateTime? {
        CalendarDateOrDateTime(wire: self.value.trimmingSpaces, tzid: self.parameter(.tzid))
    }
}

/// Parses the parameters of one line (RFC 5545 §3.1, §3.2); each method parses the ABNF rule above it.
struct ParameterReader {
    private var rest: ArraySlice<UInt8>
    private(set) var hasFailed = false
    private(set) var hasBlanks = false

    init(_ bytes: ArraySlice<UInt8>) { self.rest = bytes }

    mutating func readAll() -> [Parameter] {
        var result: [Parameter] = []
        while self.skip(";") {
            if let parameter = self.readParameter() {
                result.append(parameter)
            } else {
                self.hasFailed = true
                self.rest = self.rest.drop { $0 != UInt8(ascii: ";") }
            }
        }
        return result
    }

    // param         = param-name "=" param-value *("," param-value)
    private mutating func readParameter() -> Parameter? {
        self.skipBlanks()
        let name = self.rest.prefix(while: \.isNameCharacter)
        self.rest = self.rest.dropFirst(name.count)
        let isSpaced = self.skipBlanks()
        guard let name = Name(String(decoding: name, as: UTF8.self)), self.skip("=") else { return nil }
        // A space after `=` belongs to the value, except if there is also a space before `=`.
        if isSpaced { self.skipBlanks() }
        var values = [self.readValue()]
        while self.skip(",") { values.append(self.readValue()) }
        return Parameter(name, values)
    }

    // param-value   = paramtext / quoted-string
    private mutating func readValue() -> String {
        if self.skip("\"") {
            let text = self.rest.prefix { $0 != UInt8(ascii: "\"") }
            self.rest = self.rest.dropFirst(text.count + 1)
            // Google writes text between a closing quote and the next separator. This text belongs to no value.
            self.rest = self.rest.drop { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
            return Self.decodingCarets(text)
        }
        let text = self.rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }
        self.rest = self.rest.dropFirst(text.count)
        return Self.decodingCarets(text)
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        guard let first = self.rest.first, first.isFold else { return false }
        self.rest = self.rest.drop(while: \.isFold)
        self.hasBlanks = true
        return true
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard self.rest.first == UInt8(ascii: character) else { return false }
        self.rest = self.rest.dropFirst()
        return true
    }

    /// Decodes `^n` as a line end, `^'` as a quote and `^^` as a caret; any other caret stays (RFC 6868 §3.1).
    static func decodingCarets(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "^")) else { return TextDecoding.string(bytes) }
        var result: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let next = bytes.index(after: position)
            let decoded: UInt8? =
                if bytes[position] == UInt8(ascii: "^"), next < bytes.endIndex {
                    switch bytes[next] {
                    case UInt8(ascii: "n"): 0x0A
                    case UInt8(ascii: "'"): UInt8(ascii: "\"")
                    case UInt8(ascii: "^"): UInt8(ascii: "^")
                    default: nil
                    }
                } else {
                    nil
                }
            result.append(decoded ?? bytes[position])
            position = decoded == nil ? next : bytes.index(after: next)
        }
        return TextDecoding.string(result[...])
    }
}

extension String {
    package var trimmingSpaces: String {
        let start = self.utf8.drop(while: \.isFold)
        guard let last = start.lastIndex(where: { !$0.isFold }) else { return "" }
        return String(start[...last]) ?? self
    }
}

extension Property {
    /// The type that VALUE names; without VALUE, the default type of the property, or TEXT.
    ///
    /// A date, a time, a period and a TRIGGER have the type that their form shows. VALUE has no influence on it:
    /// Nextcloud and Synology write days without `VALUE=DATE`, and other programs write `VALUE=DATE` with a time.
    public var valueType: ValueType {
        let reader = self.valueReader
        switch reader.form.kind {
        case .moment, .trigger:
            if let value = reader.firstValue { return value.type }
            return self.definition?.defaultType ?? reader.facts.type ?? .dateTime
        default:
            return reader.type(default: self.definition?.defaultType ?? .text)
        }
    }

    /// Every value of the property, parsed by its type.
    ///
    /// A list gives one value per element; GEO and REQUEST-STATUS give one value per field. An empty property such as
    /// `DUE:` gives no value, except if its type allows an empty value.
    ///
    /// - Throws: the error of the first unreadable value.
    public func values() throws(ValueError) -> [PropertyValue] {
        var result: [PropertyValue] = []
        try self.readValues(into: &result)
        return result
    }

    /// Appends the result of ``values()`` to `result`, so that one array can be reused for many lines.
    ///
    /// - Throws: the error of the first unreadable value.
    public func readValues(into result: inout [PropertyValue]) throws(ValueError) {
        try self.valueReader.read(into: &result)
    }

    var valueReader: ValueReader {
        let form = PropertyDefinition.forms[Int(self.nameNumber)]
        guard self.hasParameters else {
            return ValueReader(form: form, facts: ParameterFacts(), bytes: self.storage.value(self.index))
        }
        let (parameters, value) = self.parts
        return ValueReader(defaultForm: form, facts: ParameterFacts(parameters), bytes: value)
    }
}

extension ValueReader {
    init(defaultForm form: ValueForm, facts: ParameterFacts, bytes: ArraySlice<UInt8>) {
        var form = form
        if let type = facts.type {
            let kind = ValueForm.Kind(type)
            let isByForm = form.kind == .moment && kind == .moment || form.kind == .trigger
            if !isByForm { form.kind = kind }
        } else if facts.encoding == .base64, form.kind == .uri {
            // vCalendar 1.0 writes pictures without VALUE=BINARY.
            form.kind = .binary
        }
        self.init(form: form, facts: facts, bytes: bytes)
    }

    var firstValue: PropertyValue? {
        var values: [PropertyValue] = []
        try? self.read(into: &values)
        return values.first
    }

    func type(default type: ValueType) -> ValueType {
        if let named = self.facts.type { return named }
        return self.form.kind == .binary ? .binary : type
    }
}

extension ContentLine {
    /// Creates a line from typed values; VALUE, TZID and ENCODING are added as needed.
    public init(_ name: Name, _ parameters: [Parameter] = [], values: [PropertyValue]) {
        let definition = PropertyDefinition.of(name)
        var parameters = parameters
        if let first = values.first {
            if case .unknown = first {
            } else if first.type != definition.defaultType {
                parameters.append(Parameter(.value, first.type.wire))
            }
            if let zone = first.zoneName { parameters.append(Parameter(.tzid, zone)) }
            if case .binary = first { parameters.append(Parameter(.encoding, "BASE64")) }
        }
        let separator = definition.separator == .semicolon ? ";" : ","
        self.init(name, parameters, value: values.map(\.wire).joined(separator: separator))
    }
}
