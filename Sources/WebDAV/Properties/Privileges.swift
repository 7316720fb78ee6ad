package import XML

/// `DAV:current-user-privilege-set`: the user's privileges (RFC 3744 §5.4).
package struct Privileges: DAVProperty {
    package static let name = QualifiedName.dav("current-user-privilege-set")
    private let names: Set<QualifiedName>

    package init?(_ element: Element) {
        self.names = Set(element.all(.dav("privilege")).flatMap { $0.children.map(\.name) })
    }

    /// Whether members can be changed: any one of these privileges is enough, since servers list the inner ones or only
    /// the outer ones.
    package var allowWriting: Bool { !self.names.isDisjoint(with: Self.writing) }

    private static let writing: Set<QualifiedName> = [.dav("all"), .dav("write"), .dav("write-content")]
}
