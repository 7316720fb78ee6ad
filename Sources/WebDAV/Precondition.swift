package import HTTP
internal import XML

/// A failed condition, as named in the body of an error (RFC 4918 §16).
///
/// The namespace is ignored: SOGo writes `DAV` for `DAV:`, Xandikos `carldav` for `caldav`.
package struct Precondition: Hashable, Sendable {
    /// The element's local name.
    package let local: String

    /// The sync token is unknown or expired (RFC 6578 §3.2).
    package static let validSyncToken = Self(local: "valid-sync-token")
    /// Another resource of the collection has the same UID (RFC 4791 §5.3.2.1).
    package static let noUIDConflict = Self(local: "no-uid-conflict")
    /// Another resource of the same user has the same UID (RFC 6638 §3.2.4.1).
    package static let uniqueSchedulingObject = Self(local: "unique-scheduling-object-resource")
    /// The resource does not support the report (RFC 3253 §3.6).
    package static let supportedReport = Self(local: "supported-report")
    /// The number of matches exceeds the server's limit (RFC 6578 §3.6).
    package static let matchesWithinLimits = Self(local: "number-of-matches-within-limits")
    /// The user lacks a privilege (RFC 3744 §7.1.1).
    package static let needPrivileges = Self(local: "need-privileges")
    /// The object is larger than the server accepts (RFC 4791 §5.3.2.1).
    package static let maxResourceSize = Self(local: "max-resource-size")
    /// The account has exhausted its quota (RFC 4331 §6).
    package static let quotaNotExceeded = Self(local: "quota-not-exceeded")
    /// The server's own disk is full (RFC 4331 §6).
    package static let sufficientDiskSpace = Self(local: "sufficient-disk-space")
    /// The body is not iCalendar that the server can read (RFC 4791 §5.3.2.1).
    package static let validCalendarData = Self(local: "valid-calendar-data")
    /// The object breaks a rule of calendar objects (RFC 4791 §5.3.2.1).
    package static let validCalendarObject = Self(local: "valid-calendar-object-resource")
    /// The media type is not accepted (RFC 4791 §5.3.2.1).
    package static let supportedCalendarData = Self(local: "supported-calendar-data")
    /// The collection is for other components (RFC 4791 §5.3.2.1).
    package static let supportedComponent = Self(local: "supported-calendar-component")

    /// sabre/dav adds elements for users (`s:exception`, `s:message`, `s:header`); these are not conditions.
    static func all(in error: Element) -> Set<Precondition> {
        Set(error.children.filter { $0.name.namespace != Namespace.sabre }.map { Precondition(local: $0.name.local) })
    }
}

/// The body of an error: the failed conditions and the server's message.
package struct ErrorBody: Sendable {
    /// The failed conditions; empty when the body names none.
    package let preconditions: Set<Precondition>
    /// The server's message without control characters, shortened; `nil` when it has none.
    package let message: String?
    /// The same words uncut as far as ``longestText``, with the name of the exception before them; for recognising the
    /// reason, never for a message.
    package let text: String
    /// The resource that has the same UID (RFC 4791 §5.3.2.1).
    package let conflictingHref: String?

    /// Reads any error body; unreadable bodies are accepted.
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
