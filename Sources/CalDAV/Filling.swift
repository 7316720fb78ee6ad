internal import HTTP
internal import WebDAV

extension CalDAVClient {
    /// Fills an empty list with many items by one request, where the server takes a whole list by PUT on its address
    /// (Radicale, some hundred times faster than item by item).
    ///
    /// The list is looked at first, and the write stands under the condition that it is still as it was then, so that
    /// nobody's item is overwritten. What the server forgets of the list's own properties is written again.
    ///
    /// - Parameters:
    ///   - list: as it was listed; it should be one that nobody else has given properties.
    ///   - data: one calendar with all items.
    /// - Returns: whether the server took it; which items it holds now, and where, has to be listed.
    /// - Throws: ``CalDAVError/Code/serverError`` when it is not known whether the write was done.
    public func fill(_ list: CalendarCollection, with data: [UInt8]) async throws(CalDAVError) -> Bool {
        guard self.capabilities.mayHave(.wholeListPut), let etag = try await self.versionIfEmpty(list) else {
            return false
        }
        let headers: Headers = [.contentType: "text/calendar; charset=utf-8", .ifMatch: etag.wire]
        let answer = try await self.send("PUT", to: list.url, headers: headers, body: data)
        switch answer.response.status {
        case 200..<300: break
        // Somebody was faster, or the server knows the condition and not the list's version.
        case 412: return false
        case 401, 407, 423, 425, 429, 500...: throw answer.failure()
        default:
            self.learn(.wholeListPut, false)
            return false
        }
        self.learn(.wholeListPut, true)
        try await self.restore(list)
        return true
    }

    /// The version of a list that has no members, `nil` when it has some or no version.
    private func versionIfEmpty(_ list: CalendarCollection) async throws(CalDAVError) -> ETag? {
        let answer = try await self.propfind(list.url, depth: "1", [ETag.self, ResourceType.self])
        let members = try answer.multistatus().members
        guard members.count == 1, let member = members.first,
            try self.locate(member.href, from: answer.url).asFolder.pathKey == list.url.pathKey,
            let etag = member.properties[ETag.self], !etag.isWeak
        else { return nil }
        return etag
    }

    /// Gives a list its name, its colour and its components again.
    ///
    /// Its items are safe by then, so that a refusal is left at that: the next sync shows what the server says.
    private func restore(_ list: CalendarCollection) async throws(CalDAVError) {
        guard let now = try await self.list(at: list.url) else { return }
        var bodies: [[UInt8]] = []
        if let name = list.displayName, now.displayName != name { bodies.append(Proppatch(displayName: name).body) }
        if let color = list.color, now.color != color {
            bodies.append(Proppatch(color: CalendarColor(text: color)).body)
        }
        if !list.components.isEmpty, now.components != list.components {
            bodies.append(Proppatch(components: list.components).body)
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
