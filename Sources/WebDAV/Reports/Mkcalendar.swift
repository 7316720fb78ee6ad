internal import XML

/// Creates a calendar (RFC 4791 §5.3.1).
package struct Mkcalendar: Sendable {
    private let displayName: String
    private let color: CalendarColor?
    private let components: [String]

    /// Creates a calendar with a name, an optional colour, and its accepted component types.
    package init(displayName: String, color: CalendarColor?, components: [String]) {
        self.displayName = displayName
        self.color = color
        self.components = components
    }

    // <!ELEMENT mkcalendar (DAV:set)>
    package var body: [UInt8] {
        let set = SupportedComponents.children(self.components)
        var properties = [
            Element(DisplayName.name, text: self.displayName), Element(SupportedComponents.name, children: set),
        ]
        if let color = self.color { properties.append(Element(CalendarColor.name, text: color.wire)) }
        let prop = Element(.dav("prop"), children: properties)
        return ElementWriter.body(Element(.calDAV("mkcalendar"), children: [Element(.dav("set"), children: [prop])]))
    }
}
