/// Collects the edits of one component; each edit changes the lines of one property or one inner component.
///
/// The document changes only when the edits are applied: `document.applying(editor.edits)`.
public struct ComponentEditor: Sendable {
    /// The component before the edits.
    public let component: Component
    /// The collected edits, for ``ICalendarDocument/applying(_:)``.
    public private(set) var edits: [Edit] = []

    /// Creates an editor without edits.
    public init(_ component: Component) { self.component = component }

    /// Replaces the first property of this name, or appends the property if there is none.
    ///
    /// If the unfolded text is the same, the property keeps its folds. Further properties of this name do not change.
    public mutating func set(_ line: ContentLine) {
        guard let old = self.component.first(line.name) else { return self.add(line) }
        guard !old.content.elementsEqual(line.unfolded) else { return }
        self.edits.append(Edit(old.range, line.bytes(lineEnd: self.component.lineEnd)))
    }

    /// Adds a property after the other properties and before the inner components.
    public mutating func add(_ line: ContentLine) {
        self.insert(line.bytes(lineEnd: self.component.lineEnd), at: self.component.insertionPoint)
    }

    /// Appends whole physical lines after the other properties; converts their line ends if the document needs others.
    public mutating func add(bytes: some Sequence<UInt8>) {
        self.insert(Array(bytes), at: self.component.insertionPoint)
    }

    /// Replaces a property by whole physical lines; converts their line ends if the document needs others.
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

    /// Removes an inner component.
    public mutating func remove(_ inner: Component) {
        self.edits.append(Edit(inner.range, []))
    }

    /// Adds an inner component after all others; `lines` begin with its BEGIN and end with its END.
    public mutating func add(component lines: [ContentLine]) {
        let lineEnd = self.component.lineEnd
        self.add(component: lines.flatMap { $0.bytes(lineEnd: lineEnd) })
    }

    /// Adds an inner component, given as whole physical lines from BEGIN to END, after all others.
    public mutating func add(component bytes: some Sequence<UInt8>) {
        self.insert(Array(bytes), at: self.component.endPoint)
    }

    /// Edits an inner component; its edits are added to this editor.
    public mutating func edit(_ inner: Component, _ body: (inout ComponentEditor) -> Void) {
        var editor = ComponentEditor(inner)
        body(&editor)
        self.edits += editor.edits
    }

    private mutating func insert(_ bytes: [UInt8], at position: Int) {
        self.edits.append(self.component.storage.insertion(of: bytes, at: position))
    }
}

extension DocumentStorage {
    func insertion(of lines: [UInt8], at position: Int) -> Edit {
        Edit(position..<position, self.endOfLine(before: position) + self.fitting(lines))
    }

    /// Converts the line ends of whole lines if this document needs others; adds the last line end if it is missing.
    ///
    /// In a document with CR as line end, an LF would change how all lines are split. In any other document, a CR
    /// without LF does not end a line. CRLF and LF may be mixed.
    func fitting(_ lines: [UInt8]) -> [UInt8] {
        guard let last = lines.last else { return [] }
        let hasLineFeed = lines.contains(0x0A)
        if self.lineFeed == 0x0D {
            let fitting = hasLineFeed ? lines.indices.compactMap { Self.endedByReturn(lines, $0) } : lines
            return last == 0x0D || last == 0x0A ? fitting : fitting + [0x0D]
        }
        let fitting = hasLineFeed ? lines : lines.flatMap { $0 == 0x0D ? [0x0D, 0x0A] : [$0] }
        return fitting.last == 0x0A ? fitting : fitting + self.lineEnd
    }

    /// Replaces LF by CR, and removes the LF of a CRLF.
    private static func endedByReturn(_ lines: [UInt8], _ index: Int) -> UInt8? {
        guard lines[index] == 0x0A else { return lines[index] }
        return index > 0 && lines[index - 1] == 0x0D ? nil : 0x0D
    }

    private func endOfLine(before position: Int) -> [UInt8] {
        guard position > 0, self.source[position - 1] != self.lineFeed else { return [] }
        return self.source[position - 1] == 0x0D ? [0x0A] : self.lineEnd
    }

    private var lineEnd: [UInt8] {
        guard self.lineFeed == 0x0A else { return [0x0D] }
        guard let end = self.source.firstIndex(of: 0x0A) else { return [0x0D, 0x0A] }
        return end > 0 && self.source[end - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
    }
}

extension ICalendarDocument {
    package func insertion(of lines: some Sequence<UInt8>, at position: Int) -> Edit {
        self.storage.insertion(of: Array(lines), at: position)
    }

    package func replacement(of component: Component, with lines: some Sequence<UInt8>) -> Edit {
        Edit(component.range, self.storage.fitting(Array(lines)))
    }
}
