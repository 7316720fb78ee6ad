package import XML

/// `DAV:getcontenttype`: the media type of a resource (RFC 4918 §15.5).
package struct ContentType: TextProperty {
    /// The name of the element.
    package static let name = QualifiedName.dav("getcontenttype")
    /// As received, with parameters.
    package let text: String
    /// The text of the element.
    package init(text: String) { self.text = text }
}
