package import XML

/// `DAV:displayname`: the user's name for the collection (RFC 4918 §15.2).
package struct DisplayName: TextProperty {
    package static let name = QualifiedName.dav("displayname")
    /// The name as the user wrote it.
    package let text: String

    /// The text of the element, without superfluous escapes.
    ///
    /// DAViCal sends `A & B` as `A &amp;amp; B` (davical-1.1-discovery): every character that has an escape is escaped. A
    /// name in which one of them stands by itself is as a person wrote it.
    package init(text: String) {
        var name = text
        var rest = text
        for (escape, character) in Self.escapes {
            name = name.replacing(escape, with: character)
            rest = rest.replacing(escape, with: "")
        }
        self.text = rest.contains { "<>\"&".contains($0) } ? text : name
    }

    private static let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&amp;", "&")]
}
