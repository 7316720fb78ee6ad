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
    /// What ends a line; decided by the first chunk.
    private var lineFeed: UInt8?
    /// The physical line that has not ended yet.
    private var pending: [UInt8] = []
    /// Whether the pending line has outgrown the limit and is no longer kept.
    private var isPendingTooLong = false
    /// The line number that the pending line has.
    private var number = 1
    /// The component that is open, without VCALENDAR.
    private var open: [Name] = []
    /// How many components are open beyond the limit, which are only counted.
    private var depthBeyondLimit = 0
    private var isInCalendar = false
    private var component: [UInt8] = []
    private var componentLine = 1
    /// Why the open component will be left out.
    private var rejection: ParseIssue?
    private var property: [UInt8] = []
    private var propertyLine = 1
    private var parts: [Part] = []
    /// Bytes of the logical line that the last physical line belongs to.
    private var logicalLineBytes = 0

    /// Whether the stream ended inside a component: it is only a part of what was written.
    public private(set) var isTruncated = false
    /// Whether any component of iCalendar has been seen.
    public private(set) var hasComponents = false

    /// A splitter at the start of a stream.
    public init(limits: ParseLimits = .standard) {
        self.limits = limits
    }

    /// Takes the next piece of the stream.
    ///
    /// - Returns: what it completes, in order.
    public mutating func push(_ chunk: [UInt8]) -> [Part] {
        let bytes = chunk.span
        let lineFeed = self.lineFeed ?? (bytes.contains(0x0A, from: 0) || !bytes.contains(0x0D, from: 0) ? 0x0A : 0x0D)
        self.lineFeed = lineFeed
        var start = 0
        while start < bytes.count {
            let end = bytes.lineEnd(from: start, lineFeed)
            self.keep(chunk[start..<end])
            if chunk[end - 1] == lineFeed { self.endLine() }
            start = end
        }
        defer { self.parts.removeAll(keepingCapacity: true) }
        return self.parts
    }

    /// Takes the end of the stream.
    ///
    /// - Returns: what was still open, as far as it goes.
    public mutating func finish() -> [Part] {
        if !self.pending.isEmpty || self.isPendingTooLong { self.endLine() }
        self.endProperty()
        if !self.open.isEmpty {
            self.isTruncated = true
            self.endComponent()
        }
        if self.isInCalendar { self.isTruncated = true }
        defer { self.parts.removeAll() }
        return self.parts
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        guard self.pending.count + piece.count <= self.limits.lineBytes else {
            // The beginning is enough to know what the line is.
            if self.pending.isEmpty { self.pending += piece.prefix(128) }
            self.isPendingTooLong = true
            return
        }
        self.pending += piece
    }

    private mutating func endLine() {
        defer {
            self.pending.removeAll(keepingCapacity: true)
            self.isPendingTooLong = false
            self.number += 1
        }
        if self.number == 1, self.pending.span.startsWithByteOrderMark { self.pending.removeFirst(3) }
        let isContinued = self.pending.first?.isFold == true
        self.logicalLineBytes = (isContinued ? self.logicalLineBytes : 0) + self.pending.count
        if self.isPendingTooLong || self.logicalLineBytes > self.limits.lineBytes { self.reject(.lineTooLong) }
        if isContinued { return self.continueLine() }
        if let name = self.marker("BEGIN:") { return self.begin(name) }
        if let name = self.marker("END:") { return self.end(name) }
        self.content()
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

    private mutating func continueLine() {
        if self.open.isEmpty {
            if !self.property.isEmpty { self.property += self.pending }
        } else {
            self.grow()
        }
    }

    private mutating func content() {
        guard self.open.isEmpty else { return self.grow() }
        self.endProperty()
        let isBlank = self.pending.allSatisfy { $0 == 0x0A || $0 == 0x0D || $0.isFold }
        if self.isInCalendar, !isBlank {
            self.property = self.pending
            self.propertyLine = self.number
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
        self.endProperty()
        if name == .vcalendar {
            // A calendar inside a calendar: the END of the first is missing.
            if !self.open.isEmpty { self.endComponent() }
            self.isInCalendar = true
            self.hasComponents = true
            self.parts.append(.calendarBegin(line: self.number))
            return
        }
        // A to-do inside a to-do: the END of the first is missing.
        if self.open.count == 1, name == self.open[0] { self.endComponent() }
        if self.open.isEmpty {
            self.component.removeAll(keepingCapacity: true)
            self.componentLine = self.number
            self.rejection = nil
            if Self.known.contains(name) { self.hasComponents = true }
        }
        // The VCALENDAR around it counts as one.
        if self.open.count + 1 >= self.limits.depth {
            if self.rejection == nil { self.rejection = ParseIssue(.tooDeep, line: self.number) }
            self.depthBeyondLimit += 1
        } else {
            self.open.append(name)
        }
        self.grow()
    }

    private mutating func end(_ name: Name) {
        self.endProperty()
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

    private mutating func endProperty() {
        guard !self.property.isEmpty else { return }
        self.parts.append(.property(bytes: self.property, line: self.propertyLine))
        self.property.removeAll(keepingCapacity: true)
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

    /// The name after `BEGIN:` or `END:`, or `nil` when the pending line is no such line.
    private func marker(_ keyword: String) -> Name? {
        guard self.pending.count > keyword.utf8.count,
            zip(self.pending, keyword.utf8).allSatisfy({ $0.capital == $1 })
        else { return nil }
        let rest = self.pending.dropFirst(keyword.utf8.count)
            .drop(while: \.isFold)
            .prefix { $0 != 0x0A && $0 != 0x0D && !$0.isFold }
        return Name(String(decoding: rest, as: UTF8.self))
    }
}
