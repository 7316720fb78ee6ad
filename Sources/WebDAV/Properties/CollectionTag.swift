package import XML

/// `CS:getctag`: an opaque value that changes with every change in the collection.
package struct CollectionTag: TextProperty {
    package static let name = QualifiedName.calendarServer("getctag")
    package let text: String
    package init(text: String) { self.text = text }
}
