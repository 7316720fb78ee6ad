/// Cleans a text so that every notification service can display it safely.
///
/// Some services display the text in a window, some through an HTML library, some in a terminal. So control characters
/// are replaced, and every change of the writing direction ends at the end of its line.
enum NotificationBody {
    /// Returns one line of at most ``NotificationBodyLimits/longestTitle`` bytes; no service reads a title as markup.
    static func title(_ text: String) -> String {
        self.clean(text, keepsLines: false, bytes: NotificationBodyLimits.longestTitle)
    }

    /// Returns lines of at most ``NotificationBodyLimits/longestBody`` bytes; `escaped` is for services with markup.
    static func body(_ text: String, escaped: Bool) -> String {
        let clean = self.clean(text, keepsLines: true, bytes: NotificationBodyLimits.longestBody)
        return escaped ? self.escape(clean) : clean
    }

    /// Returns a button label or the name of a service as one short line.
    static func label(_ text: String) -> String {
        self.clean(text, keepsLines: false, bytes: NotificationBodyLimits.longestLabel)
    }

    /// Replaces the special characters of markup by named references, because GNOME Shell ignores numeric ones.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let ellipsis: Unicode.Scalar = "…"

    private static func clean(_ text: String, keepsLines: Bool, bytes limit: Int) -> String {
        var clean = String.UnicodeScalarView()
        var count = 0
        var directions = Directions()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            // In a line end that consists of CR and LF, the LF is the second half and is dropped.
            let isSecondHalf = wasReturn && scalar == "\n"
            wasReturn = scalar == "\r"
            guard !isSecondHalf, let kept = self.kept(scalar, keepsLines: keepsLines) else { continue }
            let pieces = directions.consume(kept)
            let added = pieces.reduce(0) { $0 + UTF8.width($1) }
            guard count + added + directions.closingBytes + UTF8.width(self.ellipsis) <= limit else {
                return self.cut(clean, before: kept)
            }
            clean.append(contentsOf: pieces)
            count += added
        }
        clean.append(contentsOf: directions.close())
        return String(clean)
    }

    /// Returns the text shortened to the limit, with an ellipsis at its end.
    private static func cut(_ kept: String.UnicodeScalarView, before next: Unicode.Scalar) -> String {
        var text = String(kept)
        // A letter is not separated from its accents. If one letter exceeds the limit, some of its accents are kept.
        if text.count > 1, (text + String(next)).count == text.count { text.removeLast() }
        var directions = Directions()
        for scalar in text.unicodeScalars { _ = directions.consume(scalar) }
        text.unicodeScalars.append(contentsOf: directions.close())
        text.unicodeScalars.append(self.ellipsis)
        return text
    }

    /// Returns the replacement of a character; `nil` to drop the character.
    private static func kept(_ scalar: Unicode.Scalar, keepsLines: Bool) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: keepsLines ? "\n" : " "
        case 0x09: " "
        // The replacement shows that a character was removed: the next characters may belong to an escape sequence.
        case 0...0x1F, 0x7F...0x9F, 0xFFF9...0xFFFB: "\u{FFFD}"
        case 0xFEFF: nil
        // sd-bus does not send noncharacters.
        case 0xFDD0...0xFDEF: "\u{FFFD}"
        case let value where value & 0xFFFE == 0xFFFE: "\u{FFFD}"
        default: scalar
        }
    }
}

/// The changes of the writing direction that apply at a position in a text (Unicode Standard Annex 9 §2).
///
/// Each change ends at the end of its line at the latest. An end without a start is dropped.
struct Directions {
    private enum Kind {
        case embedding, isolate
        var closer: Unicode.Scalar { self == .embedding ? "\u{202C}" : "\u{2069}" }
    }

    /// Changes beyond ``NotificationBodyLimits/maximumDirections`` are dropped together with their ends.
    private var open: [(kind: Kind, isKept: Bool)] = []
    private var keptCount = 0
    var closingBytes: Int { self.keptCount * UTF8.width("\u{202C}") }

    /// Returns the output for a character: the character, nothing, or the missing ends of changes and the character.
    mutating func consume(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: return self.begin(.embedding, scalar)
        case 0x2066...0x2068: return self.begin(.isolate, scalar)
        case 0x202C: return self.open.last?.kind == .embedding ? self.end(1) : []
        case 0x2069:
            guard let place = self.open.lastIndex(where: { $0.kind == .isolate }) else { return [] }
            return self.end(self.open.count - place)
        case 0x0A: return self.close() + [scalar]
        default: return [scalar]
        }
    }

    mutating func close() -> [Unicode.Scalar] { self.end(self.open.count) }

    private mutating func begin(_ kind: Kind, _ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let isKept = self.keptCount < NotificationBodyLimits.maximumDirections
        self.open.append((kind, isKept))
        guard isKept else { return [] }
        self.keptCount += 1
        return [scalar]
    }

    private mutating func end(_ count: Int) -> [Unicode.Scalar] {
        let closers = self.open.suffix(count).reversed().filter(\.isKept).map(\.kind.closer)
        self.open.removeLast(count)
        self.keptCount -= closers.count
        return closers
    }
}
