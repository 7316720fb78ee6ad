package import XML

/// `CS:getctag`: changes when anything in the collection does; opaque.
package struct CollectionTag: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName.calendarServer("getctag")
    /// Opaque.
    package let text: String
    /// The text of the element.
    package init(text: String) { self.text = text }
}
