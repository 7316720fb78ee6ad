internal import XML

/// Asks for every calendar object of a collection (RFC 4791 §7.8).
///
/// There is no filter beyond the one that each object passes: what a server leaves out would be taken for gone.
package struct CalendarQuery: Sendable {
    private let properties: [any DAVProperty.Type]

    /// Asks for those properties of each.
    package init(properties: [any DAVProperty.Type]) { self.properties = properties }

    // <!ELEMENT calendar-query ((DAV:allprop | DAV:propname | DAV:prop)?, filter, timezone?)>
    /// The request's body.
    package var body: [UInt8] {
        let name = Element.Attribute(name: QualifiedName("name", in: ""), value: "VCALENDAR")
        let everything = Element(.calDAV("comp-filter"), attributes: [name])
        let children = [Element.prop(self.properties), Element(.calDAV("filter"), children: [everything])]
        return ElementWriter.body(Element(.calDAV("calendar-query"), children: children))
    }
}
