/// An iCalendar stream: the bytes as they were received, and an index of what lies where in them (RFC 5545 §3.4).
///
/// Reading never fails: what cannot be read is an issue, and stays in the bytes. Components and properties are views;
/// they are decoded when somebody asks. Nothing is changed in place: ``applying(_:)`` makes another document, in which
/// every byte outside of the edits is as it was.
public struct ICalendarDocument: Sendable {
    let storage: DocumentStorage

    /// Reads `bytes`.
    ///
    /// - Parameters:
    ///   - limits: what is accepted from a stranger.
    ///   - firstLine: the number of the first line, for a part of a larger stream.
    public init(_ bytes: [UInt8], limits: ParseLimits = .standard, firstLine: Int = 1) {
        var scanner = LineScanner(limits: limits, firstLine: firstLine)
        scanner.scan(bytes)
        var builder = ComponentBuilder(limits: limits)
        builder.build(scanner.takeLines(), unfolded: scanner.unfolded, source: bytes)
        self.storage = DocumentStorage(
            source: bytes,
            unfolded: scanner.unfolded,
            lines: builder.lines,
            components: builder.components,
            issues: (scanner.issues + builder.issues).sorted { $0.line < $1.line },
            limits: limits
        )
    }

    /// Reads a text.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// The stream, byte for byte as it was received.
    public var bytes: [UInt8] { self.storage.source }

    /// What could not be read, by line.
    public var issues: [ParseIssue] { self.storage.issues }

    /// The components that stand in no other, in order: usually one VCALENDAR.
    public var components: [Component] { self.children(of: DocumentStorage.noParent) }

    /// Every component of that name, however deep, in order.
    public func all(_ name: Name) -> [Component] {
        self.storage.components.indices.lazy
            .filter { self.storage.components[$0].key == name.key }
            .map { Component(storage: self.storage, index: $0) }
            .filter { $0.name == name }
    }

    /// Whether any component of iCalendar is in it, in a VCALENDAR or alone.
    public var isICalendar: Bool {
        self.components.contains { $0.name == .vcalendar || ComponentSplitter.known.contains($0.name) }
    }

    /// The first VCALENDAR, or `nil` when there is none.
    public var calendar: Component? { self.components.first { $0.name == .vcalendar } }

    /// Another document with those parts replaced.
    ///
    /// - Parameter edits: ranges of ``bytes`` that do not overlap, in any order. What is inserted where another edit
    ///   begins comes before it; of several insertions at one place the first comes first. Of edits that overlap all the
    ///   same, the one that begins first counts.
    public func applying(_ edits: [Edit]) -> Self {
        guard !edits.isEmpty else { return self }
        let ordered = edits.enumerated()
            .sorted { $0.element.order(at: $0.offset) < $1.element.order(at: $1.offset) }
            .map(\.element)
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + edits.reduce(0) { $0 + $1.replacement.count })
        var position = 0
        for edit in ordered {
            guard edit.range.lowerBound >= position, edit.range.upperBound <= self.bytes.count else { continue }
            result += self.bytes[position..<edit.range.lowerBound]
            result += edit.replacement
            position = edit.range.upperBound
        }
        result += self.bytes[position...]
        return Self(result, limits: self.storage.limits)
    }

    private func children(of parent: Int32) -> [Component] {
        self.storage.components.indices.lazy
            .filter { self.storage.components[$0].parent == parent }
            .map { Component(storage: self.storage, index: $0) }
    }
}

/// A part of a document's bytes and what to put there.
public struct Edit: Hashable, Sendable {
    /// Where in the document's bytes; empty to insert.
    public let range: Range<Int>
    /// What to put there; empty to remove.
    public let replacement: [UInt8]

    /// Where the edit comes among others: by place, insertions first, then as they were made.
    fileprivate func order(at offset: Int) -> (Int, Int, Int) {
        (self.range.lowerBound, self.range.isEmpty ? 0 : 1, offset)
    }

    /// Puts `replacement` in the place of `range`.
    public init(_ range: Range<Int>, _ replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

/// Where one component lies among the lines.
struct ComponentRecord: Sendable {
    /// The line of its BEGIN.
    var begin: Int32
    /// The line of its END, or one past its last line when that is missing.
    var end: Int32
    /// The component around it, or ``DocumentStorage/noParent``.
    var parent: Int32
    /// The first component after it and everything in it.
    var next: Int32
    /// Whether it has an END of its own.
    var isEnded: Bool
    /// What its name is compared with first.
    let key: NameKey
}

/// What all views of one document share.
final class DocumentStorage: Sendable {
    static let noParent: Int32 = -1

    let source: [UInt8]
    let unfolded: [UInt8]
    let lines: [LineRecord]
    let components: [ComponentRecord]
    let issues: [ParseIssue]
    let limits: ParseLimits

    init(
        source: [UInt8],
        unfolded: [UInt8],
        lines: [LineRecord],
        components: [ComponentRecord],
        issues: [ParseIssue],
        limits: ParseLimits
    ) {
        self.source = source
        self.unfolded = unfolded
        self.lines = lines
        self.components = components
        self.issues = issues
        self.limits = limits
    }

    /// The unfolded bytes of a line, from `offset` on.
    func content(_ line: LineRecord, from offset: Int = 0) -> ArraySlice<UInt8> {
        let start = Int(line.content) + offset
        let end = Int(line.content) + Int(line.contentLength)
        return line.isUnfolded ? self.unfolded[start..<end] : self.source[start..<end]
    }

    /// The name of a line as it is written.
    func name(_ line: LineRecord) -> String {
        String(decoding: self.content(line).prefix(Int(line.nameLength)), as: UTF8.self)
    }

    /// Whether a line has that name.
    func matches(_ line: LineRecord, _ name: Name) -> Bool {
        guard line.key == name.key.bits else { return false }
        guard !name.key.isExact else { return true }
        return Int(line.nameLength) == name.canonical.utf8.count
            && zip(self.content(line), name.canonical.utf8).allSatisfy { $0.capital == $1 }
    }
}

/// Content lines → a tree of components (RFC 5545 §3.6).
///
/// Works with a stack of its own, so that hostile nesting cannot exhaust the program's.
struct ComponentBuilder {
    private(set) var lines: [LineRecord] = []
    private(set) var components: [ComponentRecord] = []
    private(set) var issues: [ParseIssue] = []
    private var open: [(index: Int, name: Name)] = []
    /// How many components too deep we are; their lines are kept and not read.
    private var depthBeyondLimit = 0
    private let limits: ParseLimits

    init(limits: ParseLimits) {
        self.limits = limits
    }

    /// - Parameter lines: handed over whole, so that they are changed in place.
    mutating func build(_ lines: consuming [LineRecord], unfolded: [UInt8], source: [UInt8]) {
        self.lines = lines
        let text = DocumentStorage(
            source: source,
            unfolded: unfolded,
            lines: [],
            components: [],
            issues: [],
            limits: self.limits
        )
        for index in self.lines.indices {
            switch self.lines[index].kind {
            case .begin: self.begin(index, text)
            case .end: self.end(index, text)
            case .property: self.property(index)
            case .blank, .bad: break
            }
        }
        while !self.open.isEmpty { self.close(at: self.lines.count, isEnded: false) }
    }

    private mutating func begin(_ index: Int, _ text: DocumentStorage) {
        guard self.depthBeyondLimit == 0, self.open.count < self.limits.depth else {
            if self.depthBeyondLimit == 0 { self.report(.tooDeep, index) }
            self.depthBeyondLimit += 1
            self.lines[index].kind = .bad
            return
        }
        guard let name = self.componentName(index, text) else {
            self.report(.badName, index)
            self.lines[index].kind = .bad
            return
        }
        self.lines[index].component = UInt32(self.components.count)
        self.open.append((self.components.count, name))
        let parent = self.open.count > 1 ? Int32(self.open[self.open.count - 2].index) : DocumentStorage.noParent
        self.components.append(
            ComponentRecord(
                begin: Int32(index),
                end: Int32(index),
                parent: parent,
                next: 0,
                isEnded: false,
                key: name.key
            )
        )
    }

    /// Ends the component of that name; those inside it that were not ended end here too (crossed BEGIN and END).
    private mutating func end(_ index: Int, _ text: DocumentStorage) {
        guard self.depthBeyondLimit == 0 else {
            self.depthBeyondLimit -= 1
            self.lines[index].kind = .bad
            return
        }
        let name = self.componentName(index, text)
        guard let depth = self.open.lastIndex(where: { $0.name == name }) else {
            self.report(.unexpectedEnd, index, name?.canonical)
            self.lines[index].kind = .bad
            return
        }
        while self.open.count > depth + 1 { self.close(at: index, isEnded: false) }
        self.close(at: index, isEnded: true)
    }

    private mutating func property(_ index: Int) {
        if self.depthBeyondLimit > 0 {
            self.lines[index].kind = .bad
        } else if self.open.isEmpty {
            self.report(.unexpectedText, index)
            self.lines[index].kind = .bad
        }
    }

    private mutating func close(at line: Int, isEnded: Bool) {
        let (index, name) = self.open.removeLast()
        self.components[index].end = Int32(line)
        self.components[index].isEnded = isEnded
        self.components[index].next = Int32(self.components.count)
        if !isEnded { self.report(.missingEnd, Int(self.components[index].begin), name.canonical) }
    }

    private func componentName(_ index: Int, _ text: DocumentStorage) -> Name? {
        let line = self.lines[index]
        let value = text.content(line, from: Int(line.value))
        let trimmed = value.drop(while: \.isFold).prefix { !$0.isFold }
        return Name(String(decoding: trimmed, as: UTF8.self))
    }

    private mutating func report(_ code: ParseIssue.Code, _ index: Int, _ subject: String? = nil) {
        guard self.issues.count < self.limits.issues else { return }
        self.issues.append(ParseIssue(code, line: Int(self.lines[index].number), subject: subject))
    }
}
