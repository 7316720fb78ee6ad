/// Text that a notification service can show, whatever was in it.
///
/// A service shows what it is told in a window of its own, some by a library for web pages, some in a terminal. What is
/// no text is taken out before, and nothing that was turned around or begun in it reaches beyond its line.
enum BubbleText {
    /// One line of at most ``BubbleLimits/longestTitle`` bytes, without markup: nothing of a title is ever read as such.
    static func title(_ text: String) -> String {
        self.clean(text, keepsLines: false, bytes: BubbleLimits.longestTitle)
    }

    /// Lines of at most ``BubbleLimits/longestBody`` bytes, which grow to six times as many at the worst when escaped.
    ///
    /// - Parameter escaped: whether the service reads markup.
    static func body(_ text: String, escaped: Bool) -> String {
        let clean = self.clean(text, keepsLines: true, bytes: BubbleLimits.longestBody)
        return escaped ? self.escape(clean) : clean
    }

    /// A few words on one line: those on a button, or the name of a service.
    static func label(_ text: String) -> String {
        self.clean(text, keepsLines: false, bytes: BubbleLimits.longestLabel)
    }

    /// The five characters that mean something in markup.
    ///
    /// By name: GNOME Shell knows no numbers and would show `&#39;` as it stands.
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

    /// Looks at no more of a text than fits.
    private static func clean(_ text: String, keepsLines: Bool, bytes limit: Int) -> String {
        var clean = String.UnicodeScalarView()
        var count = 0
        var directions = Directions()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            // The line feed of a line end that began with a carriage return.
            let isSecondHalf = wasReturn && scalar == "\n"
            wasReturn = scalar == "\r"
            guard !isSecondHalf, let kept = self.kept(scalar, keepsLines: keepsLines) else { continue }
            let pieces = directions.take(kept)
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

    /// What is left of a text of which no more than this fits, with a mark that there was more.
    private static func cut(_ kept: String.UnicodeScalarView, before next: Unicode.Scalar) -> String {
        var text = String(kept)
        // Not between a letter and its accent; of a letter with a hundred accents, some.
        if text.count > 1, (text + String(next)).count == text.count { text.removeLast() }
        var directions = Directions()
        for scalar in text.unicodeScalars { _ = directions.take(scalar) }
        text.unicodeScalars.append(contentsOf: directions.close())
        text.unicodeScalars.append(self.ellipsis)
        return text
    }

    /// What stands for a character; `nil` for one that is left out.
    private static func kept(_ scalar: Unicode.Scalar, keepsLines: Bool) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: keepsLines ? "\n" : " "
        case 0x09: " "
        // So that it can be seen that something was there: what follows may be the rest of an escape sequence.
        case 0...0x1F, 0x7F...0x9F, 0xFFF9...0xFFFB: "\u{FFFD}"
        case 0xFEFF: nil
        // No characters at all, which sd-bus sends to nobody.
        case 0xFDD0...0xFDEF: "\u{FFFD}"
        case let value where value & 0xFFFE == 0xFFFE: "\u{FFFD}"
        default: scalar
        }
    }
}

/// The directions of writing that are open at a place of a text (Unicode Standard Annex 9, section 2).
///
/// Each that is opened is closed, at the end of its line at the latest, and none is closed that is not open.
struct Directions {
    private enum Kind {
        case embedding, isolate

        var closer: Unicode.Scalar { self == .embedding ? "\u{202C}" : "\u{2069}" }
    }

    /// Those beyond ``BubbleLimits/maximumDirections`` are left out, as are their ends.
    private var open: [(kind: Kind, isKept: Bool)] = []
    private var keptCount = 0

    /// The bytes that ``close()`` would add.
    var closingBytes: Int { self.keptCount * UTF8.width("\u{202C}") }

    /// What a character becomes: itself, nothing, or itself after the ends that are missing before it.
    mutating func take(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
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

    /// The ends of all that is open.
    mutating func close() -> [Unicode.Scalar] { self.end(self.open.count) }

    private mutating func begin(_ kind: Kind, _ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let isKept = self.keptCount < BubbleLimits.maximumDirections
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
