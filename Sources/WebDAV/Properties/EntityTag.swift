package import Resources
package import XML

/// `DAV:getetag`: the entity tag of a resource (RFC 4918 §15.6, RFC 9110 §8.8.3).
extension EntityTag: TextProperty {
    package static let name = QualifiedName.dav("getetag")
    package init(text: String) { self.init(text) }
}
