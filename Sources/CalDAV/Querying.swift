internal import HTTP
internal import WebDAV

extension CalDAVClient {
    /// Every member of a list of which nothing is known yet, with the texts where the server sends them along.
    ///
    /// By one calendar-query (RFC 4791 §7.8) where the state that the list was listed with is a token to go on from: what
    /// changes while it is answered is told of by that. A sync-collection tells of all that ever was in a list, and servers
    /// work it out from that: it takes Radicale twice as long.
    ///
    /// - Returns: a complete set; what a server leaves out of a query is found by the next full listing.
    public func everything(in list: CalendarCollection) async throws(CalDAVError) -> ChangeSet {
        if let set = try await self.everythingByQuery(list) { return set }
        return try await self.changes(in: list, since: nil, wantsTexts: true)
    }

    /// `nil` where a query is no way.
    private func everythingByQuery(_ list: CalendarCollection) async throws(CalDAVError) -> ChangeSet? {
        guard let token = list.syncToken, Quirks.provesState(token), list.supportsSyncCollection, list.mayAnswerQueries,
            !self.withoutSyncCollection.contains(list.url.pathKey), self.capabilities.mayHave(.textsByQuery)
        else { return nil }
        let page: MemberPage
        do throws(CalDAVError) {
            page = try await self.query(list)
        } catch {
            guard !error.concernsWholeServer || Self.mayComeFromSize(error) else { throw error }
            // What one list alone may answer, such as that it is gone, says nothing of the others.
            if ![403, 404, 410].contains(error.status) || error.message == Precondition.supportedReport.local {
                self.learn(.textsByQuery, false)
            }
            return nil
        }
        // Of nothing there is no telling whether the list is empty or the query was not understood.
        guard !page.isCut, !page.texts.isEmpty else { return nil }
        self.learn(.textsByQuery, true)
        var set = ChangeSet(changed: page.sortedMembers, removed: [], token: token, isComplete: true)
        set.take(page.texts)
        return set
    }

    private func query(_ list: CalendarCollection) async throws(CalDAVError) -> MemberPage {
        // What is no calendar object does not match, so that nobody has to say of each what it is.
        let query = CalendarQuery(properties: [ETag.self, CalendarData.self])
        let answer = try await self.report(query.body, list, depth: "1")
        let multistatus = try answer.multistatus()
        guard !multistatus.isNamelessInPart else {
            throw CalDAVError(.brokenAnswer, url: list.url.text, message: "it does not say what a part of it is about")
        }
        var page = MemberPage(list: list.url, wasRepaired: multistatus.wasRepaired)
        for member in multistatus.members {
            try page.addChanged(member, at: try self.locate(member.href, from: answer.url))
        }
        return page
    }
}

extension ChangeSet {
    /// Adds the texts that came along with what has changed.
    mutating func take(_ texts: [Href: [UInt8]]) {
        self.items = self.changed.compactMap { member in
            texts[member.href].map { CalendarItem(href: member.href, etag: member.etag, data: $0) }
        }
    }
}
