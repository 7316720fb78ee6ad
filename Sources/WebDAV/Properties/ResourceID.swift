package import XML

/// `DAV:resource-id`: stays with a collection for its life, however it is renamed (RFC 5842 §3.1).
package struct ResourceID: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.dav("resource-id")
    /// An URI as a rule; compared, never fetched.
    package let text: String

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        let text = element.first(.dav("href"))?.trimmedText ?? element.trimmedText
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
