internal import RemindavHTTP
public import RemindavResources
internal import RemindavWebDAV

extension CalDAVClient {
    /// The changes in a list since a sync token (RFC 6578).
    ///
    /// Returns all members of the list if the server refuses the token, answers implausibly, or has no sync-collection.
    /// Throws if an answer is truncated, unreadable or partly failed, because its missing members would look deleted.
    ///
    /// - Parameters:
    ///   - list: the list as a recent listing returned it; its sync token shows whether the answer is plausible.
    ///   - token: the token that the last sync received; `nil` requests every member.
    ///   - wantsTexts: whether to request the iCalendar texts of the changed objects too, which saves later requests.
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

    private func isPlausible(
        _ set: ResourceChanges,
        since token: SyncToken,
        in list: CalendarCollection
    ) async throws(CalDAVError) -> Bool {
        let new = set.token ?? token
        var current = list.syncToken
        if current == nil, new == token, set.changed.isEmpty, set.removed.isEmpty {
            // The listing of the home did not request the token, so the list is read again.
            current = try await self.list(at: list.url)?.syncToken
        }
        return Quirks.isPlausible(from: token.wire, to: new.wire, current: current?.wire)
    }

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
            // SOGo sends unreadable XML if a text has an emoji, and an answer with all texts may exceed the size limit.
            guard Self.mayComeFromSize(error) else { throw error }
            if error.code == .brokenAnswer || error.transport == TransportError(.tooLarge) {
                self.learn(.textsWithChanges, false)
            }
            return try await self.syncCollection(list, since: token, wantsTexts: false)
        }
    }

    /// Every member of a list with its entity tag, by one PROPFIND; the result has no sync token.
    ///
    /// Used for servers without sync-collection, and for a full comparison: some servers never report deletions.
    public func listing(of list: CalendarCollection) async throws(CalDAVError) -> ResourceChanges {
        let answer = try await self.propfind(
            list.url,
            depth: "1",
            [EntityTag.self, ContentType.self, ResourceType.self]
        )
        var page = MemberPage(list: list.url)
        var hasItself = false
        for member in try answer.wholeMultistatus().members {
            let place = try self.locate(member.href, from: answer.url)
            hasItself = hasItself || page.isList(place)
            try page.addListed(member, at: place)
        }
        guard hasItself else {
            let message = "it does not contain the list itself"
            throw CalDAVError(.brokenAnswer, url: list.url.text, message: message)
        }
        return ResourceChanges(page.members, texts: [:], token: nil, isComplete: true)
    }

    private enum SyncOutcome {
        case changes(ResourceChanges)
        case tokenRefused
        case notAnswered
    }

    /// The largest number of pages in which changes may arrive (Cyrus); the client assumes that more would never end.
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
            let answer = try await self.sendXML(
                "REPORT",
                to: list.url,
                depth: "0",
                RequestBody.syncCollection(since: token, properties: properties)
            )
            guard answer.response.status == 207 else { return try self.outcome(of: answer, list, token) }
            let multistatus = try answer.multistatus()
            // A response without an href may describe any member, so the new token must not be stored.
            guard !multistatus.isNamelessInPart, let next = multistatus.syncToken else { return .notAnswered }
            let page = try self.changedMembers(multistatus, answer, list)
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
        throw CalDAVError(.brokenAnswer, url: list.url.text, message: "its list of changes does not end")
    }

    func changedMembers(
        _ multistatus: Multistatus,
        _ answer: Answer,
        _ list: CalendarCollection
    ) throws(CalDAVError) -> MemberPage {
        var page = MemberPage(list: list.url, wasRepaired: multistatus.wasRepaired)
        for member in multistatus.members {
            try page.addChanged(member, at: try self.locate(member.href, from: answer.url))
        }
        return page
    }

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
        // Xandikos answers 500 to a token that it did not create.
        if status >= 500, status != 501, token != nil { return .tokenRefused }
        if [405, 415, 501].contains(status) || error.message == Precondition.supportedReport.local {
            self.withoutSyncCollection.insert(list.url.pathKey)
        }
        return .notAnswered
    }
}

extension ResourceChanges {
    init(_ members: [String: ResourceVersion], texts: [String: [UInt8]], token: SyncToken?, isComplete: Bool) {
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

extension CalDAVClient {
    /// Every member of a list that was never synced, with the texts if the server sends them.
    ///
    /// If the sync token in `list` changes with every change of a member, one calendar-query (RFC 4791 §7.8) reads the
    /// list. The next sync then requests the changes since that token. Radicale takes twice as long for a
    /// sync-collection, because that report also covers deleted members.
    ///
    /// - Returns: all members. If a server omits members from its query answer, the next full listing finds them.
    public func everything(in list: CalendarCollection) async throws(CalDAVError) -> ResourceChanges {
        if let set = try await self.everythingByQuery(list) { return set }
        return try await self.changes(in: list, since: nil, wantsTexts: true)
    }

    /// Returns `nil` when the list cannot be read by a query.
    private func everythingByQuery(_ list: CalendarCollection) async throws(CalDAVError) -> ResourceChanges? {
        guard let token = list.syncToken, Quirks.provesState(token.wire), list.supportsSyncCollection,
            list.mayAnswerQueries,
            !self.withoutSyncCollection.contains(list.url.pathKey), self.capabilities.mayHave(.textsByQuery)
        else { return nil }
        let page: MemberPage
        do throws(CalDAVError) {
            page = try await self.query(list)
        } catch {
            guard !error.concernsWholeServer || Self.mayComeFromSize(error) else { throw error }
            // A refusal that concerns only this list, such as 404, does not mean that queries fail for other lists.
            if ![403, 404, 410].contains(error.status) || error.message == Precondition.supportedReport.local {
                self.learn(.textsByQuery, false)
            }
            return nil
        }
        // An empty answer may mean an empty list, or a query that the server did not understand.
        guard !page.isCut, !page.texts.isEmpty else { return nil }
        self.learn(.textsByQuery, true)
        return ResourceChanges(page.members, texts: page.texts, token: token, isComplete: true)
    }

    private func query(_ list: CalendarCollection) async throws(CalDAVError) -> MemberPage {
        // The query matches only calendar objects, so it need not request the content types.
        let query = RequestBody.calendarQuery(properties: [EntityTag.self, CalendarData.self])
        let answer = try await self.sendXML("REPORT", to: list.url, depth: "1", query)
        return try self.changedMembers(try answer.wholeMultistatus(), answer, list)
    }
}
