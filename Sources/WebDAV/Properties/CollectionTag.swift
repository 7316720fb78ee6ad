package import XML

/// `CS:getctag`: an opaque value that changes with every change in the collection.
package struct CollectionTag: TextProperty {
    /// The name of the element.
    package static let name = QualifiedName.calendarServer("getctag")
    /// Opaque.
    package let text: String
    /// The text of the element.
    package init(text: String) { self.text = text }
}
