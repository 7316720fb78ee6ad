package import XML

/// `C:max-resource-size`: bytes that a calendar object may have (RFC 4791 §5.2.5).
package struct MaxResourceSize: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.calDAV("max-resource-size")
    /// More than 0.
    package let bytes: Int

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        guard let bytes = Int(element.trimmedText), bytes > 0 else { return nil }
        self.bytes = bytes
    }
}
