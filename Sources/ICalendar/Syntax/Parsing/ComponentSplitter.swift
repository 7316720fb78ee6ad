/// Splits a stream into components while it arrives, so that memory depends only on the largest component.
///
/// The splitter recognises only lines, BEGIN and END. ``ICalendarDocument`` parses the returned bytes.
public struct ComponentSplitter: Sendable {
    /// The components that are accepted without a VCALENDAR around them.
    static let known: Set<Name> = [.vtodo, .vevent, .vjournal, .vfreebusy, .vtimezone]
    let limits: ParseLimits
    private let table = NameTable.standard
    private var lineFeed: UInt8?
    private var beginning: [UInt8] = []
    /// The bytes of the incomplete logical line: all its physical lines, folds included.
    var pending: [UInt8] = []
    /// Whether the pending line exceeds the limit, so that ``pending`` contains only its beginning.
    private var isPendingTooLong = false
    /// Whether the last physical line in ``pending`` is complete; the next byte then shows whether a fold follows.
    private var isAtLineEnd = false
    private var isPendingBlank = false
    private var isPendingFolded = false
    /// The number of the first physical line in ``pending``; `physicalNumber` counts all physical lines.
    var number = 1
    private var physicalNumber = 1
    /// The names of the open components except VCALENDAR, the outermost first.
    var open: [Name] = []
    var depthBeyondLimit = 0
    var isInCalendar = false
    var isOutside = false
    var component: [UInt8] = []
    /// The current chunk; `run` is the part of it that belongs to the open component and is not copied yet.
    var source: [UInt8] = []
    var run = 0..<0
    /// The current line, if the chunk contains it completely; otherwise ``pending`` contains the line.
    var whole: Range<Int>?
    var componentLine = 1
    var rejection: ParseIssue?
    var parts: [Part] = []
    var hasContent = false

    /// Whether the stream ended inside a component, so that it is incomplete.
    public private(set) var isTruncated = false
    /// Whether the stream has contained a VCALENDAR or a component that is accepted without it.
    public internal(set) var hasComponents = false

    /// Creates a splitter for a new stream.
    public init(limits: ParseLimits = .standard) {
        self.limits = limits
    }

    /// Adds a chunk, which may end anywhere in the stream; returns the parts that are now complete, in order.
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

    /// Ends the stream and returns the last parts; an open component is returned as far as it was received.
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

    private mutating func readBeginning(_ lineFeed: UInt8) {
        self.lineFeed = lineFeed
        let beginning = self.beginning
        self.beginning = []
        self.read(beginning.span.startsWithByteOrderMark ? Array(beginning[3...]) : beginning, lineFeed)
    }

    private mutating func read(_ chunk: [UInt8], _ lineFeed: UInt8) {
        self.source = chunk
        let bytes = chunk.span
        var start = 0
        while start < bytes.count {
            if self.pending.isEmpty, let end = self.handleWholeLine(bytes, start, lineFeed) {
                start = end
                continue
            }
            self.endRun()
            if self.isAtLineEnd {
                self.isAtLineEnd = false
                guard bytes[start].isFold, !self.isPendingBlank else {
                    self.endLine()
                    continue
                }
                self.isPendingFolded = true
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
        self.endRun()
        self.source = []
    }

    /// Reads the logical line at `start` and returns its end; `nil` if it is too long or may continue after the chunk.
    @inline(__always)
    private mutating func handleWholeLine(_ bytes: Span<UInt8>, _ start: Int, _ lineFeed: UInt8) -> Int? {
        var end = bytes.lineEnd(from: start, lineFeed)
        var physicalLines = 1
        guard end < bytes.count else { return nil }
        if bytes[end].isFold, bytes.trimmingLineEnd(start..<end) > start {
            while bytes[end].isFold {
                end = bytes.lineEnd(from: end, lineFeed)
                physicalLines += 1
                guard end < bytes.count, end - start <= self.limits.lineBytes else { return nil }
            }
        }
        guard end - start <= self.limits.lineBytes else { return nil }
        self.physicalNumber &+= physicalLines
        if !self.open.isEmpty, !bytes.isLikeMarker(start, isFolded: physicalLines > 1) {
            self.whole = start..<end
            if !self.hasContent { self.hasContent = !self.source[start..<end].isBlankLine }
            self.grow()
            self.whole = nil
            self.number = self.physicalNumber
        } else if self.open.isEmpty, bytes.trimmingLineEnd(start..<end) == start {
            // Outside of all components a blank line is ignored.
            self.number = self.physicalNumber
        } else {
            self.handleMarker(bytes, start..<end, isFolded: physicalLines > 1)
        }
        return end
    }

    private mutating func handleMarker(_ bytes: Span<UInt8>, _ line: Range<Int>, isFolded: Bool) {
        if !isFolded, let name = bytes.marked(line, .beginMarker, length: 6) {
            self.whole = line
            self.begin(name)
        } else if !isFolded, let name = bytes.marked(line, .endMarker, length: 4) {
            self.whole = line
            self.end(name)
        } else {
            self.endRun()
            self.pending = Array(self.source[line])
            return self.endLine()
        }
        self.whole = nil
        self.number = self.physicalNumber
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        guard !self.isPendingTooLong, self.pending.count + piece.count <= self.limits.lineBytes else {
            // The first bytes are enough to recognise BEGIN and END.
            self.pending = Array((self.pending + piece.prefix(Self.keptOfTooLong)).prefix(Self.keptOfTooLong))
            self.isPendingTooLong = true
            return
        }
        self.pending += piece
    }

    private static let keptOfTooLong = 128

    private mutating func endLine() {
        defer {
            self.pending.removeAll(keepingCapacity: true)
            self.isPendingTooLong = false
            self.isPendingFolded = false
            self.number = self.physicalNumber
        }
        guard !self.pending.isEmpty else { return }
        if self.isPendingTooLong { self.reject(.lineTooLong) }
        guard let marker = self.marker() else { return self.content() }
        if marker.isBegin { self.begin(marker.name) } else { self.end(marker.name) }
    }

    private func marker() -> (isBegin: Bool, name: Name)? {
        guard let first = self.pending.first?.capital, first == UInt8(ascii: "B") || first == UInt8(ascii: "E"),
            let lineFeed = self.lineFeed
        else { return nil }
        let content = self.pending.unfolded(0..<self.pending.count, lineFeed)
        guard let head = LineScanner.head(content.span, 0, lineFeed, self.table),
            head.name == NameTable.begin || head.name == NameTable.end,
            let name = Name(String(decoding: content.dropFirst(head.value).trimmingFolds, as: UTF8.self))
        else { return nil }
        return (head.name == NameTable.begin, name)
    }

    /// A part of a stream.
    public enum Part: Sendable {
        /// The BEGIN of a VCALENDAR, in this line.
        case calendarBegin(line: Int)
        /// A property of the VCALENDAR, in wire form.
        case property(bytes: [UInt8], line: Int)
        /// A whole component of the VCALENDAR, in wire form.
        case component(name: Name, bytes: [UInt8], line: Int)
        /// The END of a VCALENDAR.
        case calendarEnd
        /// An issue; the part of the stream with it is skipped.
        case issue(ParseIssue)
    }

    mutating func reject(_ code: ParseIssue.Code) {
        let issue = ParseIssue(code, line: self.number, subject: self.open.first?.canonical)
        if self.open.isEmpty {
            self.parts.append(.issue(issue))
            self.pending.removeAll(keepingCapacity: true)
        } else if self.rejection == nil {
            self.rejection = issue
        }
    }

    mutating func content() {
        let isBlank = self.pending[...].isBlankLine
        guard self.open.isEmpty else {
            if !isBlank { self.hasContent = true }
            return self.grow()
        }
        if self.isInCalendar, !isBlank {
            self.parts.append(.property(bytes: self.pending, line: self.number))
        } else if !isBlank, !self.isOutside {
            // Consecutive lines outside a calendar, such as a mail header, give only one issue.
            self.isOutside = true
            self.parts.append(.issue(ParseIssue(.unexpectedText, line: self.number)))
        }
    }

    @inline(__always)
    mutating func grow() {
        guard self.rejection == nil else { return }
        let count = self.whole?.count ?? self.pending.count
        guard self.component.count &+ self.run.count &+ count <= self.limits.componentBytes else {
            return self.reject(.componentTooLarge)
        }
        if let whole = self.whole {
            self.run = (self.run.isEmpty ? whole.lowerBound : self.run.lowerBound)..<whole.upperBound
        } else {
            self.component += self.pending
        }
    }

    mutating func endRun() {
        if !self.run.isEmpty { self.component += self.source[self.run] }
        self.run = 0..<0
    }

    mutating func begin(_ name: Name) {
        self.isOutside = false
        if name == .vcalendar {
            // No component contains a VCALENDAR, so the END of the open component is missing.
            if !self.open.isEmpty { self.endComponent() }
            self.isInCalendar = true
            self.hasComponents = true
            self.parts.append(.calendarBegin(line: self.number))
            return
        }
        // A to-do contains no to-do, for example. So the END of the open component with this name is missing.
        if name == self.open.first, self.hasContent { self.endComponent() }
        if self.open.isEmpty {
            self.componentLine = self.number
            self.rejection = nil
            self.hasContent = false
            if Self.known.contains(name) { self.hasComponents = true }
        }
        // The surrounding VCALENDAR counts as one level.
        if self.depthBeyondLimit > 0 || self.open.count + (self.isInCalendar ? 1 : 0) >= self.limits.depth {
            if self.rejection == nil { self.rejection = ParseIssue(.tooDeep, line: self.number) }
            self.depthBeyondLimit += 1
        } else {
            self.open.append(name)
        }
        self.grow()
    }

    mutating func end(_ name: Name) {
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

    mutating func endComponent(_ ended: Name? = nil) {
        defer {
            self.open.removeAll(keepingCapacity: true)
            self.component = []
            self.run = 0..<0
            self.rejection = nil
            self.depthBeyondLimit = 0
        }
        guard let name = ended ?? self.open.first else { return }
        if let rejection {
            self.parts.append(.issue(rejection))
        } else {
            self.endRun()
            self.parts.append(.component(name: name, bytes: self.component, line: self.componentLine))
        }
    }
}
