import HTTP
import ICalendar
import Reminders

extension LabelWords {
    /// What a server has to keep; all that is said of so many labels is a tenth of it.
    static let maximumBytes = 1 << 17

    /// Reads `{"labels": {"Work": {"color": "#FF5722", "updated": "2026-11-22T09:00:00Z"}, "Old": {"updated": …}}}`, where
    /// a label without a colour is a deleted one.
    ///
    /// - Returns: `nil` when it is something else, as what a newer program wrote may be: nobody should write over that.
    init?(json text: String) {
        guard text.utf8.count <= Self.maximumBytes,
            case .object(let labels)? = JSONText(Array(text.utf8))?["labels"]
        else { return nil }
        self.init()
        for (name, value) in labels.sorted(by: { $0.key < $1.key }) {
            guard let updated = value["updated"]?.text.flatMap({ RFC3339.parse($0) }) else { continue }
            let color = value["color"]?.text
            let read = color.flatMap { LabelColor($0) }
            guard color == nil || read != nil else { continue }
            self.take(LabelWord(name: name, color: read, updatedAt: updated.instant.secondsSince1970))
        }
    }

    /// The same as text: labels in the order of their keys, and nothing that is not ASCII, which no server changes.
    var json: String {
        let labels = self.sorted { $0.key.text < $1.key.text }.map { _, word in
            let color = word.color.map { "\"color\":\"\($0.hex)\"," } ?? ""
            let updated = RFC3339.string(from: Instant(secondsSince1970: word.updatedAt))
            return "\(Self.quoted(word.name)):{\(color)\"updated\":\"\(updated)\"}"
        }
        return "{\"labels\":{\(labels.joined(separator: ","))}}"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            // What XML has a meaning for is written as a number, too.
            let isPlain = (0x20...0x7E).contains(unit) && !"\"\\<>&'".utf16.contains(unit)
            if isPlain, let scalar = Unicode.Scalar(unit) {
                quoted.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return quoted + "\""
    }
}
