package import XML

/// What this program keeps of its labels on a calendar home, as a dead property (RFC 4918 §4.1): no standard has a place
/// for the colour of a category.
///
/// The namespace is a UUID of ours (RFC 9562), so that nobody else has it.
package struct LabelsProperty: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName("labels", in: Namespace.remindav)
    /// Text that servers keep and do not read.
    package let text: String

    /// The text of the element.
    package init(text: String) { self.text = text }
}
