/// A component of a document, such as VTODO (RFC 5545 §3.6); it refers to the document's bytes and copies none.
public struct Component: Sendable {
    let storage: DocumentStorage
    let index: Int
    private var record: ComponentRecord { self.storage.components[self.index] }

    /// The name of the component.
    public var name: Name { self.storage.componentName(self.index) }

    package var nameNumber: UInt16 { self.record.name }

    /// The line number of BEGIN; the first line of the stream is 1.
    public var line: Int { Int(self.storage.lines[Int(self.record.begin)].number) }

    /// Whether the component has an END; in a truncated stream, some components have none.
    public var isEnded: Bool { self.record.isEnded }

    /// The properties of this component, without those of its inner components, in order.
    public var properties: [Property] {
        var result: [Property] = []
        self.forEachLine {
            result.append(Property(storage: self.storage, index: $0))
            return true
        }
        return result
    }

    /// The first property of that name with a value; if all are empty, the first of them; `nil` if there is none.
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

    /// The first property of that name with a value, or `nil`: an empty property counts as missing.
    package func valued(_ name: Name) -> Property? {
        guard let property = self.first(name), self.storage.hasValue(property.index) else { return nil }
        return property
    }

    /// The RECURRENCE-ID of an override; `nil` for the series itself (RFC 5545 §3.8.4.4).
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

    /// The components directly inside this component, in order.
    public var components: [Component] {
        self.storage.children(self.index + 1, Int(self.record.next))
    }

    /// The components of that name directly inside this component, in order.
    public func components(_ name: Name) -> [Component] {
        self.components.filter { self.storage.matches($0.index, name) }
    }

    /// The surrounding component, or `nil` at the top level.
    public var parent: Component? {
        let parent = self.record.parent
        return parent == DocumentStorage.noParent ? nil : Component(storage: self.storage, index: Int(parent))
    }

    /// The bytes from BEGIN to END with the line end after END, exactly as received.
    public var bytes: ArraySlice<UInt8> { self.storage.source[self.range] }

    /// The position of ``bytes`` in the document.
    public var range: Range<Int> {
        let last = self.record.isEnded ? Int(self.record.end) : Int(self.record.end) - 1
        return self.storage.range(Int(self.record.begin)).lowerBound..<self.storage.range(last).upperBound
    }

    /// The position for a new property: before the first inner component, or before END if there is no inner component.
    var insertionPoint: Int {
        let first = self.index + 1
        guard first < Int(self.record.next) else { return self.endPoint }
        return Int(self.storage.lines[Int(self.storage.components[first].begin)].start)
    }

    package var endPoint: Int { Int(self.storage.lines[Int(self.record.end)].start) }

    /// The line end after BEGIN; CRLF if no line end follows.
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
