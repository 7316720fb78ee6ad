package import XML

/// `DAV:displayname`: what a person calls the collection (RFC 4918 §15.2).
package struct DisplayName: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("displayname")
    /// The name as a person wrote it.
    package let text: String

    /// The text of the element, without the escapes that do not belong to it.
    ///
    /// DAViCal sends `A & B` as `A &amp;amp; B` (davical-1.1-discovery).
    package init(text: String) {
        guard text.utf8.contains(UInt8(ascii: "&")) else {
            self.text = text
            return
        }
        var name = text
        for (escape, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&amp;", "&")] {
            name = name.replacing(escape, with: character)
        }
        self.text = name
    }
}
