package import RemindavResources
internal import RemindavXML

/// A change of one property, the only one in its request.
///
/// If a request had two changes and the server supported only one, Xandikos would apply that change, although RFC 4918
/// forbids this. Other servers would refuse both changes.
package enum PropertyChange: Sendable {
    case displayName(String)
    /// `nil` removes the colour.
    case color(CalendarColor?)
    case labels(String)
    /// The accepted component types; few servers allow the change.
    case components([String])
}

package enum RequestBody {
    // RFC 4918 §9.1: <!ELEMENT propfind ( propname | (allprop, include?) | prop ) >
    package static func propfind(_ properties: [any DAVProperty.Type]) -> [UInt8] {
        self.write(.dav("propfind"), [self.prop(properties)])
    }

    // RFC 4918 §9.2: <!ELEMENT propertyupdate (remove | set)+ >
    package static func proppatch(_ change: PropertyChange) -> [UInt8] {
        let (instruction, property) =
            switch change {
            case .displayName(let name): ("set", Element(DisplayName.name, text: name))
            case .color(let color?): ("set", Element(CalendarColor.name, text: color.wire))
            case .color(nil): ("remove", Element(CalendarColor.name))
            case .labels(let text): ("set", Element(LabelsProperty.name, text: text))
            case .components(let names): ("set", self.supported(names))
            }
        let prop = Element(.dav("prop"), children: [property])
        return self.write(.dav("propertyupdate"), [Element(.dav(instruction), children: [prop])])
    }

    // RFC 4791 §5.3.1: <!ELEMENT mkcalendar (DAV:set)>
    package static func mkcalendar(displayName: String, color: CalendarColor?, components: [String]) -> [UInt8] {
        var properties = [Element(DisplayName.name, text: displayName), self.supported(components)]
        if let color { properties.append(Element(CalendarColor.name, text: color.wire)) }
        let prop = Element(.dav("prop"), children: properties)
        return self.write(.calDAV("mkcalendar"), [Element(.dav("set"), children: [prop])])
    }

    /// Requests the changes in a collection since `token`; with `nil`, every member.
    ///
    /// The request sets no limit: at a limit, Xandikos and Nextcloud return a token that skips the remaining changes.
    // RFC 6578 §3.2: <!ELEMENT sync-collection (sync-token, sync-level, limit?, prop)>
    package static func syncCollection(since token: SyncToken?, properties: [any DAVProperty.Type]) -> [UInt8] {
        let state = Element(.dav("sync-token"), text: token?.wire ?? "")
        return self.write(
            .dav("sync-collection"),
            [state, Element(.dav("sync-level"), text: "1"), self.prop(properties)]
        )
    }

    /// Requests the calendar objects with these hrefs; there must be at least one: DAViCal answers 500 without any.
    // RFC 4791 §7.9: <!ELEMENT calendar-multiget ((DAV:allprop | DAV:propname | DAV:prop)?, DAV:href+)>
    package static func calendarMultiget(_ hrefs: [String], properties: [any DAVProperty.Type]) -> [UInt8] {
        let references = hrefs.map { Element(.dav("href"), text: $0) }
        return self.write(.calDAV("calendar-multiget"), [self.prop(properties)] + references)
    }

    /// Requests the calendar objects with a component, given in upper case; with `nil`, every object.
    ///
    /// If the answer serves as the complete list of a collection's members, the filter must match every object, because
    /// an object that is missing in the answer would count as deleted.
    // RFC 4791 §7.8: <!ELEMENT calendar-query ((DAV:allprop | DAV:propname | DAV:prop)?, filter, timezone?)>
    package static func calendarQuery(properties: [any DAVProperty.Type], component: String? = nil) -> [UInt8] {
        let inner = component.map { [self.named($0, .calDAV("comp-filter"))] } ?? []
        let filter = Element(.calDAV("filter"), children: [self.named("VCALENDAR", .calDAV("comp-filter"), inner)])
        return self.write(.calDAV("calendar-query"), [self.prop(properties), filter])
    }

    private static func write(_ name: QualifiedName, _ children: [Element]) -> [UInt8] {
        ElementWriter(prefixes: Namespace.prefixes).bytes(Element(name, children: children))
    }

    private static func prop(_ properties: [any DAVProperty.Type]) -> Element {
        Element(.dav("prop"), children: properties.map { Element($0.name) })
    }

    private static func supported(_ components: [String]) -> Element {
        Element(SupportedComponents.name, children: components.map { self.named($0, .calDAV("comp")) })
    }

    private static func named(_ value: String, _ name: QualifiedName, _ children: [Element] = []) -> Element {
        let attribute = Element.Attribute(name: QualifiedName("name", in: ""), value: value)
        return Element(name, attributes: [attribute], children: children)
    }
}
