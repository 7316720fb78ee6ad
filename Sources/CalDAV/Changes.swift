internal import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// The changes in a list since a token (RFC 6578).
    ///
    /// Recovers by itself: a token that is refused or answered implausibly leads to a list of all members, and so does
    /// a server without sync-collection. An answer that is cut, broken or partly failed is an error, never a change.
    ///
    /// - Parameters:
    ///   - list: as it was listed just before, since its own token tells a server that lies about the other.
    ///   - token: where the last sync ended, `nil` for every member.
    ///   - wantsTexts: whether the answer should contain the texts of the changed items, if the server can: that saves the
    ///     requests for them.
    public func changes(
        in list: CalendarCollection,
        since token: SyncToken?,
        wantsTexts: Bool = false
    ) async throws(CalDAVError) -> ResourceChanges {
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
        _ set: ResourceChanges,
        since token: SyncToken,
        in list: CalendarCollection
    ) async throws(CalDAVError) -> Bool {
        let new = set.token ?? token
        var current = list.syncToken
        if current == nil, new == token, set.changed.isEmpty, set.removed.isEmpty {
            // The listing had not asked for it, and something must have led here.
            current = try await self.list(at: list.url)?.syncToken
        }
        return Quirks.isPlausible(from: token.wire, to: new.wire, current: current?.wire)
    }

    /// Asks for the texts as well if they are wanted and the server is not known to leave them out.
    private func syncCollection(
        _ list: CalendarCollection,
        since token: SyncToken?,
        mayBringTexts: Bool
    ) async throws(CalDAVError) -> SyncOutcome {
        guard mayBringTexts, self.capabilities.mayHave(.textsWithChanges) else {
            return try await self.syncCollection(list, since: token, wantsTexts: false)
        }
        do throws(CalDAVError) {
            let outcome = try await self.syncCollection(list, since: token, wantsTexts: true)
            if case .changes(let set) = outcome, !set.changed.isEmpty {
                self.learn(.textsWithChanges, !set.texts.isEmpty)
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
    /// For servers without sync-collection, and at times for the others: some never report deletions.
    ///
    /// - Returns: a complete set without a token.
    public func listing(of list: CalendarCollection) async throws(CalDAVError) -> ResourceChanges {
        let answer = try await self.propfind(
            list.url,
            depth: "1",
            [EntityTag.self, ContentType.self, ResourceType.self]
        )
        let multistatus = try answer.multistatus()
        guard !multistatus.isNamelessInPart else {
            throw CalDAVError(.brokenAnswer, url: list.url.text, message: "a part of it has no address")
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
        return ResourceChanges(page.members, texts: [:], token: nil, isComplete: true)
    }
}

extension CalDAVClient {
    private enum SyncOutcome {
        case changes(ResourceChanges)
        case tokenRefused
        case notAnswered
    }

    /// Cyrus sends pages of its own making; more than this is a server that never comes to an end.
    private static let maximumPages = 1000

    private func syncCollection(
        _ list: CalendarCollection,
        since start: SyncToken?,
        wantsTexts: Bool
    ) async throws(CalDAVError) -> SyncOutcome {
        let basic: [any DAVProperty.Type] = [EntityTag.self, ContentType.self]
        let properties = wantsTexts ? basic + [CalendarData.self] : basic
        var token = start
        var members: [String: ResourceVersion] = [:]
        var texts: [String: [UInt8]] = [:]
        var removed: [String: Href] = [:]
        for _ in 0..<Self.maximumPages {
            let answer = try await self.report(
                SyncCollection(since: token, properties: properties).body,
                list
            )
            guard answer.response.status == 207 else { return try self.outcome(of: answer, list, token) }
            let multistatus = try answer.multistatus()
            // A part without an address may be any member: the token must not advance over it.
            guard !multistatus.isNamelessInPart, let next = multistatus.syncToken else { return .notAnswered }
            var page = MemberPage(list: list.url, wasRepaired: multistatus.wasRepaired)
            for member in multistatus.members {
                try page.addChanged(member, at: try self.locate(member.href, from: answer.url))
            }
            texts.merge(page.texts) { _, new in new }
            for (key, member) in page.members {
                members[key] = member
                removed[key] = nil
            }
            for (key, href) in page.removed where page.members[key] == nil {
                members[key] = nil
                removed[key] = href
            }
            guard page.isCut else {
                var changes = ResourceChanges(members, texts: texts, token: next, isComplete: start == nil)
                if start != nil { changes.removed = removed.sorted { $0.key < $1.key }.map(\.value) }
                return .changes(changes)
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

    /// The object of a refusal of the report: the token, the report, or the server as a whole.
    private func outcome(of answer: Answer, _ list: CalendarCollection, _ token: SyncToken?) throws(CalDAVError)
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

extension ResourceChanges {
    /// Changes without removals, in the order of the keys.
    ///
    /// - Parameters:
    ///   - members: new and changed resources by ``Href/key``.
    ///   - texts: the texts that came with them, by key.
    init(
        _ members: [String: ResourceVersion],
        texts: [String: [UInt8]],
        token: SyncToken?,
        isComplete: Bool
    ) {
        let sorted = members.sorted { $0.key < $1.key }
        self.init(
            changed: sorted.map(\.value),
            texts: sorted.compactMap { key, member in
                texts[key].map { ResourceText(href: member.href, etag: member.etag, text: $0) }
            },
            token: token,
            isComplete: isComplete
        )
    }
}
