import RemindavICalendar

/// A whole stream: unedited content stays unchanged, and rewritten content has the same meaning.
enum RoundTripLaw {
    static func check(_ input: [UInt8]) throws(BrokenLaw) {
        let document = ICalendarDocument(input)
        try demandEqual(document.bytes, input, "the bytes of a document that was not edited")
        try demandEqual(document.applying([]).bytes, input, "the bytes after no edit")
        for issue in document.checked() { try demand(!issue.description.isEmpty, "an issue has words") }
        try self.checkEdit(document)
        try self.checkRemoval(document)
        try self.checkFormat(document)
    }

    /// One edited property changes its own lines, and no other byte.
    private static func checkEdit(_ document: ICalendarDocument) throws(BrokenLaw) {
        var numbers = InputNumbers(document.bytes)
        let candidates = everyComponent(of: document).filter { !$0.properties.isEmpty }
        guard let component = candidates.randomElement(using: &numbers),
            let chosen = component.properties.randomElement(using: &numbers),
            let property = component.first(chosen.name)
        else { return }
        var editor = ComponentEditor(component)
        editor.set(ContentLine(property.name, text: "Something else, entirely"))
        let edited = document.applying(editor.edits)
        guard !editor.edits.isEmpty else { return try demandEqual(edited.bytes, document.bytes, "no edit") }
        let kept = document.bytes.count - property.range.upperBound
        try demandEqual(
            edited.bytes[..<property.range.lowerBound],
            document.bytes[..<property.range.lowerBound],
            "before line \(property.line)"
        )
        try demandEqual(
            Array(edited.bytes.suffix(kept)),
            Array(document.bytes.suffix(kept)),
            "after line \(property.line)"
        )
    }

    /// Removing a property removes its own lines, and no other byte.
    private static func checkRemoval(_ document: ICalendarDocument) throws(BrokenLaw) {
        var numbers = InputNumbers(document.bytes)
        guard let property = everyProperty(of: document).randomElement(using: &numbers) else { return }
        let edited = document.applying([Edit(property.range, [])])
        let expected = document.bytes[..<property.range.lowerBound] + document.bytes[property.range.upperBound...]
        try demandEqual(edited.bytes, Array(expected), "without line \(property.line)")
    }

    /// Formatting is idempotent and does not change the meaning.
    private static func checkFormat(_ document: ICalendarDocument) throws(BrokenLaw) {
        let formatted = document.reformatted()
        let again = ICalendarDocument(formatted)
        try demandEqual(again.reformatted(), formatted, "formatted twice and once")
        try demandEqual(
            document.components.map { $0.meaning(ignoring: []) },
            again.components.map { $0.meaning(ignoring: []) },
            "what it means before and after formatting"
        )
    }
}
