import ICalendar
import Store

/// The reminders to which to-do after to-do of a stream is added.
struct OpenObjects {
    /// Which reminder it is.
    struct Key: Hashable {
        let list: ListID
        /// Compared by its bytes: UIDs that differ in Unicode normalization only are two UIDs.
        let uid: ByteExactString
    }

    /// Bytes that wait to be written: 16 writes of the largest reminder at most.
    static let maximumWaitingBytes = 1 << 20
    /// Bytes of stored texts that are held; one text is held in any case.
    static let maximumHeldBytes = 16 << 20
    /// Reminders at once: most files have all to-dos of a series one after the other.
    static let maximumCount = 64

    private var objects: [Key: OpenObject] = [:]
    private var waitingBytes = 0
    private var heldBytes = 0

    /// Whether they have to be written before anything else is added.
    var areTooMany: Bool {
        self.waitingBytes > Self.maximumWaitingBytes || self.objects.count > Self.maximumCount
            || self.heldBytes > Self.maximumHeldBytes && self.objects.count > 1
    }

    var isEmpty: Bool { self.objects.isEmpty }

    subscript(key: Key) -> OpenObject? { self.objects[key] }

    /// Holds a reminder that was not there.
    mutating func open(_ object: OpenObject, as key: Key) {
        self.objects[key] = object
        self.heldBytes += object.record.source.count
    }

    /// Changes one in its place.
    mutating func change(_ key: Key, _ body: (inout OpenObject) -> Void) {
        guard var object = self.objects.removeValue(forKey: key) else { return }
        self.waitingBytes -= object.bytes
        body(&object)
        self.waitingBytes += object.bytes
        self.objects[key] = object
    }

    /// Takes all of them out, in the order of their numbers.
    mutating func takeAll() -> [OpenObject] {
        defer { self = OpenObjects() }
        return self.objects.values.sorted { $0.record.id < $1.record.id }
    }
}
