import ICalendar
import JSON
import Reminders

/// What a server keeps of labels: the words that are understood, and all else as it is written, which a newer program may
/// have put there.
struct LabelSyncDocument: Hashable, Sendable {
    /// What a server has to keep; all that is said of so many labels is a tenth of it.
    static let maximumBytes = 1 << 17

    /// What is said, as far as it is understood.
    let words: LabelUpdates
    /// The bytes of each of the words.
    private let sources: [LabelKey: [UInt8]]
    /// What is not understood, in its order.
    private let rest: [Unknown]

    private struct Unknown: Hashable {
        let name: String
        let source: [UInt8]
    }

    /// Nothing yet.
    init() {
        self.words = [:]
        self.sources = [:]
        self.rest = []
    }

    /// Reads `{"labels": {"Work": {"color": "#FF5722", "updated": "2026-11-22T09:00:00Z"}, "Old": {"updated": …}}}`, where
    /// a label without a colour is a deleted one.
    ///
    /// - Returns: `nil` when it is something else, as what a newer program wrote may be: nobody should write over that.
    init?(json text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        guard let members = (try? JSONValue(parsing: bytes))?["labels"]?.object?.members else { return nil }
        var words: LabelUpdates = [:]
        var sources: [LabelKey: [UInt8]] = [:]
        var rest: [Unknown] = []
        for member in members.sorted(by: { $0.name < $1.name }) {
            let source = Array(bytes[member.source])
            guard let word = LabelUpdate(member), word.isAcceptable, !LabelKey(word.name).text.isEmpty else {
                rest.append(Unknown(name: member.name, source: source))
                continue
            }
            words.take(word)
            let key = LabelKey(word.name)
            // There is a limit to what is understood, and none of it is thrown away.
            if words[key] == nil { rest.append(Unknown(name: member.name, source: source)) }
            if words[key] == word { sources[key] = source }
        }
        self.words = words
        self.sources = sources
        self.rest = rest
    }

    /// Whether something is said of the label that nobody here understands, and nothing else: then nothing is added.
    func isSilent(on key: LabelKey) -> Bool {
        self.words[key] == nil && self.rest.contains { LabelKey($0.name) == key }
    }

    /// These words in the place of those that were understood, as text: labels in the order of their keys, then what is
    /// not understood.
    ///
    /// What we write is ASCII, which no server changes; a word that stays is written as it was.
    func json(saying words: LabelUpdates) -> String {
        let labels = words.sorted { $0.key.text < $1.key.text }.map { key, word in
            let source = self.words[key] == word ? self.sources[key] : nil
            return Self.member(word.name, source.map { String(decoding: $0, as: UTF8.self) } ?? word.json)
        }
        let others = self.rest.map { Self.member($0.name, String(decoding: $0.source, as: UTF8.self)) }
        return "{\"labels\":{\((labels + others).joined(separator: ","))}}"
    }

    private static func member(_ name: String, _ value: String) -> String {
        "\(JSONString.quoted(name, escaping: .ascii)):\(value)"
    }
}

extension LabelUpdate {
    /// Reads what is said of one label; `nil` when it says no time, or a colour that is none.
    fileprivate init?(_ member: JSONObject.Member) {
        guard let updated = member.value["updated"]?.string.flatMap({ RFC3339.parse($0) }) else { return nil }
        let color = member.value["color"]?.string
        let read = color.flatMap { LabelColor($0) }
        guard color == nil || read != nil else { return nil }
        self.init(name: member.name, color: read, updatedAt: updated.instant.secondsSince1970)
    }

    fileprivate var json: String {
        let color = self.color.map { "\"color\":\"\($0.hex)\"," } ?? ""
        let updated = RFC3339.string(from: Instant(secondsSince1970: self.updatedAt))
        return "{\(color)\"updated\":\"\(updated)\"}"
    }
}
