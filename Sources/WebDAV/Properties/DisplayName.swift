package import XML

/// `DAV:displayname`: what a person calls the collection (RFC 4918 §15.2).
package struct DisplayName: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("displayname")
    /// The name as received.
    package let text: String
    /// The text of the element.
    package init(text: String) { self.text = text }
}
