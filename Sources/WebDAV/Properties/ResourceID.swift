package import XML

/// `DAV:resource-id`: a permanent identifier of a collection, independent of its name (RFC 5842 §3.1).
package struct ResourceID: DAVProperty {
    package static let name = QualifiedName.dav("resource-id")
    /// Usually a URI; compared, never fetched.
    package let text: String

    package init?(_ element: Element) {
        let text = element.first(.dav("href"))?.trimmedText ?? element.trimmedText
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
