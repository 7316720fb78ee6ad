/// The bytes of a page while it is written.
///
/// Only this file adds bytes to a page. Text is always escaped; names of elements and attributes are constants of the
/// program (`StaticString`).
package struct HTMLBuffer: Sendable {
    /// The page in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds text of a user or the program, so that a browser shows it as text and never interprets it.
    ///
    /// `& < > " '` become references. Control characters, which HTML forbids, become U+FFFD, except tab and line feed.
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe self.append(escaping: $0.span) }
    }

    /// Adds markup that is a constant of the program.
    mutating func append(markup: StaticString) {
        markup.withUTF8Buffer { unsafe self.bytes.append(contentsOf: $0) }
    }

    mutating func append(attribute name: StaticString, _ value: String) {
        self.append(markup: " ")
        self.append(markup: name)
        self.append(markup: "=\"")
        self.append(text: value)
        self.append(markup: "\"")
    }

    private mutating func append(escaping text: Span<UInt8>) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "&"): self.append(markup: "&amp;")
            case UInt8(ascii: "<"): self.append(markup: "&lt;")
            case UInt8(ascii: ">"): self.append(markup: "&gt;")
            case UInt8(ascii: "\""): self.append(markup: "&quot;")
            case UInt8(ascii: "'"): self.append(markup: "&#39;")
            case 0x09, 0x0A, 0x20...0x7E: self.bytes.append(byte)
            // In an attribute and in a text area, a browser would change a carriage return to a line feed.
            case 0x0D: self.append(markup: "&#13;")
            case 0x00...0x1F, 0x7F: self.append(markup: "\u{FFFD}")
            case 0xC2 where index + 1 < text.count && text[index + 1] < 0xA0:
                // The control characters U+0080 to U+009F.
                self.append(markup: "\u{FFFD}")
                index += 1
            default: self.bytes.append(byte)
            }
            index += 1
        }
    }
}
