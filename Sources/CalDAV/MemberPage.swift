internal import HTTP
internal import Resources
internal import WebDAV

/// The members of a list in one answer.
struct MemberPage {
    private let list: URL
    private let listKey: String
    /// By ``Href/key``, as the other two.
    private(set) var members: [String: ResourceVersion] = [:]
    private(set) var removed: [String: Href] = [:]
    /// The texts that came with the members.
    private(set) var texts: [String: [UInt8]] = [:]
    /// Whether the server says that there is more.
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
        // 404 by the standard; Nextcloud and Infomaniak also say 418 of a member that went to the trash. A refusal, such as
        // 403, says nothing about whether the member is still there.
        if let status = member.status, [404, 410, 418].contains(status), !member.hasProperties {
            self.removed[key] = Href(place.path)
            return
        }
        try self.refuseFailure(member)
        if self.isCalendarObject(member) { self.add(member, at: place, key) }
    }

    private mutating func add(_ member: Multistatus.Member, at place: URL, _ key: String) {
        // The same member twice (Zimbra, DavMail): the one with a version counts.
        let etag = member.properties[EntityTag.self] ?? self.members[key]?.etag
        self.members[key] = ResourceVersion(href: Href(place.path), etag: etag)
        // A text that lost a letter in cleaning is fetched by itself.
        if let data = member.properties[CalendarData.self], !(self.wasRepaired && data.text.hasReplacement) {
            self.texts[key] = data.bytes
        }
    }

    private func refuseFailure(_ member: Multistatus.Member) throws(CalDAVError) {
        guard let status = member.status ?? member.propertyFailure, status >= 400 else { return }
        throw CalDAVError(.brokenAnswer, url: self.list.text, status: status, message: "a part of it failed")
    }

    /// The key of a direct member; `nil` for a deeper resource, or one without a usable address.
    private func key(of member: Multistatus.Member, at place: URL) throws(CalDAVError) -> String? {
        let key = place.pathKey
        guard key.hasPrefix(self.listKey) else {
            throw CalDAVError(.brokenAnswer, url: self.list.text, message: "it names members of another collection")
        }
        let name = key.dropFirst(self.listKey.count)
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        // Few names have an escape, and to look for each of these takes long in a list of thousands.
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
