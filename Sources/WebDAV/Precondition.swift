package import HTTP
internal import XML

/// A condition that did not hold, as the body of an error names it (RFC 4918 §16).
///
/// The namespace is not looked at: SOGo writes `DAV` for `DAV:`, Xandikos `carldav` for `caldav`.
package struct Precondition: Hashable, Sendable {
    /// The element's local name.
    package let local: String

    /// The sync token is not, or no longer, known (RFC 6578 §3.2).
    package static let validSyncToken = Self(local: "valid-sync-token")
    /// Another resource of the collection has the same UID (RFC 4791 §5.3.2.1).
    package static let noUIDConflict = Self(local: "no-uid-conflict")
    /// Another resource of the same person has the same UID (RFC 6638 §3.2.4.1).
    package static let uniqueSchedulingObject = Self(local: "unique-scheduling-object-resource")
    /// The report is not one that the resource answers (RFC 3253 §3.6).
    package static let supportedReport = Self(local: "supported-report")
    /// There are more matches than the server wants to send (RFC 6578 §3.6).
    package static let matchesWithinLimits = Self(local: "number-of-matches-within-limits")
    /// The person lacks a privilege (RFC 3744 §7.1.1).
    package static let needPrivileges = Self(local: "need-privileges")
    /// The object is larger than the server takes (RFC 4791 §5.3.2.1).
    package static let maxResourceSize = Self(local: "max-resource-size")
    /// RFC 4331 §6: the account has used what it may.
    package static let quotaNotExceeded = Self(local: "quota-not-exceeded")
    /// RFC 4331 §6: the server's own disk is full.
    package static let sufficientDiskSpace = Self(local: "sufficient-disk-space")
    /// The body is no iCalendar that the server can read (RFC 4791 §5.3.2.1).
    package static let validCalendarData = Self(local: "valid-calendar-data")
    /// The object breaks a rule of calendar objects (RFC 4791 §5.3.2.1).
    package static let validCalendarObject = Self(local: "valid-calendar-object-resource")
    /// The media type is not taken (RFC 4791 §5.3.2.1).
    package static let supportedCalendarData = Self(local: "supported-calendar-data")
    /// The collection is for other components (RFC 4791 §5.3.2.1).
    package static let supportedComponent = Self(local: "supported-calendar-component")

    /// What sabre/dav adds for people (`s:exception`, `s:message`, `s:header`) is no condition.
    static func all(in error: Element) -> Set<Precondition> {
        Set(error.children.filter { $0.name.namespace != Namespace.sabre }.map { Precondition(local: $0.name.local) })
    }
}

/// The body of an error: the conditions that did not hold, and the server's own words.
package struct ErrorBody: Sendable {
    /// The conditions that did not hold; empty when the body names none.
    package let preconditions: Set<Precondition>
    /// The server's words without control characters, cut; `nil` when it has none.
    package let message: String?
    /// The resource that has the same UID (RFC 4791 §5.3.2.1).
    package let conflictingHref: String?

    /// Reads whatever a server sent with an error; nothing is an error here.
    package init(_ response: Response) {
        let isXML = response.body.first { $0 > 32 } == UInt8(ascii: "<")
        guard isXML, let root = try? XMLDocument(response.body).root, root.name.local == "error" else {
            self.preconditions = []
            self.conflictingHref = nil
            self.message = isXML ? nil : Self.plainText(response)
            return
        }
        self.preconditions = Precondition.all(in: root)
        let conflict = root.children.first {
            [.noUIDConflict, .uniqueSchedulingObject].contains(Precondition(local: $0.name.local))
        }
        self.conflictingHref = conflict?.first(.dav("href"))?.trimmedText
        let words = root.children.first { ["message", "responsedescription"].contains($0.name.local) }?.trimmedText
        self.message = Self.clean(words ?? root.trimmedText)
    }

    /// Radicale answers errors in plain text.
    private static func plainText(_ response: Response) -> String? {
        guard let type = response.headers[.contentType].flatMap(MediaType.init), type.essence == "text/plain",
            response.body.count <= 4096
        else { return nil }
        return self.clean(String(decoding: response.body, as: UTF8.self))
    }

    private static func clean(_ text: String) -> String? {
        let words = text.excerpt
        return words.isEmpty ? nil : words
    }
}
