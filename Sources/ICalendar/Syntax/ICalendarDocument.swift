/// An iCalendar stream: the bytes as they were received, and an index of their lines and components (RFC 5545 §3.4).
///
/// Parsing never fails: an unreadable line becomes an issue and stays in the bytes. Components and properties refer to
/// the bytes and are decoded on demand. A document is immutable: ``applying(_:)`` returns a changed copy.
public struct ICalendarDocument: Sendable {
    let storage: DocumentStorage

    /// Parses `bytes`; if `bytes` are a part of a larger stream, `firstLine` is the number of their first line in it.
    public init(_ bytes: [UInt8], limits: ParseLimits = .standard, firstLine: Int = 1) {
        self.storage = DocumentStorage(bytes, limits: limits, firstLine: firstLine)
    }

    /// Parses a text.
    public init(_ text: String) { self.init(Array(text.utf8)) }

    /// The stream, byte for byte as it was received.
    public var bytes: [UInt8] { self.storage.source }

    /// The problems that the parser has found, sorted by line; ``checked()`` finds further ones.
    public var issues: [ParseIssue] { self.storage.issues }

    /// The top-level components, in order: usually one VCALENDAR.
    public var components: [Component] { self.storage.children(0, self.storage.components.count) }

    /// Every component of that name, at any depth, in order.
    public func all(_ name: Name) -> [Component] {
        self.storage.components.indices
            .filter { self.storage.matches($0, name) }
            .map { Component(storage: self.storage, index: $0) }
    }

    /// Whether the document has a VCALENDAR, or a component such as VTODO without a VCALENDAR around it.
    public var isICalendar: Bool {
        self.components.contains { $0.name == .vcalendar || ComponentSplitter.known.contains($0.name) }
    }

    package var isCutShort: Bool { !(self.components.last?.isEnded ?? true) }

    /// The first VCALENDAR, or `nil` when there is none.
    public var calendar: Component? { self.components.first { $0.name == .vcalendar } }

    /// A copy of the document with `edits` applied.
    ///
    /// - Parameter edits: in any order. Insertions at one position keep their order and come before a replacement that
    ///   begins at this position. If edits overlap, only the edit that begins first is applied.
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
        return Self(result, limits: self.storage.limits, firstLine: Int(self.storage.lines.first?.number ?? 1))
    }
}

/// A replacement for a part of a document's bytes.
public struct Edit: Hashable, Sendable {
    /// The range in the document's bytes; an empty range inserts the replacement.
    public let range: Range<Int>
    /// The new bytes; an empty replacement removes the range.
    public let replacement: [UInt8]

    fileprivate func order(at offset: Int) -> (Int, Int, Int) {
        (self.range.lowerBound, self.range.isEmpty ? 0 : 1, offset)
    }

    /// Creates an edit that replaces `range` by `replacement`.
    public init(_ range: Range<Int>, _ replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}
