internal import XML

/// Requests calendar objects of a collection (RFC 4791 §7.8).
///
/// The query of a list has a filter that matches every object: a missing object would be read as deleted.
package struct CalendarQuery: Sendable {
    private let properties: [any DAVProperty.Type]
    private let component: String?

    /// Requests these properties of each object.
    ///
    /// - Parameter component: the component that an object must have, in upper case; `nil` for every object.
    package init(properties: [any DAVProperty.Type], component: String? = nil) {
        self.properties = properties
        self.component = component
    }

    // <!ELEMENT calendar-query ((DAV:allprop | DAV:propname | DAV:prop)?, filter, timezone?)>
    package var body: [UInt8] {
        let inner = self.component.map { [Self.filter($0)] } ?? []
        let filter = Element(.calDAV("filter"), children: [Self.filter("VCALENDAR", inner)])
        let children = [Element.prop(self.properties), filter]
        return ElementWriter.body(Element(.calDAV("calendar-query"), children: children))
    }

    private static func filter(_ component: String, _ inner: [Element] = []) -> Element {
        let name = Element.Attribute(name: QualifiedName("name", in: ""), value: component)
        return Element(.calDAV("comp-filter"), attributes: [name], children: inner)
    }
}
