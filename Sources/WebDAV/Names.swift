package import XML

/// The namespaces of WebDAV and its extensions.
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
    /// A name of RFC 4918 and the RFCs built on it.
    package static func dav(_ local: String) -> Self { Self(local, in: Namespace.dav) }
    /// A name of RFC 4791.
    package static func calDAV(_ local: String) -> Self { Self(local, in: Namespace.calDAV) }
    /// A name of Apple's CalendarServer, which most servers know.
    package static func calendarServer(_ local: String) -> Self { Self(local, in: Namespace.calendarServer) }
    /// A name of Apple's iCal, which most servers know.
    package static func appleICal(_ local: String) -> Self { Self(local, in: Namespace.appleICal) }
}

extension ElementWriter {
    /// A request's body.
    static func body(_ root: Element) -> [UInt8] { ElementWriter(prefixes: Namespace.prefixes).bytes(root) }
}
