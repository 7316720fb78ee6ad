package import HTTP
internal import XML

/// A failed condition, as named in the body of an error (RFC 4918 §16).
///
/// The namespace is ignored: SOGo writes `DAV` for `DAV:`, Xandikos `carldav` for `caldav`.
package struct Precondition: Hashable, Sendable {
    package let local: String
    package static let validSyncToken = Self(local: "valid-sync-token")
    package static let noUIDConflict = Self(local: "no-uid-conflict")
    package static let uniqueSchedulingObject = Self(local: "unique-scheduling-object-resource")
    package static let supportedReport = Self(local: "supported-report")
    package static let matchesWithinLimits = Self(local: "number-of-matches-within-limits")
    package static let needPrivileges = Self(local: "need-privileges")
    package static let maxResourceSize = Self(local: "max-resource-size")
    package static let quotaNotExceeded = Self(local: "quota-not-exceeded")
    package static let sufficientDiskSpace = Self(local: "sufficient-disk-space")
    package static let validCalendarData = Self(local: "valid-calendar-data")
    package static let validCalendarObject = Self(local: "valid-calendar-object-resource")
    package static let supportedCalendarData = Self(local: "supported-calendar-data")
    package static let supportedComponent = Self(local: "supported-calendar-component")

    /// sabre/dav adds elements for users (`s:exception`, `s:message`, `s:header`); these are not conditions.
    static func all(in error: Element) -> Set<Precondition> {
        Set(error.children.filter { $0.name.namespace != Namespace.sabre }.map { Precondition(local: $0.name.local) })
    }
}

package struct ErrorBody: Sendable {
    package let preconditions: Set<Precondition>
    /// Without control characters, shortened; `nil` when there is none.
    package let message: String?
    /// The message with the name of the exception, up to ``longestText``: to recognise the reason, never for a user.
    package let text: String
    /// The resource with the same UID (RFC 4791 §5.3.2.1).
    package let conflictingHref: String?

    package init(_ response: Response) {
        let isXML = response.body.first { $0 > 32 } == UInt8(ascii: "<")
        guard isXML, let root = try? XMLDocument(response.body).root, root.name.local == "error" else {
            self.preconditions = []
            self.conflictingHref = nil
            let text = isXML ? nil : Self.plainText(response)
            self.text = text ?? ""
            self.message = text.flatMap(Self.clean)
            return
        }
        self.preconditions = Precondition.all(in: root)
        let conflict = root.children.first {
            [.noUIDConflict, .uniqueSchedulingObject].contains(Precondition(local: $0.name.local))
        }
        self.conflictingHref = conflict?.first(.dav("href"))?.trimmedText
        let words = root.children.first { ["message", "responsedescription"].contains($0.name.local) }?.trimmedText
        self.message = Self.clean(words ?? root.trimmedText)
        let parts = root.children.map { String($0.trimmedText.prefix(Self.longestText)) }
        self.text = String(parts.joined(separator: "\n").prefix(Self.longestText))
    }

    /// The number of examined letters of a server's message: SQL errors that quote a statement are shorter.
    private static let longestText = 4096

    /// Radicale answers errors in plain text.
    private static func plainText(_ response: Response) -> String? {
        guard let type = response.headers[.contentType].flatMap(MediaType.init), type.essence == "text/plain",
            response.body.count <= self.longestText
        else { return nil }
        return String(decoding: response.body, as: UTF8.self)
    }

    private static func clean(_ text: String) -> String? {
        let words = text.excerpt
        return words.isEmpty ? nil : words
    }
}
