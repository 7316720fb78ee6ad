package import XML

/// `DAV:sync-token`: the state of a collection, opaque: an URI in theory, a bare hash or number too (RFC 6578 §4).
package struct SyncToken: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("sync-token")
    /// Opaque.
    package let text: String
    /// The text of the element.
    package init(text: String) { self.text = text }
}
