import RemindavJSON

extension ICalendarDocument {
    /// Writes the stream as jCal (RFC 7265), in pieces.
    ///
    /// One top-level component becomes a jCal array, and several become an array of jCal arrays. Unreadable lines are
    /// not written: see ``issues``. A value that is invalid for its type has the type `unknown` and its original text.
    ///
    /// - Parameter write: receives each piece, encoded as UTF-8.
    public func writeJCal(_ write: ([UInt8]) throws -> Void) rethrows {
        try self.writeJSON(isArray: self.components.count != 1, { $0.jCalHead($1) }, tail: "]", write)
    }

    /// Writes the stream as an array of objects with `component`, `properties` and `components`, in pieces.
    ///
    /// The keys of `properties` are property names in small letters. Each key has an array with one object (`type`,
    /// `value`, `parameters`) per line. Values are written as in jCal. `value` is an array if there are several values.
    package func writePlainJSON(_ write: ([UInt8]) throws -> Void) rethrows {
        try self.writeJSON(isArray: true, { $0.plainHead($1) }, tail: "}", write)
    }

    /// `head` writes a component's JSON up to its list of inner components; `tail` is the JSON text after that list.
    private func writeJSON(
        isArray: Bool,
        _ head: (inout JSONWriter, Component) -> Void,
        tail: String,
        _ write: ([UInt8]) throws -> Void
    ) rethrows {
        var writer = JSONWriter()
        if isArray { writer.raw("[\n") }
        for (index, component) in self.components.enumerated() {
            if index > 0 { writer.raw(",\n") }
            head(&writer, component)
            writer.raw("[")
            var isFirst = true
            for inner in component.components {
                writer.raw(isFirst ? "\n" : ",\n")
                isFirst = false
                writer.component(inner, head, tail)
                if let piece = writer.removePiece() { try write(piece) }
            }
            writer.raw(isFirst ? "]" : "\n]")
            writer.raw(tail)
        }
        writer.raw(isArray ? "\n]\n" : "\n")
        if let piece = writer.removePiece(atLeast: 1) { try write(piece) }
    }
}

extension JSONWriter {
    /// Writes a component and its inner components; ``ParseLimits/depth`` limits the recursion.
    fileprivate mutating func component(_ component: Component, _ head: (inout Self, Component) -> Void, _ tail: String)
    {
        head(&self, component)
        self.array(component.components) { $0.component($1, head, tail) }
        self.raw(tail)
    }

    /// `["vtodo", [properties], ` (RFC 7265 §3.3).
    fileprivate mutating func jCalHead(_ component: Component) {
        self.raw("[")
        self.string(component.name.wire.lowercased())
        self.raw(", ")
        self.array(component.properties) { $0.jCalProperty($1) }
        self.raw(", ")
    }

    /// `["summary", {}, "text", "Buy milk"]` (RFC 7265 §3.4).
    private mutating func jCalProperty(_ property: Property) {
        let value = JCalValue(property)
        self.raw("[")
        self.string(property.name.wire.lowercased())
        self.raw(", ")
        self.parameters(property, type: value.type)
        self.raw(", ")
        self.string(value.type)
        self.raw(", ")
        if value.shape == .structured {
            self.array(value.values) { $0.value($1) }
        } else {
            for (index, element) in value.values.enumerated() {
                if index > 0 { self.raw(", ") }
                self.value(element)
            }
        }
        self.raw("]")
    }

    /// `{"component": "vtodo", "properties": {…}, "components": `.
    fileprivate mutating func plainHead(_ component: Component) {
        self.raw(#"{"component": "#)
        self.string(component.name.wire.lowercased())
        self.raw(#", "properties": "#)
        self.object(component.properties, by: \.name) { writer, lines in writer.array(lines) { $0.plainProperty($1) } }
        self.raw(#", "components": "#)
    }

    /// `{"type": "text", "value": "Buy milk", "parameters": {}}`.
    private mutating func plainProperty(_ property: Property) {
        let value = JCalValue(property)
        self.raw(#"{"type": "#)
        self.string(value.type)
        self.raw(#", "value": "#)
        if value.shape == .single { self.value(value.values[0]) } else { self.array(value.values) { $0.value($1) } }
        self.raw(#", "parameters": "#)
        self.parameters(property, type: value.type)
        self.raw("}")
    }
}
