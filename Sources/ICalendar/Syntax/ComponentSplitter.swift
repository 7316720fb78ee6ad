/// Cuts a stream into its components while it arrives, so that a file of any size is read in the memory of its largest
/// component.
///
/// Knows nothing but lines, BEGIN and END. A component comes out as its bytes, to be read with ``ICalendarDocument``.
public struct ComponentSplitter: Sendable {
    /// What was cut off the stream.
    public enum Part: Sendable {
        /// A BEGIN:VCALENDAR.
        case calendarBegin(line: Int)
        /// The physical lines of a property of the VCALENDAR itself.
        case property(bytes: [UInt8], line: Int)
        /// A component directly inside a VCALENDAR, or one that stands alone, from BEGIN to END.
        case component(name: Name, bytes: [UInt8], line: Int)
        /// An END:VCALENDAR.
        case calendarEnd
        /// Something that was left out.
        case issue(ParseIssue)
    }

    /// Components that may stand alone where a VCALENDAR is missing.
    static let known: Set<Name> = [.vtodo, .vevent, .vjournal, .vfreebusy, .vtimezone]

    private let limits: ParseLimits
    private let table = NameTable.standard
    /// What ends a line; `nil` until enough of the stream is there to tell.
    private var lineFeed: UInt8?
    /// The beginning of the stream, while nobody knows what ends its lines.
    private var beginning: [UInt8] = []
    /// The logical line that has not ended yet: all its physical lines, folds included.
    private var pending: [UInt8] = []
    /// Whether the pending line has outgrown the limit and only its beginning is kept.
    private var isPendingTooLong = false
    /// Whether the last physical line of the pending line has its end, so that the next byte tells a fold.
    private var isAtLineEnd = false
    /// Whether the pending line is blank: such a line is never continued.
    private var isPendingBlank = false
    /// Whether the pending line has more than one physical line.
    private var isPendingFolded = false
    /// The number of the pending line's first physical line, and of the physical line that is read.
    private var number = 1
    private var physicalNumber = 1
    /// The component that is open, without VCALENDAR.
    private var open: [Name] = []
    /// How many components are open beyond the limit, which are only counted.
    private var depthBeyondLimit = 0
    private var isInCalendar = false
    private var component: [UInt8] = []
    private var componentLine = 1
    /// Why the open component will be left out.
    private var rejection: ParseIssue?
    private var parts: [Part] = []
    /// Whether the open component holds anything but its BEGIN.
    private var hasContent = false

    /// Whether the stream ended inside a component: it is only a part of what was written.
    public private(set) var isTruncated = false
    /// Whether any component of iCalendar has been seen.
    public private(set) var hasComponents = false

    /// A splitter at the start of a stream.
    public init(limits: ParseLimits = .standard) {
        self.limits = limits
    }

    /// Takes the next piece of the stream; how the stream is cut makes no difference.
    ///
    /// - Returns: what it completes, in order.
    public mutating func push(_ chunk: [UInt8]) -> [Part] {
        if let lineFeed = self.lineFeed {
            self.read(chunk, lineFeed)
        } else {
            let known = self.beginning.count
            self.beginning += chunk
            if let lineFeed = self.beginning.span.lineFeed(known: known, isWhole: false) {
                self.readBeginning(lineFeed)
            }
        }
        defer { self.parts.removeAll(keepingCapacity: true) }
        return self.parts
    }

    /// Takes the end of the stream.
    ///
    /// - Returns: what was still open, as far as it goes.
    public mutating func finish() -> [Part] {
        if self.lineFeed == nil { self.readBeginning(self.beginning.span.lineFeed(known: 0, isWhole: true) ?? 0x0A) }
        self.endLine()
        if !self.open.isEmpty {
            self.isTruncated = true
            self.endComponent()
        }
        if self.isInCalendar { self.isTruncated = true }
        defer { self.parts.removeAll() }
        return self.parts
    }

    /// Reads what has been held back.
    private mutating func readBeginning(_ lineFeed: UInt8) {
        self.lineFeed = lineFeed
        let beginning = self.beginning
        self.beginning = []
        self.read(beginning.span.startsWithByteOrderMark ? Array(beginning[3...]) : beginning, lineFeed)
    }

    private mutating func read(_ chunk: [UInt8], _ lineFeed: UInt8) {
        let bytes = chunk.span
        var start = 0
        while start < bytes.count {
            if self.isAtLineEnd {
                if bytes[start].isFold, !self.isPendingBlank { self.isPendingFolded = true } else { self.endLine() }
                self.isAtLineEnd = false
            }
            let end = bytes.lineEnd(from: start, lineFeed)
            self.keep(chunk[start..<end])
            if bytes[end - 1] == lineFeed {
                self.isAtLineEnd = true
                self.physicalNumber += 1
                if !self.isPendingFolded {
                    let line = self.pending
                    self.isPendingBlank = line.span.trimmingLineEnd(0..<line.count) == 0
                }
            }
            start = end
        }
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        guard !self.isPendingTooLong, self.pending.count + piece.count <= self.limits.lineBytes else {
            // The beginning is enough to know what the line is.
            self.pending = Array((self.pending + piece.prefix(Self.keptOfTooLong)).prefix(Self.keptOfTooLong))
            self.isPendingTooLong = true
            return
        }
        self.pending += piece
    }

    private static let keptOfTooLong = 128

    /// Takes the pending line as a whole, and begins the next.
    private mutating func endLine() {
        defer {
            self.pending.removeAll(keepingCapacity: true)
            self.isPendingTooLong = false
            self.isPendingFolded = false
            self.number = self.physicalNumber
        }
        guard !self.pending.isEmpty else { return }
        if self.isPendingTooLong { self.reject(.lineTooLong) }
        switch self.marker() {
        case .begin(let name): self.begin(name)
        case .end(let name): self.end(name)
        case nil: self.content()
        }
    }

    private mutating func reject(_ code: ParseIssue.Code) {
        let issue = ParseIssue(code, line: self.number, subject: self.open.first?.canonical)
        if self.open.isEmpty {
            self.parts.append(.issue(issue))
            self.pending.removeAll(keepingCapacity: true)
        } else if self.rejection == nil {
            self.rejection = issue
        }
    }

    private mutating func content() {
        let isBlank = self.pending.allSatisfy { $0 == 0x0A || $0 == 0x0D || $0.isFold }
        guard self.open.isEmpty else {
            if !isBlank { self.hasContent = true }
            return self.grow()
        }
        if self.isInCalendar, !isBlank {
            self.parts.append(.property(bytes: self.pending, line: self.number))
        } else if !isBlank {
            self.parts.append(.issue(ParseIssue(.unexpectedText, line: self.number)))
        }
    }

    /// Adds the pending line to the open component.
    private mutating func grow() {
        guard self.rejection == nil else { return }
        guard self.component.count + self.pending.count <= self.limits.componentBytes else {
            return self.reject(.componentTooLarge)
        }
        self.component += self.pending
    }

    private mutating func begin(_ name: Name) {
        if name == .vcalendar {
            // A calendar inside a calendar: the END of the first is missing.
            if !self.open.isEmpty { self.endComponent() }
            self.isInCalendar = true
            self.hasComponents = true
            self.parts.append(.calendarBegin(line: self.number))
            return
        }
        // A to-do inside a to-do that says something: the END of the first is missing.
        if self.open.count == 1, name == self.open[0], self.hasContent { self.endComponent() }
        if self.open.isEmpty {
            self.component.removeAll(keepingCapacity: true)
            self.componentLine = self.number
            self.rejection = nil
            self.hasContent = false
            if Self.known.contains(name) { self.hasComponents = true }
        }
        // The VCALENDAR around it counts as one.
        if self.depthBeyondLimit > 0 || self.open.count + (self.isInCalendar ? 1 : 0) >= self.limits.depth {
            if self.rejection == nil { self.rejection = ParseIssue(.tooDeep, line: self.number) }
            self.depthBeyondLimit += 1
        } else {
            self.open.append(name)
        }
        self.grow()
    }

    private mutating func end(_ name: Name) {
        if name == .vcalendar {
            if !self.open.isEmpty { self.endComponent() }
            if self.isInCalendar { self.parts.append(.calendarEnd) }
            self.isInCalendar = false
            return
        }
        if self.depthBeyondLimit > 0 {
            self.depthBeyondLimit -= 1
            return self.grow()
        }
        guard let depth = self.open.lastIndex(of: name) else {
            if self.open.isEmpty {
                self.parts.append(.issue(ParseIssue(.unexpectedEnd, line: self.number, subject: name.canonical)))
            } else {
                self.grow()
            }
            return
        }
        self.grow()
        self.open.removeSubrange(depth...)
        if self.open.isEmpty { self.endComponent(name) }
    }

    private mutating func endComponent(_ ended: Name? = nil) {
        defer {
            self.open.removeAll(keepingCapacity: true)
            self.component.removeAll(keepingCapacity: true)
            self.rejection = nil
            self.depthBeyondLimit = 0
        }
        guard let name = ended ?? self.open.first else { return }
        if let rejection {
            self.parts.append(.issue(rejection))
        } else {
            self.parts.append(.component(name: name, bytes: self.component, line: self.componentLine))
        }
    }

    private enum Marker {
        case begin(Name)
        case end(Name)
    }

    /// What the pending line begins or ends, `nil` when it is any other line.
    private func marker() -> Marker? {
        guard let first = self.pending.first?.capital, first == UInt8(ascii: "B") || first == UInt8(ascii: "E"),
            let lineFeed = self.lineFeed
        else { return nil }
        let content = self.pending.unfolded(0..<self.pending.count, lineFeed)
        guard let head = LineScanner.head(content.span, 0, lineFeed, self.table),
            head.name == NameTable.begin || head.name == NameTable.end,
            let name = Name(String(decoding: content.dropFirst(head.value).trimmingFolds, as: UTF8.self))
        else { return nil }
        return head.name == NameTable.begin ? .begin(name) : .end(name)
    }
}

extension Span<UInt8> {
    /// So much of a stream tells what ends its lines.
    private static var beginning: Int { 1 << 16 }

    /// What ends the lines of the stream that begins with these bytes: LF, or CR alone where the beginning has no LF
    /// (Lotus Notes).
    ///
    /// - Parameters:
    ///   - known: so many bytes were asked about before, and nobody could tell.
    ///   - isWhole: whether nothing comes after them.
    /// - Returns: `nil` when that cannot be told yet.
    func lineFeed(known: Int, isWhole: Bool) -> UInt8? {
        // One byte more: the CR of a CRLF may be the last.
        let end = Swift.min(self.count, Self.beginning + 1)
        for position in Swift.min(known, end)..<end where self[position] == 0x0A { return 0x0A }
        guard isWhole || self.count > Self.beginning else { return nil }
        for position in 0..<Swift.min(end, Self.beginning) where self[position] == 0x0D { return 0x0D }
        return 0x0A
    }
}
