/// A component of a document: VTODO, VALARM, VTIMEZONE or one of any other name (RFC 5545 §3.6).
///
/// A view without text of its own.
public struct Component: Sendable {
    let storage: DocumentStorage
    let index: Int
    private var record: ComponentRecord { self.storage.components[self.index] }

    /// The name of the component.
    public var name: Name { self.storage.componentName(self.index) }

    /// See ``Name/number``.
    package var nameNumber: UInt16 { self.record.name }

    /// The line of its BEGIN, from 1.
    public var line: Int { Int(self.storage.lines[Int(self.record.begin)].number) }

    /// Whether it has its own END; a truncated stream leaves some components without one.
    public var isEnded: Bool { self.record.isEnded }

    /// Its own properties, in order.
    public var properties: [Property] {
        var result: [Property] = []
        self.forEachLine {
            result.append(Property(storage: self.storage, index: $0))
            return true
        }
        return result
    }

    /// The first property of that name with a value, else the first of that name, or `nil`.
    public func first(_ name: Name) -> Property? {
        var result: Property?
        self.forEachLine { index in
            guard self.storage.matches(line: index, name) else { return true }
            let hasValue = self.storage.hasValue(index)
            if hasValue || result == nil { result = Property(storage: self.storage, index: index) }
            return !hasValue
        }
        return result
    }

    /// An empty property counts as missing.
    package func valued(_ name: Name) -> Property? {
        guard let property = self.first(name), self.storage.hasValue(property.index) else { return nil }
        return property
    }

    /// The occurrence that it overrides; `nil` for the series itself (RECURRENCE-ID, RFC 5545 §3.8.4.4).
    package var recurrenceID: Property? { self.valued(.recurrenceID) }

    /// All properties of that name, in order.
    public func all(_ name: Name) -> [Property] {
        var result: [Property] = []
        self.forEachLine { index in
            if self.storage.matches(line: index, name) { result.append(Property(storage: self.storage, index: index)) }
            return true
        }
        return result
    }

    /// The components directly inside it, in order.
    public var components: [Component] {
        self.storage.children(self.index + 1, Int(self.record.next))
    }

    /// The components of that name directly inside it, in order.
    public func components(_ name: Name) -> [Component] {
        self.components.filter { self.storage.matches($0.index, name) }
    }

    /// The surrounding component, or `nil` at the top level.
    public var parent: Component? {
        let parent = self.record.parent
        return parent == DocumentStorage.noParent ? nil : Component(storage: self.storage, index: Int(parent))
    }

    /// The bytes from BEGIN to END with the line end, exactly as received.
    public var bytes: ArraySlice<UInt8> { self.storage.source[self.range] }

    /// The position of ``bytes`` in the document.
    public var range: Range<Int> {
        let last = self.record.isEnded ? Int(self.record.end) : Int(self.record.end) - 1
        return self.storage.range(Int(self.record.begin)).lowerBound..<self.storage.range(last).upperBound
    }

    /// The position for adding a property: before its first inner component, else before its END.
    var insertionPoint: Int {
        let first = self.index + 1
        guard first < Int(self.record.next) else { return self.endPoint }
        return Int(self.storage.lines[Int(self.storage.components[first].begin)].start)
    }

    package var endPoint: Int { Int(self.storage.lines[Int(self.record.end)].start) }

    /// CRLF when its BEGIN is the last line of the stream.
    package var lineEnd: [UInt8] {
        self.storage.source[self.storage.range(Int(self.record.begin))].firstLineEnd ?? [0x0D, 0x0A]
    }

    private func forEachLine(_ body: (Int) -> Bool) {
        let components = self.storage.components
        var inner = self.index + 1
        var index = Int(self.record.begin) + 1
        let end = Int(self.record.end)
        while index < end {
            if inner < Int(self.record.next), Int(components[inner].begin) == index {
                let record = components[inner]
                index = record.isEnded ? Int(record.end) + 1 : max(Int(record.end), index + 1)
                inner = Int(record.next)
                continue
            }
            if self.storage.lines[index].kind == .property, !body(index) { return }
            index += 1
        }
    }
}

extension ArraySlice<UInt8> {
    var firstLineEnd: [UInt8]? {
        guard let end = self.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
        let isPair = self[end] == 0x0D && end + 1 < self.endIndex && self[end + 1] == 0x0A
        return isPair ? [0x0D, 0x0A] : [self[end]]
    }
}
