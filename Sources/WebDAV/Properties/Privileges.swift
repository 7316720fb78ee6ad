package import XML

/// `DAV:current-user-privilege-set`: what the person may do (RFC 3744 §5.4).
package struct Privileges: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("current-user-privilege-set")
    private let names: Set<QualifiedName>

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        self.names = Set(element.all(.dav("privilege")).flatMap { $0.children.map(\.name) })
    }

    /// Whether members can be changed: any one of these is enough, since servers list the inner or only the outer ones.
    package var allowWriting: Bool { !self.names.isDisjoint(with: Self.writing) }

    private static let writing: Set<QualifiedName> = [.dav("all"), .dav("write"), .dav("write-content")]
}
