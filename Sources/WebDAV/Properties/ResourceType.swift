package import XML

/// `DAV:resourcetype`: what a resource is (RFC 4918 §15.9, RFC 4791 §4.2).
package struct ResourceType: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("resourcetype")
    private let types: Set<QualifiedName>

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) { self.types = Set(element.children.map(\.name)) }

    /// Whether it has members.
    package var isCollection: Bool { self.types.contains(.dav("collection")) }

    /// Whether it holds calendar objects of the person's own.
    ///
    /// SOGo's `personal/` is both a calendar and a scheduling outbox, so those do not rule a calendar out; a
    /// subscription to somebody's feed and Nextcloud's trash do.
    package var isCalendar: Bool {
        self.types.contains(.calDAV("calendar")) && self.types.isDisjoint(with: Self.foreign)
    }

    private static let foreign: Set<QualifiedName> = [
        .calendarServer("subscribed"), .calendarServer("deleted-calendar"),
        QualifiedName("trash-bin", in: Namespace.nextcloud), QualifiedName("deleted-calendar", in: Namespace.nextcloud),
    ]
}
