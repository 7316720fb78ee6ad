/// Several texts in one column, one per line.
///
/// In a text, a line feed becomes `\n` and a backslash becomes `\\`. Empty texts are dropped.
enum TextLines {
    static func join(_ texts: [String]) -> String {
        texts.lazy.filter { !$0.isEmpty }.map(self.escape).joined(separator: "\n")
    }

    static func split(_ column: String) -> [String] {
        // The loop uses bytes, because Swift treats a carriage return with a line feed as one character.
        let bytes = column.utf8Span.span
        var (lines, start, isPlain): ([String], Int, Bool) = ([], 0, true)
        lines.reserveCapacity(bytes.count > 0 ? Self.usualCount : 0)
        for position in 0...bytes.count {
            if position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                isPlain = isPlain && bytes[position] != UInt8(ascii: "\\")
                continue
            }
            if position > start {
                let isWhole = start == 0 && position == bytes.count
                let text = isWhole ? column : self.text(bytes.extracting(start..<position))
                lines.append(isPlain ? text : self.unescape(text))
            }
            (start, isPlain) = (position + 1, true)
        }
        return lines
    }

    /// The reserved capacity, because growing an array takes longer than reading a line.
    private static let usualCount = 4

    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func unescape(_ text: String) -> String {
        var plain = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                plain.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
