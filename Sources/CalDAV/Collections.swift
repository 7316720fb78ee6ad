public import RemindavHTTP
public import RemindavResources
internal import RemindavWebDAV

/// A change of a calendar's display name or colour.
public enum CollectionChange: Hashable, Sendable {
    /// The new display name.
    case name(String)
    /// The new colour as `#RRGGBB`; `nil` removes the colour.
    case color(String?)
}

extension CalDAVClient {
    /// Renames or recolours a calendar by PROPPATCH (RFC 4918 §9.2), and reads the result.
    ///
    /// - Parameters:
    ///   - change: the new name or colour.
    ///   - list: the calendar as a listing returned it.
    ///   - homes: the calendar homes in which to find the calendar afterwards; see ``Discovery/homes``.
    /// - Returns: the calendar as the server lists it afterwards. Infomaniak applies the change later, some servers
    ///   alter the value, and Zimbra moves the calendar to an address with the new name.
    /// - Throws: if the server refuses or does not answer. Without an answer, the change may have been made.
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

    /// Deletes a calendar with its objects (RFC 4918 §9.6.1); Infomaniak still lists the calendar for some time.
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
    /// The failure in an answer about one resource; `nil` for a success.
    ///
    /// The body of any success except 207 is ignored, because Radicale sends a body with status 200. The hrefs in a 207
    /// are not compared, because Xandikos sends absolute URLs and sabre/dav omits the last slash.
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
    /// The text that ``keep(labels:in:)`` stored, as the last listing of the home contained it; `nil` for none.
    public func labels(in home: URL) -> String? { self.homeLabels[home.pathKey] }

    /// Whether the server may store labels; `false` after a refusal, or if a listing lacks a text that was accepted.
    public func mayKeepLabels(in home: URL) -> Bool {
        if self.capabilities.abilities[.keepsLabels] == true, self.homeLabels[home.pathKey] == nil {
            self.learn(.keepsLabels, false)
        }
        return self.capabilities.mayHave(.keepsLabels)
    }

    /// Stores a text in this program's own WebDAV property of a calendar home (PROPPATCH, RFC 4918 §9.2).
    ///
    /// The client remembers a refusal, but not a failure of the connection.
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

    /// Fills an empty list by one PUT to its address; on Radicale, one PUT per object takes about twenty times as long.
    ///
    /// The PUT is conditional on the list's entity tag, so objects that other programs added are not overwritten. If
    /// the server loses the name, colour or components of the list, they are written again. Other properties of the
    /// list may get lost.
    ///
    /// - Parameters:
    ///   - list: the list as a listing returned it.
    ///   - data: a VCALENDAR with all objects.
    /// - Returns: the outcome; after `.filled`, the caller has to list the objects to get their addresses.
    /// - Throws: ``CalDAVError/Code/serverError`` when it is unknown whether the objects were written.
    public func fill(_ list: CalendarCollection, with data: [UInt8]) async throws(CalDAVError) -> FillOutcome {
        guard self.capabilities.mayHave(.wholeListPut) else { return .notOffered }
        let state = try await self.state(of: list)
        guard state.isEmpty else { return .notEmpty }
        guard let etag = state.etag else { return .notOffered }
        let headers: Headers = [.contentType: "text/calendar; charset=utf-8", .ifMatch: etag.wire]
        let answer = try await self.send("PUT", to: list.url, headers: headers, body: data, isOnce: true)
        switch answer.response.status {
        case 200..<300: break
        // Another program wrote first, or the server does not support entity tags of lists.
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

    /// Whether the list has no members, and its entity tag; the tag is `nil` when it is missing or weak.
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

    /// Writes properties of a list if the server has other values; `nil` and an empty array leave a property unchanged.
    ///
    /// A refusal is ignored, because the list's objects are already stored. The next sync reads the server's values.
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
