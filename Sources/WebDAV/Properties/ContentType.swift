package import XML

/// `DAV:getcontenttype`: the media type of a resource (RFC 4918 §15.5).
package struct ContentType: TextProperty {
    package static let name = QualifiedName.dav("getcontenttype")
    /// As received, with parameters.
    package let text: String
    package init(text: String) { self.text = text }
}
