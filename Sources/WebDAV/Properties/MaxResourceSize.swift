package import XML

/// `C:max-resource-size`: the largest size of a calendar object in bytes (RFC 4791 §5.2.5).
package struct MaxResourceSize: DAVProperty {
    package static let name = QualifiedName.calDAV("max-resource-size")
    /// More than 0.
    package let bytes: Int

    package init?(_ element: Element) {
        guard let bytes = Int(element.trimmedText), bytes > 0 else { return nil }
        self.bytes = bytes
    }
}
