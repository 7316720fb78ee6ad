package import XML

/// `DAV:current-user-principal`: the authenticated user (RFC 5397 §3).
package enum CurrentUserPrincipal: DAVProperty, Hashable {
    /// The principal's reference.
    case href(String)
    /// The request was not authenticated: Cyrus answers so where other servers answer 401.
    case unauthenticated

    package static let name = QualifiedName.dav("current-user-principal")

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
