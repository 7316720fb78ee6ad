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
        var page = MemberPage(list: list.url)
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
            var page = MemberPage(list: list.url, wasRepaired: multistatus.wasRepaired)
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
                set.take(texts)
                return .changes(set)
            }
            guard next != token else { break }
            token = next
        }
        throw CalDAVError(.brokenAnswer, url: list.url.text, message: "the pages of its changes never end")
    }

    func report(
        _ body: [UInt8],
        _ list: CalendarCollection,
        depth: String = "0"
    ) async throws(CalDAVError) -> Answer {
        let headers: Headers = [.depth: depth, .contentType: "application/xml; charset=utf-8"]
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
