internal import XML

/// Changes a property of a resource (RFC 4918 §9.2).
///
/// One property at a time: if a server supports only one of two, it either applies that one, which RFC 4918 forbids
/// (Xandikos), or refuses both.
package struct Proppatch: Sendable {
    private let instruction: Element

    private init(_ instruction: String, _ property: Element) {
        let prop = Element(.dav("prop"), children: [property])
        self.instruction = Element(.dav(instruction), children: [prop])
    }

    /// Sets the name of the collection.
    package init(displayName: String) { self.init("set", Element(DisplayName.name, text: displayName)) }

    /// Sets or removes the colour of the collection.
    package init(color: CalendarColor?) {
        if let color {
            self.init("set", Element(CalendarColor.name, text: color.wire))
        } else {
            self.init("remove", Element(CalendarColor.name))
        }
    }

    /// Stores the label data at a calendar home.
    package init(labels: LabelsProperty) { self.init("set", Element(LabelsProperty.name, text: labels.text)) }

    /// Sets the accepted component types of the collection; few servers allow this.
    package init(components: [String]) {
        self.init("set", Element(SupportedComponents.name, children: SupportedComponents.children(components)))
    }

    // <!ELEMENT propertyupdate (remove | set)+ >
    package var body: [UInt8] {
        ElementWriter.body(Element(.dav("propertyupdate"), children: [self.instruction]))
    }
}
