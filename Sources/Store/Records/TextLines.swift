/// Several texts in one column, one per line.
///
/// In a text, a line feed becomes `\n` and a backslash becomes `\\`. Empty texts are dropped.
enum TextLines {
    static func join(_ texts: [String]) -> String {
        texts.lazy.filter { !$0.isEmpty }.map(self.escape).joined(separator: "\n")
    }

    static func split(_ column: String) -> [String] {
        guard !column.isEmpty else { return [] }
        let isPlain = !column.utf8.contains(UInt8(ascii: "\\"))
        if isPlain, !column.utf8.contains(UInt8(ascii: "\n")) { return [column] }
        // The loop uses bytes, because Swift treats a carriage return with a line feed as one character.
        var lines: [String] = []
        var rest = column.utf8[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            if end > rest.startIndex {
                let text = String(Substring(rest[..<end]))
                lines.append(isPlain ? text : self.unescape(text))
            }
            rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[end...]
        }
        return lines
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
