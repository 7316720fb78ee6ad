internal import RemindavHTTP
internal import RemindavResources
internal import RemindavWebDAV

struct MemberPage {
    private let list: URL
    private let listKey: String
    /// The found members; each key is an ``Href/key``, also in ``removed`` and ``texts``.
    private(set) var members: [String: ResourceVersion] = [:]
    private(set) var removed: [String: Href] = [:]
    private(set) var texts: [String: [UInt8]] = [:]
    private(set) var isCut = false
    private let wasRepaired: Bool

    init(list: URL, wasRepaired: Bool = false) {
        self.wasRepaired = wasRepaired
        self.list = list
        self.listKey = list.pathKey
    }

    func isList(_ place: URL) -> Bool { place.asFolder.pathKey == self.listKey }

    mutating func addListed(_ member: Multistatus.Member, at place: URL) throws(CalDAVError) {
        if self.isList(place) {
            guard member.status != 404, member.status != 410 else {
                throw CalDAVError(.notFound, url: self.list.text, status: member.status)
            }
            return try self.refuseFailure(member)
        }
        guard let key = try self.key(of: member, at: place) else { return }
        if member.status == 404 || member.status == 410 { return }
        try self.refuseFailure(member)
        if self.isCalendarObject(member) { self.add(member, at: place, key) }
    }

    mutating func addChanged(_ member: Multistatus.Member, at place: URL) throws(CalDAVError) {
        if self.isList(place) {
            if member.status == 507 || member.preconditions.contains(.matchesWithinLimits) { self.isCut = true }
            return
        }
        guard let key = try self.key(of: member, at: place) else { return }
        // RFC 6578 defines 404 for a removed member. Nextcloud and Infomaniak also answer 418 for a member in the
        // trash. Another status, such as 403, does not mean that the member was removed.
        if let status = member.status, [404, 410, 418].contains(status), !member.hasProperties {
            self.removed[key] = Href(place.path)
            return
        }
        try self.refuseFailure(member)
        if self.isCalendarObject(member) { self.add(member, at: place, key) }
    }

    private mutating func add(_ member: Multistatus.Member, at place: URL, _ key: String) {
        // Zimbra and DavMail list some members twice, once without an entity tag.
        let etag = member.properties[EntityTag.self] ?? self.members[key]?.etag
        self.members[key] = ResourceVersion(href: Href(place.path), etag: etag)
        // If the repair of the XML lost a character of the text, the text is fetched separately.
        if let data = member.properties[CalendarData.self], !(self.wasRepaired && data.text.hasReplacement) {
            self.texts[key] = data.bytes
        }
    }

    private func refuseFailure(_ member: Multistatus.Member) throws(CalDAVError) {
        guard let status = member.status ?? member.propertyFailure, status >= 400 else { return }
        throw CalDAVError(.brokenAnswer, url: self.list.text, status: status, message: "a part of it reports an error")
    }

    /// The path key of a direct member; `nil` in a subfolder, or if the name has an escaped NUL, slash or backslash.
    private func key(of member: Multistatus.Member, at place: URL) throws(CalDAVError) -> String? {
        let key = place.pathKey
        guard key.hasPrefix(self.listKey) else {
            throw CalDAVError(.brokenAnswer, url: self.list.text, message: "it contains addresses outside of the list")
        }
        let name = key.dropFirst(self.listKey.count)
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        // Few names contain an escape, and searching for three escapes in each name is slow in a list of thousands.
        let hasEscape = name.utf8.contains(UInt8(ascii: "%"))
        guard !hasEscape || !["%00", "%2F", "%5C"].contains(where: { name.contains($0) }) else { return nil }
        return key
    }

    private func isCalendarObject(_ member: Multistatus.Member) -> Bool {
        if member.properties[ResourceType.self]?.isCollection == true { return false }
        guard let text = member.properties[ContentType.self]?.text, text != "text/calendar" else { return true }
        return MediaType(text).map { $0.essence == "text/calendar" } ?? true
    }
}
