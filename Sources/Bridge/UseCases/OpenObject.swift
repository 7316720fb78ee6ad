import ICalendar
import Store

/// A stored reminder to which to-dos of the stream are added, read once for all of them.
///
/// A series may have thousands of overrides. They are collected here, and written together.
struct OpenObject {
    /// A to-do of the stream that the reminder takes.
    struct Part {
        let todo: Component
        /// Its line in the stream.
        let line: Int
        let edit: Edit
    }

    /// The reminder as it is stored.
    let record: ObjectRecord
    let document: ICalendarDocument
    /// The to-do itself, as it is stored.
    let main: Component
    /// The pending parts, in the order of the stream.
    private(set) var parts: [Part] = []
    /// The bytes of ``parts``.
    private(set) var bytes = 0
    /// Whether a part did not fit in; then no further one is tried.
    var isFull = false
    /// Where a new to-do is inserted.
    private let end: Int
    /// The first to-do for each occurrence, by its RECURRENCE-ID; `nil` is the series itself.
    private var todos: [String?: Component]

    /// - Returns: `nil` when there is no to-do in the reminder's text.
    init?(_ record: ObjectRecord) {
        self.record = record
        self.document = ICalendarDocument(record.source)
        guard let object = CalendarObject(self.document) else { return nil }
        self.main = object.main
        self.end = object.main.parent?.endPoint ?? self.document.bytes.count
        self.todos = Dictionary(
            object.todos.map { ($0.recurrenceID?.value, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The to-do for an occurrence, including pending changes.
    subscript(occurrence: String?) -> Component? { self.todos[occurrence] }

    /// Adds a to-do for an occurrence that has none.
    mutating func insert(_ todo: Component, line: Int) {
        self.add(Part(todo: todo, line: line, edit: self.document.insertion(of: todo.bytes, at: self.end)))
    }

    /// Puts a to-do in the place of a stored one.
    mutating func replace(_ old: Component, with todo: Component, line: Int) {
        self.add(Part(todo: todo, line: line, edit: self.document.replacement(of: old, with: todo.bytes)))
    }

    private mutating func add(_ part: Part) {
        self.parts.append(part)
        self.bytes += part.todo.bytes.count
        self.todos[part.todo.recurrenceID?.value] = part.todo
    }

    /// The text with the first `count` of the parts.
    func text(with count: Int) -> ICalendarDocument { self.document.applying(self.parts.prefix(count).map(\.edit)) }
}
