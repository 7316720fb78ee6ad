import RemindavICalendar

/// The measured operations on a text in memory.
enum TextTasks {
    static let named: [String: @Sendable ([UInt8]) -> Void] = [
        "parse": parse, "fields": fields, "values": ValueTasks.run, "rewrite": rewrite, "edit": edit, "format": format,
        "split": split,
    ]

    private static func parse(_ bytes: [UInt8]) {
        measure {
            ICalendarDocument(bytes)
        } finding: { document in
            let components = document.components
            return [
                "components": components.reduce(0) { $0 + count($1) }, "todos": document.all(.vtodo).count,
                "issues": document.issues.count,
            ]
        }
    }

    /// Counts a component and all nested components.
    private static func count(_ component: Component) -> Int {
        component.components.reduce(1) { $0 + count($1) }
    }

    /// Reads the fields that a list shows of each to-do.
    private static func fields(_ bytes: [UInt8]) {
        measure {
            ICalendarDocument(bytes).all(.vtodo).reduce(into: 0) { sum, todo in
                sum += todo.first(.summary)?.text.utf8.count ?? 0
                sum += todo.first(.description)?.text.utf8.count ?? 0
                sum += todo.first(.due)?.moment == nil ? 0 : 1
                sum += todo.first(.status)?.value.utf8.count ?? 0
                sum += todo.first(.uid)?.value.utf8.count ?? 0
                sum += todo.all(.categories).flatMap(\.textList).count
            }
        } finding: {
            ["sum": $0]
        }
    }

    /// Copies every byte; returning the input buffer would be no work.
    private static func rewrite(_ bytes: [UInt8]) {
        measure {
            let document = ICalendarDocument(bytes)
            var written: [UInt8] = []
            written.reserveCapacity(document.bytes.count)
            for component in document.components { written += component.bytes }
            return (document, written)
        } finding: { document, written in
            ["written": written.count, "same": written == bytes ? 1 : 0, "calendars": document.components.count]
        }
    }

    /// Changes one title in the middle of the text.
    private static func edit(_ bytes: [UInt8]) {
        measure {
            let document = ICalendarDocument(bytes)
            let todos = document.all(.vtodo)
            var editor = ComponentEditor(todos[todos.count / 2])
            editor.set(ContentLine(.summary, text: "Another title"))
            return document.applying(editor.edits)
        } finding: {
            ["written": $0.bytes.count]
        }
    }

    private static func format(_ bytes: [UInt8]) {
        measure {
            ICalendarDocument(bytes).reformatted()
        } finding: {
            ["written": $0.count]
        }
    }

    private static func split(_ bytes: [UInt8]) {
        measure {
            var splitter = ComponentSplitter()
            var parts = 0
            for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
                parts += splitter.push(Array(bytes[start..<min(start + 1 << 16, bytes.count)])).count
            }
            return parts + splitter.finish().count
        } finding: {
            ["parts": $0]
        }
    }

    static func tree(_ path: String) throws {
        let document = ICalendarDocument(try InputFile.contents(of: path))
        print("components=\(document.components.reduce(0) { $0 + count($1) })")
    }

    static func stream(_ path: String) throws {
        var splitter = ComponentSplitter()
        var parts = 0
        try InputFile.forEachPiece(of: path) { parts += splitter.push($0).count }
        print("parts=\(parts + splitter.finish().count)")
    }
}
