public import RemindavHTTP
internal import RemindavResources
internal import RemindavWebDAV

extension CalDAVClient {
    /// Finds the lists of the account, starting from the given address (RFC 6764 §6).
    ///
    /// For a domain or an e-mail address, the client asks DNS first. It then tries the given address and the usual
    /// paths on that host, until an address has a principal or a calendar home. A rejected password ends the search.
    ///
    /// - Throws: ``CalDAVError/Code/redirectRefused`` when the account is on another host. The password may be sent to
    ///   that host only after the user has confirmed it. Then create a client for ``CalDAVError/redirectTarget``.
    public func discover() async throws(CalDAVError) -> Discovery {
        var search = Search()
        for place in await self.services() {
            guard self.isOwn(place) else {
                search.note(Self.foreignHost(place.url))
                continue
            }
            self.trust(place.url.origin)
            if let found = try await self.discover(place.candidates, &search, isLast: false) { return found }
        }
        let isLast = search.failure == nil
        if let found = try await self.discover(Address.candidates(for: self.given), &search, isLast: isLast) {
            return found
        }
        throw search.outcome(self.given)
    }

    /// - Parameter isLast: whether no other host remains to be tried, so that a failed connection must be thrown.
    private func discover(
        _ candidates: [URL],
        _ search: inout Search,
        isLast: Bool
    ) async throws(CalDAVError) -> Discovery? {
        for candidate in candidates {
            do throws(CalDAVError) {
                if let entry = try await self.entry(at: candidate) {
                    return try await self.complete(entry, forbidden: search.forbidden)
                }
            } catch {
                search.note(error)
                if error.code == .forbidden, candidate == self.given, candidate.path != "/" {
                    search.forbidden = candidate
                }
                // An earlier 401 named no authentication scheme, so one more address was asked. The search ends here,
                // because servers lock a user out after several wrong passwords.
                if let bare = search.bareRefusal { throw error.code == .unauthorized ? error : bare }
                guard error.concernsWholeServer else { continue }
                if error.signIn == .rejectedUnasked {
                    search.bareRefusal = error
                    continue
                }
                if isLast || error.code != .transport { throw error }
                return nil
            }
            // After a 401 without a scheme, one more address was tried. It sent no 401, so the earlier 401 is thrown.
            if let bare = search.bareRefusal { throw bare }
        }
        if let bare = search.bareRefusal { throw bare }
        return nil
    }

    private func services() async -> [ServicePlace] {
        guard let domain = self.domain, let resolver = self.resolver else { return [] }
        var generator = SystemRandomNumberGenerator()
        let places = await ServicePlace.find(
            domain,
            by: resolver,
            allowsInsecure: self.allowsInsecure,
            using: &generator
        )
        self.observe(ExchangeNote(service: domain, places.map(\.url.text)))
        return places
    }

    /// Whether the host is in the user's domain; no other host gets the password: DNS may be forged (RFC 6764 §8).
    private func isOwn(_ place: ServicePlace) -> Bool {
        guard let domain = self.domain else { return false }
        return place.url.host == domain || place.url.host.hasSuffix(".\(domain)")
    }

    /// Every calendar in a home with its state, by one request; without subscriptions and calendars in the trash.
    public func lists(in home: URL, state: CollectionState = .tokenAndTag) async throws(CalDAVError)
        -> [CalendarCollection]
    {
        try await self.collections(at: home, depth: "1", state)
    }

    /// The calendar at an address, with its state; `nil` when no calendar exists there.
    public func list(at url: URL) async throws(CalDAVError) -> CalendarCollection? {
        do throws(CalDAVError) {
            return try await self.collections(at: url, depth: "0").first
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// The failures that tell the user more than "no CalDAV server answers at this address".
    fileprivate static let tellingCodes: Set<CalDAVError.Code> = [
        .redirectRefused, .tooManyRedirects, .insecure, .serverError, .overQuota, .transport,
    ]

    private struct Search {
        private(set) var failure: CalDAVError?
        /// The error for a 401 that names no authentication scheme although the password was sent.
        var bareRefusal: CalDAVError?
        var forbidden: URL?

        /// Keeps the first error, but replaces it by a redirect to another host, which tells the user more.
        mutating func note(_ error: CalDAVError) {
            if self.failure?.code != .redirectRefused, error.code == .redirectRefused || self.failure == nil {
                self.failure = error
            }
        }

        /// The error to throw; status 405 or 501 comes from a web server without PROPFIND and means "not CalDAV".
        func outcome(_ given: URL) -> CalDAVError {
            let known = self.failure.flatMap { error in
                CalDAVClient.tellingCodes.contains(error.code) && ![405, 501].contains(error.status ?? 0) ? error : nil
            }
            return known ?? CalDAVError(.notCalDAV, url: given.text)
        }
    }

    private static let entryProperties: [any DAVProperty.Type] = [
        CurrentUserPrincipal.self, CalendarHomeSet.self, ResourceType.self,
    ]

    private static let costlyProperties = [CollectionTag.name, SyncToken.name, EntityTag.name]

    private static func properties(_ state: CollectionState) -> [any DAVProperty.Type] {
        let basic: [any DAVProperty.Type] = [
            ResourceType.self, DisplayName.self, CalendarColor.self, SupportedComponents.self, Privileges.self,
            SupportedReports.self, ResourceID.self, MaxResourceSize.self,
        ]
        return switch state {
        case .tag: basic + [CollectionTag.self]
        case .token: basic + [SyncToken.self]
        case .tokenAndTag: basic + [CollectionTag.self, SyncToken.self]
        }
    }

    private struct Entry {
        var principal: URL?
        var homes: [URL] = []
        var calendar: URL?
    }

    private func entry(at url: URL) async throws(CalDAVError) -> Entry? {
        guard let (first, url) = try await self.properties(at: url) else { return nil }
        var entry = Entry()
        if first[ResourceType.self]?.isCalendar == true { entry.calendar = url.asFolder }
        entry.homes = try self.homes(in: first, from: url)
        switch first[CurrentUserPrincipal.self] {
        case .unauthenticated:
            guard self.signIn.isSilent, url.scheme == "http" else {
                var error = CalDAVError(.unauthorized, url: url.text, message: SignInFailure.ignored.words)
                error.signIn = .ignored
                throw error
            }
            // Cyrus answers a request without a password by a success and not by a 401. Over `http`, no password was
            // sent yet, so it is sent now.
            self.signIn.insist()
            return try await self.entry(at: url)
        case .href(let href):
            let principal = try self.locate(href, from: url)
            entry.principal = principal
            if entry.homes.isEmpty, let (own, place) = try await self.properties(at: principal) {
                entry.homes = try self.homes(in: own, from: place)
            }
        case nil:
            // Some old servers name no principal. The parent folder of the entered calendar is then used as the home.
            if entry.homes.isEmpty, let parent = entry.calendar?.parent { entry.homes = [parent] }
        }
        return entry.homes.isEmpty ? nil : entry
    }

    private func homes(in properties: PropertySet, from url: URL) throws(CalDAVError) -> [URL] {
        var homes: [URL] = []
        for href in properties[CalendarHomeSet.self]?.hrefs ?? [] {
            let home = try self.locate(href, from: url).asFolder
            if !homes.contains(where: { $0.pathKey == home.pathKey }) { homes.append(home) }
        }
        return homes
    }

    private func properties(at url: URL) async throws(CalDAVError) -> (PropertySet, URL)? {
        let answer = try await self.propfind(url, depth: "0", Self.entryProperties)
        let members = try answer.multistatus().members
        guard let member = members.first(where: \.hasProperties) ?? members.first else { return nil }
        if let status = member.status, status >= 400 { return nil }
        return (member.properties, answer.url)
    }

    private func complete(_ entry: Entry, forbidden: URL?) async throws(CalDAVError) -> Discovery {
        var lists: [CalendarCollection] = []
        for home in entry.homes {
            for list in try await self.lists(in: home)
            where !lists.contains(where: { $0.url.pathKey == list.url.pathKey }) {
                lists.append(list)
            }
        }
        if let calendar = entry.calendar, !lists.contains(where: { $0.url.pathKey == calendar.pathKey }),
            let list = try await self.list(at: calendar)
        {
            lists.append(list)
        }
        let pasted = entry.calendar.flatMap { url in lists.first { $0.url.pathKey == url.pathKey }?.url }
        return Discovery(
            principal: entry.principal,
            homes: entry.homes,
            lists: lists,
            pasted: pasted,
            forbidden: forbidden
        )
    }

    func propfind(_ url: URL, depth: String, _ properties: [any DAVProperty.Type]) async throws(CalDAVError) -> Answer {
        // Radicale reads all objects of a collection to compute its state, so such a request is slow.
        let isSmall = depth == "0" && properties.allSatisfy { !Self.costlyProperties.contains($0.name) }
        return try await self.sendXML(
            "PROPFIND",
            to: url,
            depth: depth,
            RequestBody.propfind(properties),
            isSmall: isSmall
        )
    }

    private func collections(
        at url: URL,
        depth: String,
        _ state: CollectionState = .tokenAndTag
    ) async throws(CalDAVError) -> [CalendarCollection] {
        let isHome = depth == "1"
        let asked = Self.properties(state) + (isHome ? [LabelsProperty.self] : [])
        let answer = try await self.propfind(url, depth: depth, asked)
        let multistatus = try answer.multistatus()
        guard !multistatus.members.isEmpty else {
            throw CalDAVError(.brokenAnswer, url: url.text, message: "it is empty")
        }
        var lists: [CalendarCollection] = []
        for member in multistatus.members {
            let place = try self.locate(member.href, from: answer.url)
            let isItself = place.asFolder.pathKey == answer.url.asFolder.pathKey
            try Self.check(member, isItself: isItself, at: answer.url)
            if isHome, isItself {
                self.note(labelsOf: member.properties, in: url)
                self.trashedObjects = nil
            }
            if isHome, member.properties[ResourceType.self]?.isTrash == true { self.trashBins[url.pathKey] = place }
            if let list = CalendarCollection(member, at: place, state),
                !lists.contains(where: { $0.url.pathKey == list.url.pathKey })
            {
                lists.append(list)
            }
        }
        return lists
    }

    /// Refuses an incomplete listing, because a list that is missing in it would count as deleted.
    private static func check(_ member: Multistatus.Member, isItself: Bool, at url: URL) throws(CalDAVError) {
        guard let status = member.status ?? member.propertyFailure, status >= 400 else { return }
        // For a missing collection, Xandikos answers 207 with a 404 inside.
        if isItself, status == 404 || status == 410 { throw CalDAVError(.notFound, url: url.text, status: status) }
        // The user may not read the collection. If the resource type was sent, the status concerns another property.
        if isItself, member.properties[ResourceType.self] == nil, status == 401 || status == 403 {
            throw CalDAVError(.forbidden, url: url.text, status: status)
        }
        if status >= 500 {
            throw CalDAVError(.brokenAnswer, url: url.text, status: status, message: "a part of it reports an error")
        }
    }
}

extension CalendarCollection {
    fileprivate init?(_ member: Multistatus.Member, at url: URL, _ state: CollectionState) {
        let properties = member.properties
        guard properties[ResourceType.self]?.isCalendar == true else { return nil }
        self.init(url: url)
        self.displayName = properties[DisplayName.self]?.text
        self.color = properties[CalendarColor.self]?.hex
        self.components = properties[SupportedComponents.self]?.names ?? []
        self.isWritable = properties[Privileges.self]?.allowWriting ?? true
        self.syncToken = properties[SyncToken.self]
        self.ctag = properties[CollectionTag.self]?.text
        // Without listed reports, sync-collection is assumed if a sync token was sent or was not requested.
        let mayHaveReport = self.syncToken != nil || state == .tag
        self.supportsSyncCollection = properties[SupportedReports.self]?.hasSyncCollection ?? mayHaveReport
        self.mayAnswerQueries = properties[SupportedReports.self]?.hasCalendarQuery ?? true
        self.resourceID = properties[ResourceID.self]?.text
        self.maxResourceSize = properties[MaxResourceSize.self]?.bytes
    }
}
