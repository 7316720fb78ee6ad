internal import XML

/// Changes properties of a resource (RFC 4918 §9.2).
///
/// One property at a time: a server that knows one of two and refuses the other does what RFC 4918 forbids (Xandikos
/// sets the one), or refuses both.
package struct Proppatch: Sendable {
    private let instruction: Element

    private init(_ instruction: String, _ property: Element) {
        let prop = Element(.dav("prop"), children: [property])
        self.instruction = Element(.dav(instruction), children: [prop])
    }

    /// Gives the collection a name.
    package init(displayName: String) { self.init("set", Element(DisplayName.name, text: displayName)) }

    /// Gives the collection a colour, or takes it away.
    package init(color: CalendarColor?) {
        if let color {
            self.init("set", Element(CalendarColor.name, text: color.wire))
        } else {
            self.init("remove", Element(CalendarColor.name))
        }
    }

    /// Keeps a text of ours at a calendar home.
    package init(labels: LabelsProperty) { self.init("set", Element(LabelsProperty.name, text: labels.text)) }

    /// Says which components the collection may hold, as few servers let anybody do.
    package init(components: [String]) {
        self.init("set", Element(SupportedComponents.name, children: SupportedComponents.children(components)))
    }

    // <!ELEMENT propertyupdate (remove | set)+ >
    /// The request's body.
    package var body: [UInt8] {
        ElementWriter.body(Element(.dav("propertyupdate"), children: [self.instruction]))
    }
}
