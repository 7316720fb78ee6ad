package import RemindavResources
package import RemindavXML

/// `DAV:getetag` (RFC 4918 §15.6, RFC 9110 §8.8.3).
extension EntityTag: TextProperty {
    package static let name = QualifiedName.dav("getetag")
    package init(text: String) { self.init(text) }
}

/// `DAV:sync-token`: the server's marker of a state of the collection (RFC 6578 §4).
extension SyncToken: TextProperty {
    package static let name = QualifiedName.dav("sync-token")
    package init(text: String) { self.init(text) }
}

/// `CS:getctag`: an opaque value that changes with every change in the collection.
package struct CollectionTag: TextProperty {
    package static let name = QualifiedName.calendarServer("getctag")
    package let text: String
    package init(text: String) { self.text = text }
}

/// `DAV:getcontenttype`: the media type of a resource, with parameters (RFC 4918 §15.5).
package struct ContentType: TextProperty {
    package static let name = QualifiedName.dav("getcontenttype")
    package let text: String
    package init(text: String) { self.text = text }
}

/// `DAV:displayname`: the user's name for the collection (RFC 4918 §15.2).
package struct DisplayName: TextProperty {
    package static let name = QualifiedName.dav("displayname")
    package let text: String

    /// Removes superfluous escapes.
    ///
    /// DAViCal escapes each special character twice: it sends `A & B` as `A &amp;amp; B`. If the text still contains a
    /// special character without an escape, the text was escaped only once and stays unchanged.
    package init(text: String) {
        var name = text
        var rest = text
        for (escape, character) in Self.escapes {
            name = name.replacing(escape, with: character)
            rest = rest.replacing(escape, with: "")
        }
        self.text = rest.contains { "<>\"&".contains($0) } ? text : name
    }

    private static let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&amp;", "&")]
}

/// The labels that this program stores on a calendar home, as a dead property (RFC 4918 §4.1).
///
/// No standard has a property for the colour of a label. The namespace is a random UUID (RFC 9562), so it is unique.
package struct LabelsProperty: TextProperty {
    package static let name = QualifiedName("labels", in: Namespace.remindav)
    package let text: String
    package init(text: String) { self.text = text }
}

/// `{http://nextcloud.com/ns}calendar-uri`: the last path segment of the calendar from which a trashed object comes.
package struct TrashedCalendar: TextProperty {
    package static let name = QualifiedName("calendar-uri", in: Namespace.nextcloud)
    package let text: String
    package init(text: String) { self.text = text }
}

/// `DAV:resource-id`: a permanent identifier of a collection, independent of its name (RFC 5842 §3.1).
package struct ResourceID: DAVProperty {
    package static let name = QualifiedName.dav("resource-id")
    package let text: String

    package init?(_ element: Element) {
        self.text = element.first(.dav("href"))?.trimmedText ?? element.trimmedText
        if self.text.isEmpty { return nil }
    }
}

/// `DAV:current-user-principal` (RFC 5397 §3).
package enum CurrentUserPrincipal: DAVProperty, Hashable {
    case href(String)
    /// The request was not authenticated; Cyrus sends this element, and other servers answer 401.
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

/// `C:calendar-home-set`: the collections that contain a user's calendars (RFC 4791 §6.2.1).
package struct CalendarHomeSet: DAVProperty {
    package static let name = QualifiedName.calDAV("calendar-home-set")
    /// The hrefs as received, in order; at least one.
    package let hrefs: [String]

    package init?(_ element: Element) {
        self.hrefs = element.all(.dav("href")).map(\.trimmedText).filter { !$0.isEmpty }
        if self.hrefs.isEmpty { return nil }
    }
}

/// `C:max-resource-size`: the largest size of a calendar object in bytes (RFC 4791 §5.2.5).
package struct MaxResourceSize: DAVProperty {
    package static let name = QualifiedName.calDAV("max-resource-size")
    package let bytes: Int

    package init?(_ element: Element) {
        guard let bytes = Int(element.trimmedText), bytes > 0 else { return nil }
        self.bytes = bytes
    }
}

/// `A:calendar-color`: the display colour of the calendar.
package struct CalendarColor: DAVProperty {
    package static let name = QualifiedName.appleICal("calendar-color")
    /// The colour as `#RRGGBB` in upper case.
    package let hex: String
    package init?(_ element: Element) { self.init(text: element.trimmedText) }

    /// Parses `#RGB`, `#RRGGBB` and `#RRGGBBAA`; `nil` for names of colours, because programs read them differently.
    package init?(text: String) {
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().uppercased()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || (65...70).contains($0) }) else { return nil }
        switch digits.count {
        case 3: self.hex = "#" + digits.map { "\($0)\($0)" }.joined()
        case 6, 8: self.hex = "#" + digits.prefix(6)
        default: return nil
        }
    }

    /// The colour as `#RRGGBBFF`; every server accepts this form, and SOGo refuses all others.
    package var wire: String { self.hex + "FF" }
}

/// `C:supported-calendar-component-set`: the component types that a calendar accepts (RFC 4791 §5.2.3).
package struct SupportedComponents: DAVProperty {
    package static let name = QualifiedName.calDAV("supported-calendar-component-set")
    /// The names of the components, in upper case.
    package let names: [String]

    package init?(_ element: Element) {
        self.names = element.all(.calDAV("comp")).compactMap { $0.attribute("name")?.uppercased() }
        if self.names.isEmpty { return nil }
    }
}

/// `DAV:current-user-privilege-set`: the user's privileges (RFC 3744 §5.4).
package struct Privileges: DAVProperty {
    package static let name = QualifiedName.dav("current-user-privilege-set")
    private let names: Set<QualifiedName>

    package init?(_ element: Element) {
        self.names = Set(element.all(.dav("privilege")).flatMap { $0.children.map(\.name) })
    }

    /// Whether the user may change members; a server may list `write-content`, or only a privilege that includes it.
    package var allowWriting: Bool { !self.names.isDisjoint(with: Self.writing) }
    private static let writing: Set<QualifiedName> = [.dav("all"), .dav("write"), .dav("write-content")]
}

/// `DAV:supported-report-set`: the reports that a collection supports (RFC 3253 §3.1.5).
package struct SupportedReports: DAVProperty {
    package static let name = QualifiedName.dav("supported-report-set")
    private let names: Set<QualifiedName>

    package init?(_ element: Element) {
        let reports = element.all(.dav("supported-report")).compactMap { $0.first(.dav("report")) }
        self.names = Set(reports.flatMap { $0.children.map(\.name) })
    }

    /// Whether the collection supports `sync-collection` (RFC 6578 §3.2).
    package var hasSyncCollection: Bool { self.names.contains(.dav("sync-collection")) }
    /// Whether the collection supports `calendar-query` (RFC 4791 §7.8).
    package var hasCalendarQuery: Bool { self.names.contains(.calDAV("calendar-query")) }
}

/// `DAV:resourcetype` (RFC 4918 §15.9, RFC 4791 §4.2).
package struct ResourceType: DAVProperty {
    package static let name = QualifiedName.dav("resourcetype")
    private let types: Set<QualifiedName>
    package init?(_ element: Element) { self.types = Set(element.children.map(\.name)) }
    package var isCollection: Bool { self.types.contains(.dav("collection")) }

    /// Whether the collection contains the user's own calendar objects.
    ///
    /// SOGo's `personal/` is both a calendar and a scheduling outbox, so the outbox type does not exclude a calendar. A
    /// subscription to a calendar of another server and Nextcloud's trash are excluded.
    package var isCalendar: Bool {
        self.types.contains(.calDAV("calendar")) && self.types.isDisjoint(with: Self.foreign)
    }

    /// Whether the collection contains deleted objects (Nextcloud).
    package var isTrash: Bool { self.types.contains(Self.trash) }
    private static let trash = QualifiedName("trash-bin", in: Namespace.nextcloud)
    private static let foreign: Set<QualifiedName> = [
        .calendarServer("subscribed"), .calendarServer("deleted-calendar"),
        Self.trash, QualifiedName("deleted-calendar", in: Namespace.nextcloud),
    ]
}

/// `C:calendar-data`: a calendar object as text, with its white space (RFC 4791 §9.6).
package struct CalendarData: DAVProperty {
    package static let name = QualifiedName.calDAV("calendar-data")
    /// The text with LF as line end, since XML turns CRLF into LF (XML 1.0 §2.11).
    package let text: String

    package init?(_ element: Element) {
        guard !element.trimmedText.isEmpty else { return nil }
        self.text = element.text
    }

    package var bytes: [UInt8] { Self.restoringLineEnds(Array(self.text.utf8)) }

    /// Replaces LF by CRLF, as RFC 5545 §3.1 requires; a text that contains a CR stays unchanged.
    package static func restoringLineEnds(_ data: [UInt8]) -> [UInt8] {
        guard !data.contains(0x0D) else { return data }
        var result: [UInt8] = []
        result.reserveCapacity(data.count + data.count / 24)
        var rest = data[...]
        while let end = rest.firstIndex(of: 0x0A) {
            result += rest[..<end]
            result += [0x0D, 0x0A]
            rest = rest[(end + 1)...]
        }
        return result + rest
    }
}
