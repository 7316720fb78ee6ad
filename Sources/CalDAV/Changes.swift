internal import HTTP
internal import WebDAV

extension CalDAVClient {
    /// What has changed in a list since a token (RFC 6578).
    ///
    /// Recovers by itself: a token that is refused or answered implausibly leads to a list of all members, and so does
    /// a server without sync-collection. An answer that is cut, broken or partly failed is an error, never a change.
    ///
    /// - Parameters:
    ///   - list: as it was listed just before, since its own token tells a server that lies about the other.
    ///   - token: where the last sync ended, `nil` for every member.
    ///   - wantsTexts: whether the texts of what has changed are wanted with it, where the server can: that saves the
    ///     requests for them.
    public func changes(
        in list: CalendarCollection,
        since token: String?,
        wantsTexts: Bool = false
    ) async throws(CalDAVError) -> ChangeSet {
        guard list.supportsSyncCollection, !self.withoutSyncCollection.contains(list.url.pathKey) else {
            return try await self.listing(of: list)
        }
        if let token {
            switch try await self.syncCollection(list, since: token, mayBringTexts: wantsTexts) {
            case .changes(let set):
                if try await self.isPlausible(set, since: token, in: list) { return set }
            case .tokenRefused: break
            case .notAnswered: return try await self.listing(of: list)
            }
        }
        guard case .changes(let set) = try await self.syncCollection(list, since: nil, mayBringTexts: wantsTexts) else {
            return try await self.listing(of: list)
        }
        return set
    }

    /// Whether an answer to a token can be believed; see ``Quirks/isPlausible(from:to:current:)``.
    private func isPlausible(
        _ set: ChangeSet,
        since token: String,
        in list: CalendarCollection
    ) async throws(CalDAVError) -> Bool {
        let new = set.token ?? token
        var current = list.syncToken
        if current == nil, new == token, set.changed.isEmpty, set.removed.isEmpty {
            // The listing had not asked for it, and something must have led here.
            current = try await self.list(at: list.url)?.syncToken
        }
        return Quirks.isPlausible(from: token, to: new, current: current)
    }

    /// Asks for the texts as well if they are wanted and the server is not known to leave them out.
    private func syncCollection(
        _ list: CalendarCollection,
        since token: String?,
        mayBringTexts: Bool
    ) async throws(CalDAVError) -> SyncOutcome {
        guard mayBringTexts, self.capabilities.mayHave(.textsWithChanges) else {
            return try await self.syncCollection(list, since: token, wantsTexts: false)
        }
        do throws(CalDAVError) {
            let outcome = try await self.syncCollection(list, since: token, wantsTexts: true)
            if case .changes(let set) = outcome, !set.changed.isEmpty {
                self.learn(.textsWithChanges, !set.items.isEmpty)
            }
            return outcome
        } catch {
            // SOGo writes broken XML when a text holds an emoji; a list may be larger than an answer may be.
            guard Self.mayComeFromSize(error) else { throw error }
            if error.code == .brokenAnswer || error.transport == TransportError(.tooLarge) {
                self.learn(.textsWithChanges, false)
            }
            return try await self.syncCollection(list, since: token, wantsTexts: false)
        }
    }

    /// Every member of a list with its entity tag: one request.
    ///
    /// For servers without sync-collection, and now and then for the others: some never tell what was deleted.
    ///
    /// - Returns: a complete set without a token.
    public func listing(of list: CalendarCollection) async throws(CalDAVError) -> ChangeSet {
        let answer = try await self.propfind(list.url, depth: "1", [ETag.self, ContentType.self, ResourceType.self])
        let multistatus = try answer.multistatus()
        guard !multistatus.isNamelessInPart else {
            throw CalDAVError(.brokenAnswer, url: list.url.text, message: "it does not say what a part of it is about")
        }
        var page = Page(list: list.url)
        var hasItself = false
        for member in multistatus.members {
            let place = try self.locate(member.href, from: answer.url)
            hasItself = hasItself || page.isList(place)
            try page.addListed(member, at: place)
        }
        guard hasItself else {
            throw CalDAVError(
                .brokenAnswer,
                url: list.url.text,
                message: "the collection itself is missing in its listing"
            )
        }
        return ChangeSet(changed: page.sortedMembers, removed: [], token: nil, isComplete: true)
    }
}

extension CalDAVClient {
    private enum SyncOutcome {
        case changes(ChangeSet)
        case tokenRefused
        case notAnswered
    }

    /// Cyrus sends pages of its own making; more than this is a server that never comes to an end.
    private static let maximumPages = 1000

    private func syncCollection(
        _ list: CalendarCollection,
        since start: String?,
        wantsTexts: Bool
    ) async throws(CalDAVError) -> SyncOutcome {
        let basic: [any DAVProperty.Type] = [ETag.self, ContentType.self]
        let properties = wantsTexts ? basic + [CalendarData.self] : basic
        var token = start
        var members: [Href: ChangeSet.Member] = [:]
        var texts: [Href: [UInt8]] = [:]
        var removed: Set<Href> = []
        for _ in 0..<Self.maximumPages {
            let answer = try await self.report(
                SyncCollection(since: token, properties: properties).body,
                list
            )
            guard answer.response.status == 207 else { return try self.outcome(of: answer, list, token) }
            let multistatus = try answer.multistatus()
            // What nobody can tell the place of may be any member: the token must not move on over it.
            guard !multistatus.isNamelessInPart, let next = multistatus.syncToken else { return .notAnswered }
            var page = Page(list: list.url, wasRepaired: multistatus.wasRepaired)
            for member in multistatus.members {
                try page.addChanged(member, at: try self.locate(member.href, from: answer.url))
            }
            texts.merge(page.texts) { _, new in new }
            for (href, member) in page.members {
                members[href] = member
                removed.remove(href)
            }
            for href in page.removed where page.members[href] == nil {
                members[href] = nil
                removed.insert(href)
            }
            guard page.isCut else {
                let gone = start == nil ? [] : removed.sorted { $0.key < $1.key }
                let changed = members.values.sorted { $0.href.key < $1.href.key }
                var set = ChangeSet(changed: changed, removed: gone, token: next, isComplete: start == nil)
                set.items = changed.compactMap { member in
                    texts[member.href].map { CalendarItem(href: member.href, etag: member.etag, data: $0) }
                }
                return .changes(set)
            }
            guard next != token else { break }
            token = next
        }
        throw CalDAVError(.brokenAnswer, url: list.url.text, message: "the pages of its changes never end")
    }

    private func report(_ body: [UInt8], _ list: CalendarCollection) async throws(CalDAVError) -> Answer {
        let headers: Headers = [.depth: "0", .contentType: "application/xml; charset=utf-8"]
        return try await self.send("REPORT", to: list.url, headers: headers, body: body)
    }

    /// What a refusal of the report means: the token, the report, or the server as a whole.
    private func outcome(of answer: Answer, _ list: CalendarCollection, _ token: String?) throws(CalDAVError)
        -> SyncOutcome
    {
        let status = answer.response.status
        guard !(200..<300).contains(status) else {
            _ = try answer.multistatus()
            return .notAnswered
        }
        let error = answer.failure()
        if error.code == .syncTokenExpired { return token == nil ? .notAnswered : .tokenRefused }
        if error.concernsWholeServer || [502, 504].contains(status) { throw error }
        // Xandikos answers 500 to a token that is not one of its own.
        if status >= 500, status != 501, token != nil { return .tokenRefused }
        if [405, 415, 501].contains(status) || error.message == Precondition.supportedReport.local {
            self.withoutSyncCollection.insert(list.url.pathKey)
        }
        return .notAnswered
    }
}

/// What one answer says about the members of a list.
private struct Page {
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
