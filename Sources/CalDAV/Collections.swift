public import HTTP
internal import WebDAV

/// The changes of a calendar.
public enum CollectionChange: Hashable, Sendable {
    /// The display name (DAV:displayname).
    case name(String)
    /// Its colour as `#RRGGBB`, `nil` for none (calendar-color).
    case color(String?)
}

extension CalDAVClient {
    /// Renames or recolours a calendar (PROPPATCH, RFC 4918 §9.2), and reads the result.
    ///
    /// There is no condition: the last change wins.
    ///
    /// - Parameter homes: where it is looked for afterwards; see ``Discovery/homes``.
    /// - Returns: the calendar as the server lists it now. Some take a while and still say the old word (Infomaniak), some
    ///   change it, and some move the calendar to an address made of its name (Zimbra).
    /// - Throws: ``CalDAVError/Code/forbidden``, ``CalDAVError/Code/rejected`` or ``CalDAVError/Code/serverError`` when the
    ///   server does not take the change. After a failure without an answer it may have been done all the same.
    public func change(
        _ change: CollectionChange,
        of list: CalendarCollection,
        homes: [URL]
    ) async throws(CalDAVError) -> CalendarCollection {
        let body: [UInt8] =
            switch change {
            case .name(let name): Proppatch(displayName: name).body
            case .color(let color): Proppatch(color: color.flatMap { CalendarColor(text: $0) }).body
            }
        let headers: Headers = [.contentType: "application/xml; charset=utf-8"]
        let answer = try await self.send("PROPPATCH", to: list.url, headers: headers, body: body)
        if let failure = try answer.failureOfOne {
            // SOGo says 405 of a calendar that is gone.
            guard failure.code == .serverError, await self.isGone(list.url) else { throw failure }
            throw CalDAVError(.notFound, url: list.url.text)
        }
        guard let now = try await self.find(list, after: change, in: homes) else {
            throw CalDAVError(.notFound, url: list.url.text)
        }
        return now
    }

    /// Deletes a calendar with everything in it (RFC 4918 §9.6.1).
    ///
    /// Some servers put it into a trash, from which its owner gets it back (Nextcloud); some list it for a while
    /// longer (Infomaniak).
    public func deleteCalendar(at url: URL) async throws(CalDAVError) -> DeleteOutcome {
        let answer = try await self.send("DELETE", to: url.asFolder)
        guard let failure = try answer.failureOfOne else { return .deleted }
        if failure.code == .notFound { return .alreadyGone }
        throw failure
    }

    private func isGone(_ url: URL) async -> Bool {
        do throws(CalDAVError) {
            return try await self.list(at: url) == nil
        } catch {
            return false
        }
    }

    /// A calendar as it is listed after a change: by its address, else by its resource-id, else by its new name.
    private func find(
        _ list: CalendarCollection,
        after change: CollectionChange,
        in homes: [URL]
    ) async throws(CalDAVError) -> CalendarCollection? {
        var listed: [CalendarCollection] = []
        for home in homes { listed += try await self.lists(in: home) }
        if let same = listed.first(where: { $0.url.pathKey == list.url.pathKey }) { return same }
        if let identity = list.resourceID {
            let same = listed.filter { $0.resourceID == identity }
            if same.count == 1 { return same.first }
        }
        // A shared list may be outside the homes of the account.
        do throws(CalDAVError) {
            if let same = try await self.list(at: list.url) { return same }
        } catch {
            guard error.code == .notFound || error.code == .forbidden else { throw error }
        }
        guard case .name(let name) = change else { return nil }
        let named = listed.filter { $0.displayName == name }
        return named.count == 1 ? named.first : nil
    }
}

extension CalDAVClient.Answer {
    /// The failure in an answer to a request about one resource, wherever in it it stands; `nil` for a success.
    ///
    /// The hrefs are not looked at: Xandikos answers with absolute ones, sabre/dav leaves the last slash out. A body
    /// beside 200 says nothing (Radicale).
    var failureOfOne: CalDAVError? {
        get throws(CalDAVError) {
            guard (200..<300).contains(self.response.status) else { return self.failure() }
            guard self.response.status == 207 else { return nil }
            for member in try self.multistatus().members {
                guard let status = member.status ?? member.failures.values.min(), status >= 300 else { continue }
                return Self(response: Response(status: status), url: self.url, method: self.method).failure()
            }
            return nil
        }
    }
}
