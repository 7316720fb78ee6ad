/// The text of a calendar as the model reads it: with a parser of its own, so that a fault of the program's parser does
/// not hide itself.
struct CalendarText {
    struct Node {
        var name: String
        var lines: [Line] = []
        var children: [Node] = []

        func first(_ name: String) -> Line? { self.lines.first { $0.name == name } }
        func value(_ name: String) -> String? { self.first(name)?.value }

        mutating func set(_ name: String, _ value: String, parameters: [String] = []) {
            let line = Line(name: name, parameters: parameters, value: value)
            if let place = self.lines.firstIndex(where: { $0.name == name }) {
                self.lines[place] = line
            } else {
                self.lines.append(line)
            }
        }

        mutating func remove(_ name: String) { self.lines.removeAll { $0.name == name } }
    }

    struct Line: Hashable {
        var name: String
        var parameters: [String] = []
        var value: String

        var text: String {
            self.parameters.isEmpty
                ? "\(self.name):\(self.value)"
                : ([self.name] + self.parameters).joined(separator: ";") + ":" + self.value
        }

        /// The same for every order of the parameters.
        var canonical: String {
            self.parameters.count < 2
                ? self.text : ([self.name] + self.parameters.sorted()).joined(separator: ";") + ":" + self.value
        }
    }

    var root: Node

    /// - Returns: `nil` for a text without a to-do that has a UID.
    init?(_ bytes: [UInt8]) {
        guard let root = Self.parse(bytes) else { return nil }
        self.root = root
        guard self.root.children.contains(where: { $0.name == "VTODO" && !($0.value("UID") ?? "").isEmpty }) else {
            return nil
        }
    }

    init(root: Node) { self.root = root }

    /// The place of the to-do itself.
    var mainIndex: Int {
        let children = self.root.children
        return children.firstIndex { $0.name == "VTODO" && $0.first("RECURRENCE-ID") == nil }
            ?? children.firstIndex { $0.name == "VTODO" } ?? 0
    }

    var main: Node {
        get { self.root.children[self.mainIndex] }
        set { self.root.children[self.mainIndex] = newValue }
    }

    var uid: String { self.root.children[self.mainIndex].value("UID") ?? "" }

    // MARK: Reading

    private static func parse(_ bytes: [UInt8]) -> Node? {
        var stack: [Node] = []
        var root: Node?
        var isBroken = false
        self.forEachLine(of: bytes) { text in
            guard let line = Line(text) else { return true }
            switch line.name {
            case "BEGIN": stack.append(Node(name: line.value.uppercased()))
            case "END":
                guard let node = stack.popLast(), node.name == line.value.uppercased() else {
                    isBroken = true
                    return false
                }
                if stack.isEmpty {
                    root = node
                    return false
                }
                stack[stack.count - 1].children.append(node)
            default:
                guard !stack.isEmpty else {
                    isBroken = true
                    return false
                }
                stack[stack.count - 1].lines.append(line)
            }
            return true
        }
        return isBroken || root?.name != "VCALENDAR" ? nil : root
    }

    /// Calls `body` with each unfolded line, without its end, until it returns `false`.
    private static func forEachLine(of bytes: [UInt8], _ body: ([UInt8]) -> Bool) {
        var line: [UInt8] = []
        line.reserveCapacity(128)
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let next = end + 1
            if end > start, bytes[end - 1] == 0x0D { end -= 1 }
            if end > start {
                if bytes[start] == 0x20 || bytes[start] == 0x09, !line.isEmpty {
                    line += bytes[(start + 1)..<end]
                } else {
                    if !line.isEmpty, !body(line) { return }
                    line.removeAll(keepingCapacity: true)
                    line += bytes[start..<end]
                }
            }
            start = next
        }
        if !line.isEmpty { _ = body(line) }
    }

    // MARK: Writing

    /// - Parameters:
    ///   - width: the longest line, in bytes without its end; the texts of the model are ASCII.
    func bytes(width: Int = 75, lineEnd: String = "\r\n") -> [UInt8] {
        var out: [UInt8] = []
        let end = Array(lineEnd.utf8)
        func write(_ text: String) {
            var rest = Array(text.utf8)[...]
            var room = width
            while true {
                out += rest.prefix(room)
                rest = rest.dropFirst(room)
                out += end
                guard !rest.isEmpty else { return }
                out.append(0x20)
                room = width - 1
            }
        }
        func write(_ node: Node) {
            write("BEGIN:\(node.name)")
            for line in node.lines { write(line.text) }
            for child in node.children { write(child) }
            write("END:\(node.name)")
        }
        write(self.root)
        return out
    }
}

extension CalendarText.Line {
    init?(_ bytes: [UInt8]) {
        var name: String?
        var parameters: [String] = []
        var start = 0
        var isQuoted = false
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") else { continue }
            let part = bytes[start..<index]
            start = index + 1
            if name == nil {
                let text = String(decoding: part, as: UTF8.self)
                // Nearly all lines are ASCII and in capitals.
                let isUpper = part.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
                name = isUpper ? text : text.uppercased()
            } else {
                parameters.append(String(decoding: part, as: UTF8.self))
            }
            guard byte == UInt8(ascii: ":"), let name else { continue }
            self.init(name: name, parameters: parameters, value: String(decoding: bytes[start...], as: UTF8.self))
            return
        }
        return nil
    }
}

/// The smallest part of a calendar that an edit can change.
struct Token: Hashable {
    let uid: String
    /// The path of the value: the occurrence, the alarm, the property.
    let place: String
    /// The content line.
    let line: String
}

extension CalendarText {
    /// Properties about the writing of the text, not about the reminder.
    private static let stamps: Set = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CREATED", "ACKNOWLEDGED", "UID"]
    /// Properties with several values, each of which counts alone.
    static let lists: Set = ["CATEGORIES", "EXDATE", "RDATE", "RESOURCES"]

    /// All tokens of the text.
    func tokens(as uid: String) -> Set<Token> {
        var tokens: Set<Token> = []
        for line in self.root.lines where line.name.hasPrefix("X-") {
            tokens.insert(Token(uid: uid, place: "VCALENDAR/\(line.name)", line: line.canonical))
        }
        for todo in self.root.children where todo.name == "VTODO" {
            let occurrence = todo.value("RECURRENCE-ID").map { "VTODO<\($0)>" } ?? ""
            Self.collect(todo, uid, occurrence, &tokens)
        }
        return tokens
    }

    private static func collect(_ node: Node, _ uid: String, _ place: String, _ tokens: inout Set<Token>) {
        if !place.isEmpty { tokens.insert(Token(uid: uid, place: place, line: "BEGIN")) }
        for line in node.lines where !self.stamps.contains(line.name) {
            let at = place.isEmpty ? line.name : "\(place)/\(line.name)"
            guard self.lists.contains(line.name) else {
                tokens.insert(Token(uid: uid, place: at, line: line.canonical))
                continue
            }
            for value in line.value.split(separator: ",") {
                tokens.insert(Token(uid: uid, place: at, line: String(value)))
            }
        }
        for child in node.children {
            let prefix = place.isEmpty ? "" : "\(place)/"
            if let own = child.value("UID") {
                self.collect(child, uid, "\(prefix)\(child.name)<\(own)>", &tokens)
            } else {
                tokens.insert(Token(uid: uid, place: prefix + child.name, line: child.canonical))
            }
        }
    }

    /// Every line but DTSTAMP, the time of writing; the same for every order and folding.
    var canonical: String { self.root.canonical }
}

extension CalendarText.Node {
    var canonical: String {
        let lines = self.lines.filter { $0.name != "DTSTAMP" }.map(\.canonical).sorted()
        return "\(self.name){\((lines + self.children.map(\.canonical).sorted()).joined(separator: "|"))}"
    }
}

extension Token {
    /// The property's name.
    var property: String { self.place.split(separator: "/").last.map(String.init) ?? self.place }
    /// Whether several of them can be at its place.
    var isOneOfMany: Bool { CalendarText.lists.contains(self.property) || self.property == "VALARM" }
    /// The value without name and parameters.
    var value: String {
        guard !CalendarText.lists.contains(self.property), let colon = self.line.firstIndex(of: ":") else {
            return self.line
        }
        return String(self.line[self.line.index(after: colon)...])
    }
}
