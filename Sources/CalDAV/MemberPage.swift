internal import HTTP
internal import WebDAV

/// What one answer says about the members of a list.
struct MemberPage {
    private let list: URL
    private let listKey: String
    private(set) var members: [Href: ChangeSet.Member] = [:]
    private(set) var removed: Set<Href> = []
    /// What came along of the texts.
    private(set) var texts: [Href: [UInt8]] = [:]
    /// Whether the server says that there is more.
    private(set) var isCut = false
    private let wasRepaired: Bool

    init(list: URL, wasRepaired: Bool = false) {
        self.wasRepaired = wasRepaired
        self.list = list
        self.listKey = list.pathKey
    }

    var sortedMembers: [ChangeSet.Member] { self.members.values.sorted { $0.href.key < $1.href.key } }

    func isList(_ place: URL) -> Bool { place.asFolder.pathKey == self.listKey }

    mutating func addListed(_ member: Multistatus.Member, at place: URL) throws(CalDAVError) {
        if self.isList(place) {
            guard member.status != 404, member.status != 410 else {
                throw CalDAVError(.notFound, url: self.list.text, status: member.status)
            }
            return try self.refuseFailure(member)
        }
        guard let href = try self.href(of: member, at: place) else { return }
        if member.status == 404 || member.status == 410 { return }
        try self.refuseFailure(member)
        if self.isCalendarObject(member) { self.add(href, member) }
    }

    mutating func addChanged(_ member: Multistatus.Member, at place: URL) throws(CalDAVError) {
        if self.isList(place) {
            if member.status == 507 || member.preconditions.contains(.matchesWithinLimits) { self.isCut = true }
            return
        }
        guard let href = try self.href(of: member, at: place) else { return }
        // 404 by the standard; Nextcloud and Infomaniak also say 418 of a member that went to the trash. A refusal, such as
        // 403, says nothing about whether the member is still there.
        if let status = member.status, [404, 410, 418].contains(status), !member.hasProperties {
            self.removed.insert(href)
            return
        }
        try self.refuseFailure(member)
        if self.isCalendarObject(member) { self.add(href, member) }
    }

    private mutating func add(_ href: Href, _ member: Multistatus.Member) {
        // The same member twice (Zimbra, DavMail): the one with a version counts.
        let etag = member.properties[ETag.self] ?? self.members[href]?.etag
        self.members[href] = ChangeSet.Member(href: href, etag: etag)
        // A text that lost a letter in cleaning is fetched by itself.
        if let data = member.properties[CalendarData.self]?.text, !(self.wasRepaired && data.hasReplacement) {
            self.texts[href] = Array(data.utf8)
        }
    }

    private func refuseFailure(_ member: Multistatus.Member) throws(CalDAVError) {
        guard let status = member.status ?? member.propertyFailure, status >= 400 else { return }
        throw CalDAVError(.brokenAnswer, url: self.list.text, status: status, message: "a part of it failed")
    }

    /// The reference of a direct member, `nil` for what lies deeper or cannot be addressed.
    private func href(of member: Multistatus.Member, at place: URL) throws(CalDAVError) -> Href? {
        let key = place.pathKey
        guard key.hasPrefix(self.listKey) else {
            throw CalDAVError(.brokenAnswer, url: self.list.text, message: "it names members of another collection")
        }
        let name = key.dropFirst(self.listKey.count)
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        // Few names have an escape, and to look for each of these takes long in a list of thousands.
        let hasEscape = name.utf8.contains(UInt8(ascii: "%"))
        guard !hasEscape || !["%00", "%2F", "%5C"].contains(where: { name.contains($0) }) else { return nil }
        return Href(place.path, key: key)
    }

    private func isCalendarObject(_ member: Multistatus.Member) -> Bool {
        if member.properties[ResourceType.self]?.isCollection == true { return false }
        guard let text = member.properties[ContentType.self]?.text, text != "text/calendar" else { return true }
        return MediaType(text).map { $0.essence == "text/calendar" } ?? true
    }
}
