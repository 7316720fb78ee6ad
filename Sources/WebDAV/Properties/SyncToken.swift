package import Resources
package import XML

/// `DAV:sync-token`: the state of a collection (RFC 6578 §4).
extension SyncToken: TextProperty {
    package static let name = QualifiedName.dav("sync-token")
    package init(text: String) { self.init(text) }
}
