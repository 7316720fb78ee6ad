/// A component of a document: VTODO, VALARM, VTIMEZONE or one of any other name (RFC 5545 §3.6).
///
/// A view: it holds no text of its own.
public struct Component: Sendable {
    let storage: DocumentStorage
    let index: Int

    private var record: ComponentRecord { self.storage.components[self.index] }

    /// What the component is called.
    public var name: Name {
        let line = self.storage.lines[Int(self.record.begin)]
        let value = self.storage.content(line, from: Int(line.value))
        let trimmed = value.drop(while: \.isFold).prefix { !$0.isFold }
        return Name(known: String(decoding: trimmed, as: UTF8.self))
    }

    /// The line of its BEGIN, from 1.
    public var line: Int { Int(self.storage.lines[Int(self.record.begin)].number) }

    /// Whether it has an END of its own; a stream that breaks off leaves some without.
    public var isEnded: Bool { self.record.isEnded }

    /// Its own properties, in order.
    public var properties: [Property] {
        var result: [Property] = []
        self.forEachLine { result.append(Property(storage: self.storage, index: $0)) }
        return result
    }

    /// The first property of that name, or `nil`.
    public func first(_ name: Name) -> Property? {
        var result: Property?
        self.forEachLine { index in
            if result == nil, self.storage.matches(self.storage.lines[index], name) {
                result = Property(storage: self.storage, index: index)
            }
        }
        return result
    }

    /// All properties of that name, in order.
    public func all(_ name: Name) -> [Property] {
        var result: [Property] = []
        self.forEachLine { index in
            if self.storage.matches(self.storage.lines[index], name) {
                result.append(Property(storage: self.storage, index: index))
            }
        }
        return result
    }

    /// The components directly inside it, in order.
    public var components: [Component] {
        var result: [Component] = []
        var index = self.index + 1
        let end = Int(self.record.next)
        while index < end {
            result.append(Component(storage: self.storage, index: index))
            index = Int(self.storage.components[index].next)
        }
        return result
    }

    /// The components of that name directly inside it, in order.
    public func components(_ name: Name) -> [Component] {
        self.components.filter { $0.record.key == name.key && $0.name == name }
    }

    /// The component around it, or `nil` at the top.
    public var parent: Component? {
        let parent = self.record.parent
        return parent == DocumentStorage.noParent ? nil : Component(storage: self.storage, index: Int(parent))
    }

    /// The bytes from BEGIN to END with the line end, exactly as they were received.
    public var bytes: ArraySlice<UInt8> { self.storage.source[self.range] }

    /// Where ``bytes`` lie in the document.
    public var range: Range<Int> {
        let lines = self.storage.lines
        let start = Int(lines[Int(self.record.begin)].start)
        let last = self.record.isEnded ? Int(self.record.end) : Int(self.record.end) - 1
        return start..<Int(lines[last].end)
    }

    /// Where a property of its own can be added: before its first component, else before its END.
    var insertionPoint: Int {
        let lines = self.storage.lines
        let first = self.index + 1
        if first < Int(self.record.next) {
            return Int(lines[Int(self.storage.components[first].begin)].start)
        }
        return self.endPoint
    }

    /// Where its END begins, or where it would.
    package var endPoint: Int {
        let lines = self.storage.lines
        let end = Int(self.record.end)
        return end < lines.count ? Int(lines[end].start) : self.storage.source.count
    }

    /// The line end that its BEGIN has; CRLF when that is the last line of the stream.
    package var lineEnd: [UInt8] {
        let line = self.storage.lines[Int(self.record.begin)]
        let bytes = self.storage.source[Int(line.start)..<Int(line.end)]
        if bytes.hasSuffix([0x0D, 0x0A]) { return [0x0D, 0x0A] }
        if bytes.last == 0x0A { return [0x0A] }
        return bytes.last == 0x0D ? [0x0D] : [0x0D, 0x0A]
    }

    private func forEachLine(_ body: (Int) -> Void) {
        let lines = self.storage.lines
        var index = Int(self.record.begin) + 1
        let end = Int(self.record.end)
        while index < end {
            let line = lines[index]
            if line.kind == .begin {
                let inner = self.storage.components[Int(line.component)]
                index = inner.isEnded ? Int(inner.end) + 1 : max(Int(inner.end), index + 1)
                continue
            }
            if line.kind == .property { body(index) }
            index += 1
        }
    }
}

extension ArraySlice<UInt8> {
    func hasSuffix(_ suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
