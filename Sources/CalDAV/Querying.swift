internal import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// Every member of a list of which nothing is known yet, with the texts where the server sends them along.
    ///
    /// By one calendar-query (RFC 4791 §7.8) if the list was listed with a usable token: changes during the query are
    /// reported after that token. A sync-collection reports everything that was ever in a list, and servers derive the
    /// answer from that: it takes Radicale twice as long.
    ///
    /// - Returns: a complete set; the next full listing finds items that a server omits from the query.
    public func everything(in list: CalendarCollection) async throws(CalDAVError) -> ResourceChanges {
        if let set = try await self.everythingByQuery(list) { return set }
        return try await self.changes(in: list, since: nil, wantsTexts: true)
    }

    /// `nil` where a query is no way.
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
            // An answer about one list, such as that it is gone, says nothing about the others.
            if ![403, 404, 410].contains(error.status) || error.message == Precondition.supportedReport.local {
                self.learn(.textsByQuery, false)
            }
            return nil
        }
        // Of nothing there is no telling whether the list is empty or the query was not understood.
        guard !page.isCut, !page.texts.isEmpty else { return nil }
        self.learn(.textsByQuery, true)
        return ResourceChanges(page.members, texts: page.texts, token: token, isComplete: true)
    }

    private func query(_ list: CalendarCollection) async throws(CalDAVError) -> MemberPage {
        // Resources that are no calendar objects do not match, so their types need not be requested.
        let query = CalendarQuery(properties: [EntityTag.self, CalendarData.self])
        let answer = try await self.report(query.body, list, depth: "1")
        let multistatus = try answer.multistatus()
        guard !multistatus.isNamelessInPart else {
            throw CalDAVError(.brokenAnswer, url: list.url.text, message: "a part of it has no address")
        }
        var page = MemberPage(list: list.url, wasRepaired: multistatus.wasRepaired)
        for member in multistatus.members {
            try page.addChanged(member, at: try self.locate(member.href, from: answer.url))
        }
        return page
    }
}
