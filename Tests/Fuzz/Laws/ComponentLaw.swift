import RemindavICalendar

/// Components, read as a document and as a stream (RFC 5545 §3.4, §3.6).
enum ComponentLaw {
    static func check(_ input: [UInt8]) throws(BrokenLaw) {
        let document = ICalendarDocument(input)
        try self.checkTree(document)
        let whole = self.parts(of: input, chunk: max(input.count, 1))
        var numbers = InputNumbers(input)
        for chunk in [1, 2, Int.random(in: 3...80, using: &numbers), Int.random(in: 81...4096, using: &numbers)]
        where chunk < input.count {
            let cut = self.parts(of: input, chunk: chunk)
            try demandEqual(cut, whole, "in pieces of \(chunk) and whole")
        }
        try self.checkAgreement(document, whole)
    }

    /// Components lie in the stream in order, each inside its parent.
    private static func checkTree(_ document: ICalendarDocument) throws(BrokenLaw) {
        var end = 0
        for component in document.components {
            try demand(component.range.lowerBound >= end, "components at the top do not overlap")
            end = component.range.upperBound
            try demand(component.parent == nil, "a component at the top has no parent")
        }
        for component in everyComponent(of: document) {
            try demandEqual(component.bytes, document.bytes[component.range], "line \(component.line): bytes and range")
            var place = component.range.lowerBound + 1
            for inner in component.components {
                try demand(inner.range.lowerBound >= place, "line \(inner.line) begins after what was before")
                place = inner.range.upperBound
                try demandEqual(inner.parent?.line, component.line, "line \(inner.line): its parent")
            }
            try demand(place <= component.range.upperBound, "line \(component.line) ends after what is inside")
        }
        let names = Set(everyComponent(of: document).map(\.name))
        let byName = names.map { document.all($0).count }.reduce(0, +)
        try demandEqual(byName, everyComponent(of: document).count, "components by name and all")
    }

    /// For a stream without errors in its components, both readers find the same bytes with the same names.
    private static func checkAgreement(_ document: ICalendarDocument, _ parts: Parts) throws(BrokenLaw) {
        let structural: Set<ParseIssue.Code> = [
            .missingEnd, .unexpectedEnd, .tooDeep, .lineTooLong, .componentTooLarge, .badName, .unexpectedText,
        ]
        guard document.issues.allSatisfy({ !structural.contains($0.code) }), parts.issues.isEmpty else { return }
        // For the splitter, a to-do inside a to-do means that the END of the outer one is missing.
        guard parts.components.allSatisfy({ ICalendarDocument($0.bytes).components.first?.isEnded ?? false }) else {
            return
        }
        let expected = document.components.flatMap(self.cuts)
        try demandEqual(parts.components, expected, "what the splitter cuts and what the document holds")
    }

    /// The components of a calendar, or a single component without one.
    private static func cuts(_ component: Component) -> [Parts.Cut] {
        guard component.name == .vcalendar else {
            return [Parts.Cut(name: component.name, line: component.line, bytes: Array(component.bytes))]
        }
        return component.components.flatMap(self.cuts)
    }

    /// The output of a splitter, in a comparable form.
    struct Parts: Equatable {
        struct Cut: Equatable, CustomDebugStringConvertible {
            let name: Name
            let line: Int
            let bytes: [UInt8]
            var debugDescription: String { "\(self.name) \(self.line) \(show(self.bytes))" }
        }

        struct Text: Equatable, CustomDebugStringConvertible {
            let bytes: [UInt8]
            var debugDescription: String { show(self.bytes) }
        }

        var components: [Cut] = []
        var properties: [Text] = []
        var issues: [ParseIssue] = []
        /// B and E are the begin and end of a calendar; P, C and I are properties, components and issues between them.
        var order = ""
        var isTruncated = false

        mutating func take(_ part: ComponentSplitter.Part) {
            switch part {
            case .calendarBegin(let line): self.order += "B\(line)"
            case .property(let bytes, let line):
                self.order += "P\(line)"
                self.properties.append(Text(bytes: bytes))
            case .component(let name, let bytes, let line):
                self.order += "C\(line)"
                self.components.append(Cut(name: name, line: line, bytes: bytes))
            case .calendarEnd: self.order += "E"
            case .issue(let issue):
                self.order += "I"
                self.issues.append(issue)
            }
        }
    }

    static func parts(of input: [UInt8], chunk: Int) -> Parts {
        var splitter = ComponentSplitter()
        var parts = Parts()
        for start in stride(from: 0, to: input.count, by: chunk) {
            for part in splitter.push(Array(input[start..<min(start + chunk, input.count)])) { parts.take(part) }
        }
        for part in splitter.finish() { parts.take(part) }
        parts.isTruncated = splitter.isTruncated
        return parts
    }
}
