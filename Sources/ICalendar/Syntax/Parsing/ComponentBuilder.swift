/// Builds the tree of components (RFC 5545 §3.6) without recursion, so deep nesting cannot overflow the stack.
struct ComponentBuilder {
    private(set) var lines: [LineRecord] = []
    private(set) var components: [ComponentRecord] = []
    private var issues: [ParseIssue] = []
    private var scanner: LineScanner
    private var open: [Open] = []
    /// Whether the outermost open component, apart from VCALENDAR, has a line after its BEGIN.
    private var hasContent = false
    private var isOutside = false
    /// The number of open components beyond the depth limit; their lines are stored but not parsed.
    private var depthBeyondLimit = 0
    private let source: [UInt8]
    private let limits: ParseLimits

    private struct Open {
        let index: Int
        let name: Name
    }

    init(_ source: [UInt8], limits: ParseLimits, firstLine: Int) {
        self.source = source
        self.limits = limits
        self.scanner = LineScanner(source.span, limits: limits, firstLine: firstLine)
    }

    var lineFeed: UInt8 { self.scanner.lineFeed }
    var allIssues: [ParseIssue] { (self.scanner.issues + self.issues).sorted { $0.line < $1.line } }

    mutating func build() {
        let source = self.source
        let bytes = source.span
        guard bytes.count <= min(self.limits.documentBytes, Int(UInt32.max)) else { return self.refuse() }
        // In most files, a line has more than 24 bytes on average. Unused capacity takes no physical memory.
        self.lines.reserveCapacity(bytes.count / 24 + 2)
        while self.scanner.position < bytes.count {
            var line = self.scanner.next(source, bytes)
            switch line.kind {
            case .property: self.property(&line)
            case .begin: self.begin(&line)
            case .end: self.end(&line)
            case .blank where self.lines.last?.kind == .blank: continue
            case .bad where self.tears(line): continue
            case .blank: break
            case .bad where self.open.isEmpty: self.misplace(line)
            case .bad: self.hasContent = true
            }
            self.lines.append(line)
        }
        var last = LineRecord()
        last.start = UInt32(truncatingIfNeeded: bytes.count)
        last.number = UInt32(clamping: self.scanner.number)
        self.lines.append(last)
        while !self.open.isEmpty { self.close(at: self.lines.count - 1, isEnded: false) }
    }

    /// Reports that the document exceeds the size limit, and stores no lines, because line offsets have 32 bits.
    private mutating func refuse() {
        self.lines = [LineRecord()]
        self.issues = [ParseIssue(.documentTooLarge, line: self.scanner.number)]
    }

    private mutating func begin(_ line: inout LineRecord) {
        let name = self.componentName(line)
        self.isOutside = false
        if let name { self.endForgotten(name) }
        guard self.depthBeyondLimit == 0, self.open.count < self.limits.depth else {
            if self.depthBeyondLimit == 0 { self.report(.tooDeep, line) }
            self.depthBeyondLimit += 1
            line.kind = .bad
            return
        }
        guard let name else {
            self.report(.badName, line)
            line.kind = .bad
            return
        }
        self.components.append(
            ComponentRecord(
                begin: UInt32(truncatingIfNeeded: self.lines.count),
                end: UInt32(truncatingIfNeeded: self.lines.count),
                parent: self.open.last.map { Int32(truncatingIfNeeded: $0.index) } ?? DocumentStorage.noParent,
                next: 0,
                name: name.number,
                isEnded: false
            )
        )
        self.open.append(Open(index: self.components.count - 1, name: name))
    }

    /// Closes the open components that lack an END, before the component `name` begins.
    ///
    /// BEGIN:VCALENDAR closes all open components. Any other BEGIN closes the outermost open component in a VCALENDAR
    /// if that component also has the name `name` and is not empty: no to-do contains a to-do. ``ComponentSplitter``
    /// follows the same rule.
    private mutating func endForgotten(_ name: Name) {
        let calendars = self.open.prefix { $0.name == .vcalendar }.count
        let isNext = self.hasContent && calendars < self.open.count && self.open[calendars].name == name
        guard isNext || name == .vcalendar else {
            if self.open.count == calendars { self.hasContent = false }
            return
        }
        let kept = name == .vcalendar ? 0 : calendars
        while self.open.count > kept { self.close(at: self.lines.count, isEnded: false) }
        self.depthBeyondLimit = 0
        self.hasContent = false
    }

    /// Closes the innermost open component of that name, and all open components inside it (crossed BEGIN and END).
    private mutating func end(_ line: inout LineRecord) {
        guard self.depthBeyondLimit == 0 else {
            self.depthBeyondLimit -= 1
            line.kind = .bad
            return
        }
        let name = self.componentName(line)
        guard let depth = self.open.lastIndex(where: { $0.name == name }) else {
            self.report(.unexpectedEnd, line, name?.canonical)
            line.kind = .bad
            return
        }
        while self.open.count > depth + 1 { self.close(at: self.lines.count, isEnded: false) }
        self.close(at: self.lines.count, isEnded: true)
    }

    @inline(__always)
    private mutating func property(_ line: inout LineRecord) {
        self.hasContent = true
        if self.depthBeyondLimit > 0 {
            line.kind = .bad
        } else if self.open.isEmpty {
            self.reportOutside(line)
            line.kind = .bad
        }
    }

    /// Joins an invalid line to the text before it, if an unescaped line end split that text; returns whether it did.
    private mutating func tears(_ line: LineRecord) -> Bool {
        guard self.depthBeyondLimit == 0, !self.open.isEmpty else { return false }
        let hasBlank = self.lines.last?.kind == .blank
        let index = self.lines.count - (hasBlank ? 2 : 1)
        guard index >= 0, self.lines[index].kind == .property, Self.texts.contains(self.lines[index].name),
            self.lines[index].flags.contains(.isTorn) || !self.isQuotedPrintable(self.lines[index], before: line),
            !self.beginsWithName(line),
            self.scanner.position - Int(self.lines[index].start) <= self.limits.lineBytes,
            self.scanner.forgiveLast(line)
        else { return false }
        if hasBlank { self.lines.removeLast() }
        if !self.lines[index].flags.contains(.isTorn) {
            self.report(.tornText, line, self.scanner.table.names[Int(self.lines[index].name)].canonical)
            self.lines[index].flags.formUnion([.isTorn, .isFolded])
        }
        return true
    }

    /// The properties with multi-line texts in which programs forget to escape line ends.
    private static let texts = Set<UInt16>(
        [Name.summary, .description, .comment, .location, .contact].map(\.number)
    )

    /// Whether an invalid line looks like a property, as `DUE;VALUE=DATE` and `DUE 20260101` do.
    ///
    /// It begins with a well-known name in capitals. A semicolon follows the name, or the line has no small letter.
    private func beginsWithName(_ line: LineRecord) -> Bool {
        let content = self.source[Int(line.start)..<self.scanner.position]
        let word = content.prefix(while: \.isNameCharacter)
        guard word.count <= NameTable.maximumLength, word.allSatisfy({ $0.capital == $0 }) else { return false }
        let words = NameTableWords(self.source.span, word.startIndex, word.count)
        guard self.scanner.table.number(words) != NameTable.unknown else { return false }
        return content.dropFirst(word.count).first == UInt8(ascii: ";") || content.allSatisfy { $0.capital == $0 }
    }

    private func isQuotedPrintable(_ line: LineRecord, before next: LineRecord) -> Bool {
        guard line.flags.contains(.hasParameters) else { return false }
        let content = self.source.unfolded(Int(line.start)..<Int(next.start), self.lineFeed)
        return content.prefix(Int(line.value) - 1).declaresQuotedPrintable
    }

    private mutating func misplace(_ line: LineRecord) {
        guard self.scanner.forgiveLast(line) else { return }
        self.reportOutside(line)
    }

    private mutating func reportOutside(_ line: LineRecord) {
        if !self.isOutside { self.report(.unexpectedText, line) }
        self.isOutside = true
    }

    private mutating func close(at line: Int, isEnded: Bool) {
        let ended = self.open.removeLast()
        self.components[ended.index].end = UInt32(truncatingIfNeeded: line)
        self.components[ended.index].isEnded = isEnded
        self.components[ended.index].next = UInt32(truncatingIfNeeded: self.components.count)
        guard !isEnded else { return }
        self.report(.missingEnd, self.lines[Int(self.components[ended.index].begin)], ended.name.canonical)
    }

    private func componentName(_ line: LineRecord) -> Name? {
        let range = Int(line.start)..<self.scanner.position
        let bytes = self.source.span
        let start = range.lowerBound + Int(line.value)
        if !line.flags.contains(.isFolded) {
            let length = bytes.trimmingLineEnd(range) - start
            let number = self.scanner.table.number(NameTableWords(bytes, start, length))
            if number != NameTable.unknown { return self.scanner.table.names[Int(number)] }
            let written = self.source[start..<start + max(length, 0)]
            if !written.isEmpty, written.allSatisfy(\.isNameCharacter) {
                return Name(number: number, wire: String(decoding: written, as: UTF8.self))
            }
        }
        let content = self.source.unfolded(range, self.lineFeed)
        return Name(String(decoding: content.dropFirst(Int(line.value)).trimmingFolds, as: UTF8.self))
    }

    private mutating func report(_ code: ParseIssue.Code, _ line: LineRecord, _ subject: String? = nil) {
        // Errors have twice the limit, so that other findings cannot leave them without space.
        guard self.issues.count < self.limits.issues * (code.isError ? 2 : 1) else { return }
        self.issues.append(ParseIssue(code, line: Int(line.number), subject: subject))
    }
}
