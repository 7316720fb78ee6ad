package import XML

/// `DAV:sync-token`: the opaque state of a collection; usually a URI, but also a bare hash or number (RFC 6578 §4).
package struct SyncToken: TextProperty {
    /// The name of the element.
    package static let name = QualifiedName.dav("sync-token")
    /// Opaque.
    package let text: String
    /// The text of the element.
    package init(text: String) { self.text = text }
}
