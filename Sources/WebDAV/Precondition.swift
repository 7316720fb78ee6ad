package import RemindavHTTP
internal import RemindavXML

/// A failed condition that the body of an error names (RFC 4918 §16).
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

    /// The conditions in an error body, without `s:exception`, `s:message` and `s:header` of sabre/dav.
    static func all(in error: Element) -> Set<Precondition> {
        Set(error.children.filter { $0.name.namespace != Namespace.sabre }.map { Precondition(local: $0.name.local) })
    }
}

package struct ErrorBody: Sendable {
    package let preconditions: Set<Precondition>
    /// The server's message, shortened and without control characters; `nil` when there is none.
    package let message: String?
    /// The message with the name of the exception, up to ``longestText``, to recognise the reason; no user sees it.
    package let text: String
    /// The href of the resource that already has this UID (RFC 4791 §5.3.2.1).
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

    /// The largest number of examined characters in a server's message; SQL errors that quote a statement are shorter.
    private static let longestText = 4096

    /// The text of an error in plain text, as Radicale sends it.
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
