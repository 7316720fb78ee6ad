/// A component to write (RFC 5545 §3.6), made of content lines and inner components.
///
/// ```swift
/// let alarm = ComponentDraft(.valarm, [ContentLine(.action, value: "DISPLAY"), ContentLine(.trigger, value: "-PT15M")])
/// let todo = ComponentDraft(.vtodo, [ContentLine(.uid, text: "a1"), ContentLine(.summary, text: "Milk")], [alarm])
/// let bytes = ComponentDraft.calendar(productID: "-//Example//EN", [todo]).bytes()
/// ```
public struct ComponentDraft: Hashable, Sendable {
    /// The name, such as VTODO.
    public var name: Name
    /// The properties, in the order in which they are written.
    public var lines: [ContentLine]
    /// The inner components, which are written after the properties.
    public var components: [ComponentDraft]

    /// Creates a component.
    public init(_ name: Name, _ lines: [ContentLine] = [], _ components: [ComponentDraft] = []) {
        self.name = name
        self.lines = lines
        self.components = components
    }

    /// Creates a VCALENDAR with VERSION and PRODID (RFC 5545 §3.6); `productID` identifies the writing program.
    public static func calendar(productID: String, _ components: [ComponentDraft]) -> Self {
        Self(.vcalendar, [ContentLine(.version, value: "2.0"), ContentLine(.prodid, text: productID)], components)
    }

    /// The component in wire form: BEGIN, the folded lines, the inner components and END, with `lineEnd` after each line.
    public func bytes(lineEnd: [UInt8] = [0x0D, 0x0A]) -> [UInt8] {
        var bytes: [UInt8] = []
        self.append(to: &bytes, lineEnd: lineEnd)
        return bytes
    }

    private func append(to bytes: inout [UInt8], lineEnd: [UInt8]) {
        ContentLine(.begin, value: self.name.wire).append(to: &bytes, lineEnd: lineEnd)
        for line in self.lines { line.append(to: &bytes, lineEnd: lineEnd) }
        for component in self.components { component.append(to: &bytes, lineEnd: lineEnd) }
        ContentLine(.end, value: self.name.wire).append(to: &bytes, lineEnd: lineEnd)
    }
}
