internal import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// Fills an empty list with many items by one request, where the server takes a whole list by PUT on its address
    /// (Radicale, some hundred times faster than item by item).
    ///
    /// The list is read first, and the write has the condition that the list is unchanged, so that items of other
    /// programs are not overwritten. List properties that the server loses are written again.
    ///
    /// - Parameters:
    ///   - list: as it was listed; other programs should not have set properties on it.
    ///   - data: one calendar with all items.
    /// - Returns: the outcome. The caller has to list the items and their addresses.
    /// - Throws: ``CalDAVError/Code/serverError`` when it is not known whether the write was done.
    public func fill(_ list: CalendarCollection, with data: [UInt8]) async throws(CalDAVError) -> FillOutcome {
        guard self.capabilities.mayHave(.wholeListPut) else { return .notOffered }
        let state = try await self.state(of: list)
        guard state.isEmpty else { return .notEmpty }
        guard let etag = state.etag else { return .notOffered }
        let headers: Headers = [.contentType: "text/calendar; charset=utf-8", .ifMatch: etag.wire]
        let answer = try await self.send("PUT", to: list.url, headers: headers, body: data, isOnce: true)
        switch answer.response.status {
        case 200..<300: break
        // Another writer was faster, or the server knows the condition and not the list's version.
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

    /// Whether a list has no members, and its version, `nil` when it has none that is usable in a condition.
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

    /// Gives a list its name, its colour and its components again.
    ///
    /// The items are stored by then, so a refusal is ignored: the next sync reads the properties of the server.
    ///
    /// - Parameters:
    ///   - name: `nil` to leave it as it is; so are the others.
    ///   - color: `#RRGGBB`.
    ///   - components: in upper case; empty to leave them as they are.
    public func restore(
        _ list: CalendarCollection,
        named name: String?,
        color: String?,
        components: [String]
    ) async throws(CalDAVError) {
        guard let now = try await self.list(at: list.url) else { return }
        var bodies: [[UInt8]] = []
        if let name, now.displayName != name { bodies.append(Proppatch(displayName: name).body) }
        if let color, now.color != color {
            bodies.append(Proppatch(color: CalendarColor(text: color)).body)
        }
        if !components.isEmpty, now.components != components {
            bodies.append(Proppatch(components: components).body)
        }
        for body in bodies {
            _ = try await self.send(
                "PROPPATCH",
                to: list.url,
                headers: [.contentType: "application/xml; charset=utf-8"],
                body: body
            )
        }
    }
}
