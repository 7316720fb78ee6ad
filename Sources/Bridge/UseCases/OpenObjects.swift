import RemindavICalendar
import RemindavStore

/// Stored reminders that the import is changing; their changes are written together.
struct OpenObjects {
    struct Key: Hashable {
        let list: ListID
        /// The UID is compared by its bytes, because UIDs that differ only in Unicode normalization are different.
        let uid: ByteExactString
    }

    /// The maximum size of unwritten changes in bytes; a reminder of 16 MiB is thus written at most 16 times.
    static let maximumWaitingBytes = 1 << 20
    /// The maximum number of bytes of stored texts in memory; a single larger text is allowed.
    static let maximumHeldBytes = 16 << 20
    /// In most files, the to-dos of a series follow each other, so few reminders in memory suffice.
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

    /// Removes all reminders, and returns them in the order of their numbers.
    mutating func removeAll() -> [OpenObject] {
        defer { self = OpenObjects() }
        return self.objects.values.sorted { $0.record.id < $1.record.id }
    }
}

/// A stored reminder with all to-dos of the file that change it; a series may have thousands of overrides.
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
    /// Whether the object has reached its size limit, so that no further to-do can be added.
    var isFull = false
    private let end: Int
    /// The first to-do with each RECURRENCE-ID; the key `nil` is the main to-do.
    private var todos: [String?: Component]

    /// - Returns: `nil` when the text of the reminder contains no to-do.
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

    /// The to-do with this RECURRENCE-ID, including changes that are not written yet.
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
