import RemindavJSON

/// The JSON values of one property (RFC 7265 §3.4, §3.6).
struct JCalValue {
    enum Shape {
        case single
        case list
        /// One value that consists of several fields, as in GEO and REQUEST-STATUS (RFC 7265 §3.4.1.3).
        case structured
    }

    let type: String
    let values: [PropertyValue]
    let shape: Shape

    /// If the type is unknown, or the value is invalid for its type, the value is the original text (RFC 7265 §5.1).
    init(_ property: Property) {
        if property.hasKnownType, let values = try? property.values(), !values.isEmpty {
            self.type = property.valueType.wire.lowercased()
            self.values = values
        } else {
            self.type = "unknown"
            self.values = [.unknown(property.value)]
        }
        self.shape =
            switch property.definition?.separator ?? .single {
            case _ where self.type == "unknown": .single
            case .single: self.values.count > 1 ? .list : .single
            case .comma: .list
            case .semicolon: self.values.count > 1 ? .structured : .single
            }
    }
}

extension Property {
    fileprivate var hasKnownType: Bool {
        if self.parameter(.value) != nil { return true }
        return self.definition != nil && !self.name.canonical.hasPrefix("X-")
    }
}

extension JSONWriter {
    mutating func value(_ value: PropertyValue) {
        switch value {
        case .binary(let bytes): self.string(BinaryValue.encode(bytes))
        case .boolean(let isTrue): self.raw(isTrue ? "true" : "false")
        case .date(let date): self.string(date.description)
        case .dateTime(let dateTime): self.string(dateTime.description)
        case .duration(let duration): self.string(duration.wire)
        case .float(let number): self.raw(FloatValue.wire(number))
        case .integer(let number): self.raw(String(number))
        case .period(let period):
            self.array([period.start.description, period.extent.text]) { $0.string($1) }
        case .recur(let rule): self.rule(rule)
        case .time(let time): self.string(time.time.description + (time.zone == .utc ? "Z" : ""))
        case .utcOffset(let offset): self.string(offset.textWithColons)
        case .calAddress(let text), .text(let text), .uri(let text), .uid(let text), .xmlReference(let text),
            .unknown(let text):
            self.string(text)
        }
    }

    /// Writes the parameters except VALUE, and ENCODING of a `binary` value; a repeated parameter becomes one list.
    mutating func parameters(_ property: Property, type: String) {
        let parameters = property.parameters.filter {
            $0.name != .value && !(type == "binary" && $0.name == .encoding)
        }
        self.object(parameters, by: \.name) { writer, parameters in
            let values = parameters.flatMap(\.values)
            if values.count == 1 { writer.string(values[0]) } else { writer.array(values) { $0.string($1) } }
        }
    }

    /// Writes an object with a member for each name, in small letters; `write` gets all elements of the name.
    mutating func object<Element>(
        _ elements: [Element],
        by name: (Element) -> Name,
        _ write: (inout Self, [Element]) -> Void
    ) {
        var names: [String] = []
        var groups: [String: [Element]] = [:]
        for element in elements {
            let name = name(element).wire.lowercased()
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(element)
        }
        self.raw("{")
        for (index, name) in names.enumerated() {
            if index > 0 { self.raw(", ") }
            self.string(name)
            self.raw(": ")
            write(&self, groups[name] ?? [])
        }
        self.raw("}")
    }

    /// Writes a rule as an object; a part with several values becomes an array (RFC 7265 §3.6.10, RFC 7529 §4).
    private mutating func rule(_ rule: RecurrenceRule) {
        self.raw(#"{"freq": "\#(rule.frequency.wire)""#)
        if let rscale = rule.rscale { self.member("rscale", [rscale]) { $0.string($1) } }
        if let until = rule.until { self.member("until", [until.description]) { $0.string($1) } }
        self.member("count", rule.count.map { [$0] } ?? []) { $0.raw(String($1)) }
        self.member("interval", rule.interval == 1 ? [] : [rule.interval]) { $0.raw(String($1)) }
        for part in RecurrenceRule.parts {
            guard case .numbers(_, _, let get, _) = part.values else { continue }
            self.member(part.name.lowercased(), get(rule)) { $0.raw(String($1)) }
        }
        self.member("byday", rule.byDay) { $0.string($1.wire) }
        self.member("bymonth", rule.byMonth.map { ($0, false) } + rule.byLeapMonth.map { ($0, true) }) {
            if $1.1 { $0.string("\($1.0)L") } else { $0.raw(String($1.0)) }
        }
        if rule.weekStart != .monday { self.member("wkst", [rule.weekStart.wire]) { $0.string($1) } }
        if rule.skip != .omit { self.member("skip", [rule.skip.rawValue]) { $0.string($1) } }
        // A JSON object must not contain a name twice, so the values of a repeated part become one list.
        var parts = Dictionary(grouping: rule.unknownParts) { $0.name.lowercased() }
        for part in rule.unknownParts {
            let name = part.name.lowercased()
            self.member(name, parts.removeValue(forKey: name)?.map(\.value) ?? []) { $0.string($1) }
        }
        self.raw("}")
    }

    private mutating func member<Element>(
        _ name: String,
        _ elements: [Element],
        _ write: (inout Self, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.raw(", ")
        self.string(name)
        self.raw(": ")
        if elements.count == 1 { write(&self, elements[0]) } else { self.array(elements, write) }
    }
}

extension Period.Extent {
    fileprivate var text: String {
        switch self {
        case .until(let end): end.description
        case .lasting(let duration): duration.wire
        }
    }
}

extension UTCOffset {
    /// `-05:00`, `+00:53:28` (RFC 7265 §3.6.14).
    fileprivate var textWithColons: String {
        let wire = self.wire
        let sign = wire.prefix(1)
        let digits = Array(wire.dropFirst())
        let pairs = stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<min($0 + 2, digits.count)]) }
        return sign + pairs.joined(separator: ":")
    }
}
