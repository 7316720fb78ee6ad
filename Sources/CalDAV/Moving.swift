internal import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// Moves a calendar object to another list of the account (RFC 4918 §9.9), under its own name.
    ///
    /// The name stays, because SOGo keeps it in any case. So does the version on every measured server;
    /// but where versions are counted for each list, another edit there may be given the same one.
    ///
    /// - Parameters:
    ///   - etag: the version to move, `nil` for any.
    ///   - destination: where it is to lie: in the other list, with the name that it has.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when it is not in that version any more, or the name is taken;
    ///   ``CalDAVError/Code/notFound`` when it is gone.
    public func move(
        _ href: Href,
        from list: CalendarCollection,
        etag: EntityTag?,
        to destination: Href
    ) async throws(CalDAVError) -> MoveOutcome {
        guard self.capabilities.mayHave(.moveBetweenLists) else { return .notOffered }
        let url = try self.locate(href.wire, from: list.url)
        // SOGo wants the whole URL where a path would do.
        let place = try self.locate(destination.wire, from: list.url)
        var headers: Headers = [.destination: place.text, .overwrite: "F"]
        if let etag { headers[.ifMatch] = try await self.condition(etag, of: href, in: list)?.wire }
        let answer = try await self.send("MOVE", to: url, headers: headers)
        switch answer.response.status {
        case 200..<300:
            try answer.refuseWebPage()
            // RFC 4918 §9.9.4: the parts that could not be moved.
            if answer.response.status == 207 { _ = try Self.written(answer) }
            self.learn(.moveBetweenLists, true)
            let new = answer.response.headers[.etag].flatMap { $0.isEmpty ? nil : EntityTag($0) }
            return .moved(new?.isWeak == true ? nil : new)
        case 405, 501:
            self.learn(.moveBetweenLists, false)
            return .notOffered
        // The two lists may be on different shares, or the server may refuse it for this item only.
        case 400, 403, 409, 415, 502: return .notOffered
        default: throw answer.failure()
        }
    }
}
