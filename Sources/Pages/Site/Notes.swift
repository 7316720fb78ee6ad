import Synchronization

/// The results of operations, for the page that follows; their addresses contain only an identifier.
///
/// A text in the address itself could be chosen by another site.
final class Notes: Sendable {
    /// The maximum number of kept notes; a person reads each note on the next page.
    private static let maximum = 64
    private let notes = Mutex<[(id: String, text: String)]>([])

    /// - Returns: the identifier of the note.
    func keep(_ text: String) -> String {
        let id = RandomID.make()
        self.notes.withLock { notes in
            notes.append((id, text))
            if notes.count > Self.maximum { notes.removeFirst() }
        }
        return id
    }

    /// The text of a note; `nil` for an unknown or forgotten identifier.
    subscript(id: String?) -> String? { self.notes.withLock { notes in notes.first { $0.id == id }?.text } }
}

/// Identifiers of objects that live only as long as this process.
enum RandomID {
    /// 64 random bits, which no other site can guess.
    static func make() -> String {
        String(UInt64.random(in: 0...UInt64.max), radix: 16)
    }
}
