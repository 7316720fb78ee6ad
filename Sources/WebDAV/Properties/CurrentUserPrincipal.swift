package import XML

/// `DAV:current-user-principal`: who the server thinks is asking (RFC 5397 §3).
package enum CurrentUserPrincipal: DAVProperty, Hashable {
    /// The principal's reference.
    case href(String)
    /// The server knows nobody: Cyrus answers so where others would answer 401.
    case unauthenticated

    /// The element that carries it.
    package static let name = QualifiedName.dav("current-user-principal")

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        if let href = element.first(.dav("href"))?.trimmedText, !href.isEmpty {
            self = .href(href)
        } else if element.first(.dav("unauthenticated")) != nil {
            self = .unauthenticated
        } else {
            return nil
        }
    }
}
