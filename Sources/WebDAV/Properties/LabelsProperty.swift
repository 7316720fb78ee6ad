package import XML

/// The label data of this program on a calendar home, as a dead property (RFC 4918 §4.1).
///
/// No standard has a place for the colour of a category. The namespace is a random UUID (RFC 9562), so it is unique.
package struct LabelsProperty: TextProperty {
    package static let name = QualifiedName("labels", in: Namespace.remindav)
    /// Text that servers store without reading it.
    package let text: String

    package init(text: String) { self.text = text }
}
