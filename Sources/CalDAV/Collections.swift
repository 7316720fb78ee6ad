public import HTTP
public import Resources
internal import WebDAV

/// A change of a calendar.
public enum CollectionChange: Hashable, Sendable {
    case name(String)
    /// `#RRGGBB`; `nil` for none.
    case color(String?)
}

extension CalDAVClient {
    /// Renames or recolours a calendar (PROPPATCH, RFC 4918 §9.2), without a condition, and reads the result.
    ///
    /// - Parameter homes: the places to search for it afterwards; see ``Discovery/homes``.
    /// - Returns: the calendar as the server lists it now. Some servers delay the change (Infomaniak), some alter it,
    ///   and some move the calendar to an address made of its name (Zimbra).
    /// - Throws: also after a change without an answer, which may have been done.
    public func change(
        _ change: CollectionChange,
        of list: CalendarCollection,
        homes: [URL]
    ) async throws(CalDAVError) -> CalendarCollection {
        let property: PropertyChange =
            switch change {
            case .name(let name): .displayName(name)
            case .color(let color): .color(color.flatMap { CalendarColor(text: $0) })
            }
        let answer = try await self.sendXML("PROPPATCH", to: list.url, RequestBody.proppatch(property))
        if let failure = try answer.failureOfOne {
            // SOGo answers 405 for a missing calendar.
            guard failure.code == .serverError, (try? await self.list(at: list.url) == nil) == true else {
                throw failure
            }
            throw CalDAVError(.notFound, url: list.url.text)
        }
        guard let now = try await self.find(list, after: change, in: homes) else {
            throw CalDAVError(.notFound, url: list.url.text)
        }
        return now
    }

    /// Deletes a calendar with its items (RFC 4918 §9.6.1); some servers list it for a while longer (Infomaniak).
    public func deleteCalendar(at url: URL) async throws(CalDAVError) -> DeleteOutcome {
        let answer = try await self.send("DELETE", to: url.asFolder)
        guard let failure = try answer.failureOfOne else { return .deleted }
        if failure.code == .notFound { return .alreadyGone }
        throw failure
    }

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
    /// The failure in an answer about one resource, of which a body with status 200 means nothing (Radicale).
    ///
    /// The hrefs are ignored: Xandikos sends absolute ones, sabre/dav omits the last slash.
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

extension CalDAVClient {
    /// The text of ``keep(labels:in:)`` at the last listing of the home; `nil` for none.
    public func labels(in home: URL) -> String? { self.homeLabels[home.pathKey] }

    /// Whether the server may keep labels; a server that accepted them and does not list them later does not.
    public func mayKeepLabels(in home: URL) -> Bool {
        if self.capabilities.abilities[.keepsLabels] == true, self.homeLabels[home.pathKey] == nil {
            self.learn(.keepsLabels, false)
        }
        return self.capabilities.mayHave(.keepsLabels)
    }

    /// Keeps a text in a property of this program at a home (PROPPATCH, RFC 4918 §9.2).
    ///
    /// A refusal is remembered; a failure without an answer is not.
    public func keep(labels text: String, in home: URL) async {
        do throws(CalDAVError) {
            let answer = try await self.sendXML("PROPPATCH", to: home.asFolder, RequestBody.proppatch(.labels(text)))
            if let failure = try answer.failureOfOne { throw failure }
            self.learn(.keepsLabels, true)
            self.homeLabels[home.pathKey] = text
        } catch {
            guard error.transport == nil, error.code != .unauthorized, error.code != .busy else { return }
            self.learn(.keepsLabels, false)
        }
    }

    func note(labelsOf properties: PropertySet, in home: URL) {
        self.homeLabels[home.pathKey] = properties[LabelsProperty.self]?.text
    }

    /// Fills an empty list by one PUT on its address (Radicale, some hundred times faster than item by item).
    ///
    /// The write has the condition that the list is unchanged, so that items of other programs are not overwritten.
    /// List properties that the server loses are written again.
    ///
    /// - Parameter list: from a listing; other programs should not have set properties on it.
    /// - Returns: the outcome. The caller has to list the items and their addresses.
    /// - Throws: ``CalDAVError/Code/serverError`` when it is uncertain whether the write was done.
    public func fill(_ list: CalendarCollection, with data: [UInt8]) async throws(CalDAVError) -> FillOutcome {
        guard self.capabilities.mayHave(.wholeListPut) else { return .notOffered }
        let state = try await self.state(of: list)
        guard state.isEmpty else { return .notEmpty }
        guard let etag = state.etag else { return .notOffered }
        let headers: Headers = [.contentType: "text/calendar; charset=utf-8", .ifMatch: etag.wire]
        let answer = try await self.send("PUT", to: list.url, headers: headers, body: data, isOnce: true)
        switch answer.response.status {
        case 200..<300: break
        // Another writer was faster, or the server does not know the list's version.
        case 412: return .notEmpty
        case 401, 407, 423, 425, 429, 500...: throw answer.failure()
        default:
            self.learn(.wholeListPut, false)
            return .notOffered
        }
        self.learn(.wholeListPut, true)
        try await self.restore(list, named: list.displayName, color: list.color, components: list.components)
        return .filled
    }

    /// The version is `nil` without one that is usable in a condition.
    private func state(of list: CalendarCollection) async throws(CalDAVError) -> (isEmpty: Bool, etag: EntityTag?) {
        let answer = try await self.propfind(list.url, depth: "1", [EntityTag.self, ResourceType.self])
        let members = try answer.multistatus().members
        guard members.count <= 1 else { return (false, nil) }
        guard let member = members.first,
            try self.locate(member.href, from: answer.url).asFolder.pathKey == list.url.pathKey,
            let etag = member.properties[EntityTag.self], !etag.isWeak
        else { return (true, nil) }
        return (true, etag)
    }

    /// Restores properties of a list; `nil` and an empty list leave them unchanged.
    ///
    /// The items are stored already, so a refusal is ignored: the next sync reads the properties of the server.
    public func restore(
        _ list: CalendarCollection,
        named name: String?,
        color: String?,
        components: [String]
    ) async throws(CalDAVError) {
        guard let now = try await self.list(at: list.url) else { return }
        var bodies: [[UInt8]] = []
        if let name, now.displayName != name { bodies.append(RequestBody.proppatch(.displayName(name))) }
        if let color, now.color != color {
            bodies.append(RequestBody.proppatch(.color(CalendarColor(text: color))))
        }
        if !components.isEmpty, now.components != components {
            bodies.append(RequestBody.proppatch(.components(components)))
        }
        for body in bodies { _ = try await self.sendXML("PROPPATCH", to: list.url, body) }
    }
}
