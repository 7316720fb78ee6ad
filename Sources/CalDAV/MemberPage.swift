internal import HTTP
internal import Resources
internal import WebDAV

struct MemberPage {
    private let list: URL
    private let listKey: String
    /// By ``Href/key``, like the other two.
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
        // 404 by the standard; Nextcloud and Infomaniak also answer 418 for a member in the trash. Any other refusal,
        // such as 403, does not mean that the member is gone.
        if let status = member.status, [404, 410, 418].contains(status), !member.hasProperties {
            self.removed[key] = Href(place.path)
            return
        }
        try self.refuseFailure(member)
        if self.isCalendarObject(member) { self.add(member, at: place, key) }
    }

    private mutating func add(_ member: Multistatus.Member, at place: URL, _ key: String) {
        // Zimbra and DavMail list a member twice: the entry with a version counts.
        let etag = member.properties[EntityTag.self] ?? self.members[key]?.etag
        self.members[key] = ResourceVersion(href: Href(place.path), etag: etag)
        // A text that lost a character in the repair is fetched separately.
        if let data = member.properties[CalendarData.self], !(self.wasRepaired && data.text.hasReplacement) {
            self.texts[key] = data.bytes
        }
    }

    private func refuseFailure(_ member: Multistatus.Member) throws(CalDAVError) {
        guard let status = member.status ?? member.propertyFailure, status >= 400 else { return }
        throw CalDAVError(.brokenAnswer, url: self.list.text, status: status, message: "a part of it failed")
    }

    /// `nil` for a deeper resource, or one without a usable name.
    private func key(of member: Multistatus.Member, at place: URL) throws(CalDAVError) -> String? {
        let key = place.pathKey
        guard key.hasPrefix(self.listKey) else {
            throw CalDAVError(.brokenAnswer, url: self.list.text, message: "it names members of another collection")
        }
        let name = key.dropFirst(self.listKey.count)
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        // Few names have an escape, and the search for each of these is slow in a list of thousands.
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
