import ICalendar
import JSON
import Reminders

/// The label document of a server: the updates in it, and unknown members, which a newer version may have written.
struct LabelSyncDocument: Sendable {
    /// Ten times the size of a document with ``LabelUpdates/limit`` labels.
    static let maximumBytes = 1 << 17

    private(set) var words: LabelUpdates = [:]
    /// The bytes of ``words``.
    private var sources: [LabelKey: [UInt8]] = [:]
    /// Unknown members, in their order.
    private var rest: [(name: String, source: [UInt8])] = []

    init() {}

    /// Reads `{"labels": {"Work": {"color": "#FF5722", "updated": "2026-11-22T09:00:00Z"}, "Old": {"updated": …}}}`, where
    /// a label without a colour is a deleted one.
    ///
    /// - Returns: `nil` for another form, which a newer version may have written: it must not be overwritten.
    init?(json text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        guard let members = (try? JSONValue(parsing: bytes))?["labels"]?.object?.members else { return nil }
        for member in members.sorted(by: { $0.name < $1.name }) {
            let source = Array(bytes[member.source])
            guard let word = LabelUpdate(member), word.isAcceptable else {
                self.rest.append((member.name, source))
                continue
            }
            self.words.add(word)
            let key = LabelKey(word.name)
            // Members beyond the limit are kept.
            if self.words[key] == nil { self.rest.append((member.name, source)) }
            if self.words[key] == word { self.sources[key] = source }
        }
    }

    /// Whether the document has only an unknown member for a label: then no other is added.
    func hasOnlyUnknownMember(for key: LabelKey) -> Bool {
        self.words[key] == nil && self.rest.contains { LabelKey($0.name) == key }
    }

    /// The document with other updates: labels in the order of their keys, then the unknown members.
    ///
    /// It is ASCII, which no server changes; an unchanged update keeps its bytes.
    func json(with words: LabelUpdates) -> String {
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
    /// `nil` for a member without a time, or with an invalid colour.
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
