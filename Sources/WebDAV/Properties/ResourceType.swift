package import XML

/// `DAV:resourcetype`: the type of a resource (RFC 4918 §15.9, RFC 4791 §4.2).
package struct ResourceType: DAVProperty {
    package static let name = QualifiedName.dav("resourcetype")
    private let types: Set<QualifiedName>

    /// Parses the element.
    package init?(_ element: Element) { self.types = Set(element.children.map(\.name)) }

    /// Whether it has members.
    package var isCollection: Bool { self.types.contains(.dav("collection")) }

    /// Whether it contains the user's own calendar objects.
    ///
    /// SOGo's `personal/` is both a calendar and a scheduling outbox, so the outbox type does not exclude a calendar; a
    /// subscription to another feed and Nextcloud's trash are excluded.
    package var isCalendar: Bool {
        self.types.contains(.calDAV("calendar")) && self.types.isDisjoint(with: Self.foreign)
    }

    /// Whether it holds deleted objects (Nextcloud).
    package var isTrash: Bool { self.types.contains(Self.trash) }

    private static let trash = QualifiedName("trash-bin", in: Namespace.nextcloud)

    private static let foreign: Set<QualifiedName> = [
        .calendarServer("subscribed"), .calendarServer("deleted-calendar"),
        Self.trash, QualifiedName("deleted-calendar", in: Namespace.nextcloud),
    ]
}
