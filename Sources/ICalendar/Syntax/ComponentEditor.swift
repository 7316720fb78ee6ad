/// Collects the edits that change one component; each changes only the lines of its own property.
///
/// The document changes only when the edits are applied: `document.applying(editor.edits)`.
public struct ComponentEditor: Sendable {
    /// The component before the edits.
    public let component: Component
    /// The edits so far, for ``ICalendarDocument/applying(_:)``.
    public private(set) var edits: [Edit] = []

    /// Creates an editor without edits.
    public init(_ component: Component) {
        self.component = component
    }

    /// Replaces the first property of this name, or appends the property if there is none.
    ///
    /// A line with the same meaning stays unchanged. Further properties of the name stay.
    public mutating func set(_ line: ContentLine) {
        guard let old = self.component.first(line.name) else { return self.add(line) }
        guard !old.content.elementsEqual(line.unfolded) else { return }
        self.edits.append(Edit(old.range, line.bytes(lineEnd: self.component.lineEnd)))
    }

    /// Adds a property after the others, before the components inside.
    public mutating func add(_ line: ContentLine) {
        self.insert(line.bytes(lineEnd: self.component.lineEnd), at: self.component.insertionPoint)
    }

    /// Appends unchanged lines after the other properties.
    ///
    /// - Parameter bytes: whole physical lines of any stream; they get the line ends of this stream.
    public mutating func add(bytes: some Sequence<UInt8>) {
        self.insert(Array(bytes), at: self.component.insertionPoint)
    }

    /// Replaces a property by whole lines.
    public mutating func replace(_ property: Property, with bytes: some Sequence<UInt8>) {
        self.edits.append(Edit(property.range, self.component.storage.fitting(Array(bytes))))
    }

    /// Removes all properties of that name.
    public mutating func remove(_ name: Name) {
        for property in self.component.all(name) { self.remove(property) }
    }

    /// Removes one property.
    public mutating func remove(_ property: Property) {
        self.edits.append(Edit(property.range, []))
    }

    /// Removes a component inside this one.
    public mutating func remove(_ inner: Component) {
        self.edits.append(Edit(inner.range, []))
    }

    /// Adds a component before the END.
    ///
    /// - Parameter lines: from its BEGIN to its END.
    public mutating func add(component lines: [ContentLine]) {
        let lineEnd = self.component.lineEnd
        self.add(component: lines.flatMap { $0.bytes(lineEnd: lineEnd) })
    }

    /// Adds a component before the END.
    ///
    /// - Parameter bytes: whole physical lines of any stream, from its BEGIN to its END.
    public mutating func add(component bytes: some Sequence<UInt8>) {
        self.insert(Array(bytes), at: self.component.endPoint)
    }

    /// Adds the edits of a component inside this one.
    public mutating func merge(_ inner: ComponentEditor) {
        self.edits += inner.edits
    }

    private mutating func insert(_ bytes: [UInt8], at position: Int) {
        self.edits.append(self.component.storage.insertion(of: bytes, at: position))
    }
}
