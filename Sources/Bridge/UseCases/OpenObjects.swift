import ICalendar
import Store

/// The stored reminders to which to-dos of a stream are added.
struct OpenObjects {
    struct Key: Hashable {
        let list: ListID
        /// Compared by its bytes: UIDs that differ only in Unicode normalization are different.
        let uid: ByteExactString
    }

    /// Bytes that wait to be written: at most 16 writes of the largest reminder.
    static let maximumWaitingBytes = 1 << 20
    /// Bytes of stored texts in memory; one text is held in any case.
    static let maximumHeldBytes = 16 << 20
    /// Reminders at once: most files have all to-dos of a series in a row.
    static let maximumCount = 64

    private var objects: [Key: OpenObject] = [:]
    private var waitingBytes = 0
    private var heldBytes = 0

    var areTooMany: Bool {
        self.waitingBytes > Self.maximumWaitingBytes || self.objects.count > Self.maximumCount
            || self.heldBytes > Self.maximumHeldBytes && self.objects.count > 1
    }

    subscript(key: Key) -> OpenObject? { self.objects[key] }

    mutating func open(_ object: OpenObject, as key: Key) {
        self.objects[key] = object
        self.heldBytes += object.record.source.count
    }

    mutating func change(_ key: Key, _ body: (inout OpenObject) -> Void) {
        guard var object = self.objects.removeValue(forKey: key) else { return }
        self.waitingBytes -= object.bytes
        body(&object)
        self.waitingBytes += object.bytes
        self.objects[key] = object
    }

    /// Removes all of them.
    ///
    /// - Returns: the reminders in the order of their numbers.
    mutating func removeAll() -> [OpenObject] {
        defer { self = OpenObjects() }
        return self.objects.values.sorted { $0.record.id < $1.record.id }
    }
}

/// A stored reminder to which to-dos of the stream are added, read once for all of them.
///
/// A series may have thousands of overrides. They are collected here, and written together.
struct OpenObject {
    struct Part {
        let todo: Component
        let line: Int
        let edit: Edit
    }

    let record: ObjectRecord
    let document: ICalendarDocument
    let main: Component
    private(set) var parts: [Part] = []
    private(set) var bytes = 0
    /// Whether a part did not fit in; then no further one is tried.
    var isFull = false
    private let end: Int
    /// The first to-do for each occurrence, by its RECURRENCE-ID; `nil` is the series itself.
    private var todos: [String?: Component]

    /// - Returns: `nil` when the reminder's text has no to-do.
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

    mutating func insert(_ todo: Component, line: Int) {
        self.add(Part(todo: todo, line: line, edit: self.document.insertion(of: todo.bytes, at: self.end)))
    }

    mutating func replace(_ old: Component, with todo: Component, line: Int) {
        self.add(Part(todo: todo, line: line, edit: self.document.replacement(of: old, with: todo.bytes)))
    }

    private mutating func add(_ part: Part) {
        self.parts.append(part)
        self.bytes += part.todo.bytes.count
        self.todos[part.todo.recurrenceID?.value] = part.todo
    }

    func text(with count: Int) -> ICalendarDocument { self.document.applying(self.parts.prefix(count).map(\.edit)) }
}
