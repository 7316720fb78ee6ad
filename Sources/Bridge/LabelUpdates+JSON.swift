import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// The label document of a server: the label updates, and unknown members, which a newer version may have written.
struct LabelSyncDocument: Sendable {
    /// The maximum size in bytes, about twice that of a document with ``LabelUpdates/limit`` short labels.
    static let maximumBytes = 1 << 17

    private(set) var words: LabelUpdates = [:]
    /// The JSON text of each update in ``words`` as the server sent it.
    private var sources: [LabelKey: [UInt8]] = [:]
    /// The unknown members in the order of their names.
    private var rest: [(name: String, source: [UInt8])] = []

    init() {}

    /// Reads `{"labels": {"Work": {"color": "#FF5722", "updated": "2026-11-22T09:00:00Z"}, "Old": {"updated": …}}}`.
    ///
    /// A label without a colour is a deleted label.
    ///
    /// - Returns: `nil` for another form. A newer version may have written it, so it must not be overwritten.
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
            // Labels beyond the limit are not applied, but ``json(with:)`` writes them back.
            if self.words[key] == nil { self.rest.append((member.name, source)) }
            if self.words[key] == word { self.sources[key] = source }
        }
    }

    /// Whether the document has an unknown member for the label; an update must not be added beside it.
    func hasOnlyUnknownMember(for key: LabelKey) -> Bool {
        self.words[key] == nil && self.rest.contains { LabelKey($0.name) == key }
    }

    /// The document with these updates in the order of their keys, followed by the unknown members.
    ///
    /// The text is ASCII, because no server changes ASCII. An unchanged update keeps its bytes.
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
    /// Parses a member; `nil` if the member has no time or an invalid colour.
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
