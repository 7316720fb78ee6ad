internal import RemindavHTTP
public import RemindavResources
package import RemindavXML

/// A WebDAV property that this program understands; it is parsed from its element (RFC 4918 §4).
package protocol DAVProperty: Sendable {
    static var name: QualifiedName { get }
    init?(_ element: Element)
}

/// The properties that a server sent with a success status for one resource; each is parsed on demand.
package struct PropertySet: Sendable, Hashable {
    private var elements: [Element] = []
    package init(_ elements: [Element] = []) { self.elements = elements }

    /// The parsed property; `nil` when it is missing or unreadable.
    package subscript<Property: DAVProperty>(_: Property.Type) -> Property? {
        self.elements.first { $0.name == Property.name }.flatMap(Property.init)
    }

    package var isEmpty: Bool { self.elements.isEmpty }
    mutating func append(_ more: [Element]) { self.elements += more }
}

package protocol TextProperty: DAVProperty {
    init(text: String)
}

extension TextProperty {
    package init?(_ element: Element) {
        let text = element.trimmedText
        guard !text.isEmpty else { return nil }
        self.init(text: text)
    }
}

enum Namespace {
    static let dav = "DAV:"
    static let calDAV = "urn:ietf:params:xml:ns:caldav"
    static let calendarServer = "http://calendarserver.org/ns/"
    static let appleICal = "http://apple.com/ns/ical/"
    static let sabre = "http://sabredav.org/ns"
    static let nextcloud = "http://nextcloud.com/ns"
    static let remindav = "urn:uuid:db6fc0c4-5a85-4594-9631-0e2b40b277f5"

    static let prefixes = [
        (namespace: dav, prefix: "D"), (namespace: calDAV, prefix: "C"),
        (namespace: calendarServer, prefix: "CS"), (namespace: appleICal, prefix: "A"),
    ]
}

extension QualifiedName {
    /// A name of RFC 4918, or of an RFC that extends it.
    package static func dav(_ local: String) -> Self { Self(local, in: Namespace.dav) }
    /// A name of RFC 4791.
    package static func calDAV(_ local: String) -> Self { Self(local, in: Namespace.calDAV) }
    /// A name of Apple's CalendarServer, which most servers know.
    package static func calendarServer(_ local: String) -> Self { Self(local, in: Namespace.calendarServer) }
    /// A name of Apple's iCal, which most servers know.
    package static func appleICal(_ local: String) -> Self { Self(local, in: Namespace.appleICal) }
}

extension Href {
    /// The canonical path, for comparisons: two hrefs name the same resource if their keys are equal.
    public var key: String {
        let isPlain = PercentCoding.isPlain(self.wire) && !self.wire.hasPrefix("//")
        return isPlain ? self.wire : Self.root?.resolving(self.wire)?.pathKey ?? PercentCoding.encode(self.wire.utf8)
    }

    private static let root = URL("http://localhost/")
}
