import RemindavHTTP

// The necessary parts of XML and of URLs, written and read in a simple way.
extension MemoryServer {
    static let namespaces =
        "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\" xmlns:S=\"http://calendarserver.org/ns/\" "
        + "xmlns:A=\"http://apple.com/ns/ical/\" xmlns:N=\"http://nextcloud.com/ns\""

    /// The answer of Nextcloud on SQLite to a UID that is in its trash.
    static let uniquenessViolation = MemoryServer.failure(
        "SQLSTATE[23000]: Integrity constraint violation: 19 UNIQUE constraint failed: oc_calendarobjects.calendarid, "
            + "oc_calendarobjects.calendartype, oc_calendarobjects.uid"
    )
    /// Its answer while another request writes.
    static let isLocked = MemoryServer.failure("SQLSTATE[HY000]: General error: 5 database is locked")

    private static func failure(_ words: String) -> [UInt8] {
        self.error("<s:message xmlns:s=\"http://sabredav.org/ns\">\(words)</s:message>")
    }

    static func prefix(of name: String) -> String {
        switch name {
        case "getctag": "S"
        case "calendar-uri": "N"
        case "calendar-color", "calendar-order": "A"
        case "calendar-data", "supported-calendar-component-set", "max-resource-size": "C"
        default: "D"
        }
    }

    static func error(_ condition: String) -> [UInt8] {
        Array("<?xml version=\"1.0\"?><D:error \(self.namespaces)>\(condition)</D:error>".utf8)
    }

    static func escape(_ text: String) -> String {
        text.utf8.contains(where: self.isSpecial) ? self.escaped(Array(text.utf8)) : text
    }

    static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == 0x0D
    }

    static func escaped(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 64)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "&"): out += "&amp;".utf8
            case UInt8(ascii: "<"): out += "&lt;".utf8
            case UInt8(ascii: ">"): out += "&gt;".utf8
            case 0x0D: out += "&#13;".utf8
            default: out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// A tag: its local name, whether it ends an element, and the position after it.
    struct Tag {
        var name: String
        var isEnd: Bool
        var end: Int
    }

    /// The tags of a body from a place on, one by one, until `body` returns `false`.
    static func forEachTag(in text: [UInt8], _ body: (Tag) -> Bool) {
        var place = 0
        while let open = text[place...].firstIndex(of: UInt8(ascii: "<")),
            let close = text[open...].firstIndex(of: UInt8(ascii: ">"))
        {
            place = close + 1
            var word = text[(open + 1)..<close]
            let isEnd = word.first == UInt8(ascii: "/")
            if isEnd { word = word.dropFirst() }
            if let end = word.firstIndex(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }) {
                word = word[..<end]
            }
            if let colon = word.firstIndex(of: UInt8(ascii: ":")) { word = word[(colon + 1)...] }
            guard body(Tag(name: String(decoding: word, as: UTF8.self), isEnd: isEnd, end: place)) else { return }
        }
    }

    /// The local name of a body's root.
    static func report(_ body: [UInt8]) -> String {
        var root = ""
        self.forEachTag(in: body) { tag in
            root = tag.name
            return tag.name.hasPrefix("?")
        }
        return root
    }

    /// The local names of the requested properties.
    static func asked(_ body: [UInt8]) -> [String] {
        var names: [String] = []
        var isInside = false
        self.forEachTag(in: body) { tag in
            if tag.name == "prop" {
                isInside = true
                return !tag.isEnd
            }
            if isInside, !tag.isEnd { names.append(tag.name) }
            return true
        }
        return names
    }

    /// The contents of the elements with that name.
    static func texts(_ name: String, in body: [UInt8]) -> [String] {
        var texts: [String] = []
        self.forEachTag(in: body) { tag in
            if tag.name == name, !tag.isEnd {
                let text = String(decoding: body[tag.end...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
                let parts = text.split(separator: "&amp;", omittingEmptySubsequences: false)
                texts.append(parts.count == 1 ? text : parts.joined(separator: "&"))
            }
            return true
        }
        return texts
    }

    /// The decoded path of a URL or of an absolute reference.
    static func path(_ url: String) -> String? {
        var rest = Array(url.utf8)[...]
        if rest.starts(with: Self.origin.utf8) { rest = rest.dropFirst(Self.origin.utf8.count) }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        guard rest.contains(UInt8(ascii: "%")) else { return String(decoding: rest, as: UTF8.self) }
        var out: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            out.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: out, as: UTF8.self)
    }

    static func encode(_ path: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "@"):
                true
            default: false
            }
        }
        if path.utf8.allSatisfy(isPlain) { return path }
        var out = ""
        for byte in path.utf8 {
            if isPlain(byte) {
                out.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                out += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return out
    }
}

extension CalendarText.Node {
    /// Lines and components by their names.
    var sorted: Self {
        var copy = self
        copy.lines.sort { $0.text < $1.text }
        copy.children = copy.children.map(\.sorted)
        return copy
    }

    /// Without the properties that the server does not know.
    var stripped: Self {
        var copy = self
        copy.lines.removeAll { $0.name.hasPrefix("X-") }
        copy.children = copy.children.filter { !$0.name.hasPrefix("X-") }.map(\.stripped)
        return copy
    }
}
