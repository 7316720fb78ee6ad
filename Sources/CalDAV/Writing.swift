public import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// Writes a calendar object (RFC 4791 §5.3.2).
    ///
    /// - Parameter href: for a new one, ``CalendarCollection/href(forResource:)`` with an unpredictable name.
    /// - Returns: the new version; `nil` when the server sends none that proves anything: then read the item again.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when the condition does not hold. After a failure without an
    ///   answer the result is uncertain: read the item before the next attempt.
    public func put(
        _ data: [UInt8],
        at href: Href,
        in list: CalendarCollection,
        condition: WriteCondition
    ) async throws(CalDAVError) -> EntityTag? {
        let url = try self.locate(href.wire, from: list.url)
        var headers: Headers = [.contentType: "text/calendar; charset=utf-8"]
        switch condition {
        case .create: headers[.ifNoneMatch] = "*"
        case .update(let etag): headers[.ifMatch] = try await self.condition(etag, of: href, in: list)?.wire
        case .replace: break
        }
        let answer = try await self.send("PUT", to: url, headers: headers, body: data)
        guard (200..<300).contains(answer.response.status) else { throw answer.failure() }
        try answer.refuseWebPage()
        var etag = answer.response.etag
        if answer.response.status == 207 { etag = try Self.written(answer) ?? etag }
        return etag?.isWeak == true ? nil : etag
    }

    /// The version of a text that was just written, as far as the server's entity tag proves it.
    ///
    /// RFC 4791 §5.3.4 allows an entity tag in the answer only where the text is stored as it was sent; some servers
    /// alter the text in spite of it. The first new text and the first changed text in an account are therefore read
    /// back; while the behaviour of the server is not known, every one is.
    ///
    /// - Parameters:
    ///   - isMadeHere: whether this program made the text. A new text of another program may come from this server, and
    ///     then has the server's alterations already, so that it proves nothing about other texts.
    ///   - isEquivalent: whether a stored text is equivalent to the written one.
    /// - Returns: `nil` when the text has to be read again, because the server's version is unknown.
    public func provenVersion(
        _ etag: EntityTag,
        at href: Href,
        in list: CalendarCollection,
        condition: WriteCondition,
        isMadeHere: Bool,
        isEquivalent: @Sendable ([UInt8]) -> Bool
    ) async -> EntityTag? {
        let ability: Capabilities.Ability = if case .create = condition { .keepsNewTexts } else { .keepsWrittenTexts }
        if let keeps = self.capabilities.abilities[ability] { return keeps ? etag : nil }
        guard isMadeHere || ability != .keepsNewTexts else { return nil }
        // An unreadable text is read by the next sync; an entity tag of another writer proves nothing.
        guard let item = try? await self.get(href, in: list), item.etag == etag else { return nil }
        let isSame = isEquivalent(item.text)
        self.learn(ability, isSame)
        if !isSame {
            self.learn(.keepsNewTexts, false)
            self.learn(.keepsWrittenTexts, false)
        }
        return isSame ? etag : nil
    }

    /// Deletes a calendar object (RFC 9110 §9.3.5); `nil` as `etag` for any version.
    public func delete(
        _ href: Href,
        in list: CalendarCollection,
        etag: EntityTag?
    ) async throws(CalDAVError) -> DeleteOutcome {
        let url = try self.locate(href.wire, from: list.url)
        var headers = Headers()
        do throws(CalDAVError) {
            if let etag { headers[.ifMatch] = try await self.condition(etag, of: href, in: list)?.wire }
        } catch {
            guard error.code == .notFound, try await self.get(href, in: list) == nil else { throw error }
            return .alreadyGone
        }
        let answer = try await self.send("DELETE", to: url, headers: headers)
        if (200..<300).contains(answer.response.status) { try answer.refuseWebPage() }
        switch answer.response.status {
        case 207:
            _ = try Self.written(answer)
            return .deleted
        case 200..<300: return .deleted
        // DAViCal also answers 412 for a missing resource; a proxy's 404 does not prove that it is missing.
        case 404, 410, 412:
            if try await self.get(href, in: list) == nil { return .alreadyGone }
            throw answer.failure()
        default: throw answer.failure()
        }
    }

    /// Creates a calendar, and finds it at its final address (RFC 4791 §5.3.1).
    ///
    /// - Parameter segment: the last segment of its address, for instance ``randomSegment()``.
    /// - Returns: the calendar as the server lists it; if it lists none yet, the requested one.
    public func makeCalendar(
        named name: String,
        color: String?,
        in home: URL,
        segment: String,
        components: [String] = ["VTODO"]
    ) async throws(CalDAVError) -> CalendarCollection {
        let url = home.appending(segment: segment).asFolder
        let wanted = RequestBody.mkcalendar(
            displayName: name,
            color: color.flatMap { CalendarColor(text: $0) },
            components: components
        )
        var failure: CalDAVError?
        do throws(CalDAVError) {
            let answer = try await self.sendXML("MKCALENDAR", to: url, wanted)
            if !(200..<300).contains(answer.response.status) { failure = answer.failure() }
        } catch {
            // The lost answer may have been a success.
            guard error.transport == TransportError(.interrupted) || error.transport == TransportError(.timeout) else {
                throw error
            }
            failure = error
        }
        if let failure, failure.code == .unauthorized || failure.code == .forbidden || failure.code == .busy {
            throw failure
        }
        let lists = try await self.lists(in: home)
        if let made = lists.first(where: { $0.url.pathKey == url.pathKey }) { return made }
        if let failure { throw failure }
        // Zimbra moves it to an address made of its name.
        if let made = lists.last(where: { $0.displayName == name && components.allSatisfy($0.supports) }) {
            return made
        }
        var made = CalendarCollection(url: url)
        made.displayName = name
        made.components = components
        return made
    }

    /// An unused and unpredictable name: 128 bits in letters and digits.
    public static func randomSegment() -> String {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz012345")
        return String((0..<26).map { _ in alphabet[Int(generator.next() & 31)] })
    }

    /// A tag that proves nothing, or that its server ignores, is compared with the current version of the item.
    ///
    /// - Returns: `nil` when the item is unchanged but has no tag that is valid in `If-Match`.
    func condition(_ etag: EntityTag, of href: Href, in list: CalendarCollection) async throws(CalDAVError)
        -> EntityTag?
    {
        guard etag.isWeak || Quirks.ignoresConditions(etag) else { return etag }
        guard let item = try await self.get(href, in: list) else { throw CalDAVError(.notFound, url: href.wire) }
        guard let now = item.etag, now.weaklyEquals(etag) else {
            throw CalDAVError(.preconditionFailed, url: href.wire)
        }
        return now.isWeak ? nil : now
    }

    /// Xandikos sometimes answers a PUT with a multistatus; a failure of any part is one of the whole, such as of a
    /// MOVE.
    static func written(_ answer: Answer) throws(CalDAVError) -> EntityTag? {
        let members = try answer.multistatus().members
        for member in members {
            guard let status = member.status ?? member.propertyFailure, status >= 400 else { continue }
            let inner = Response(status: status)
            throw Answer(response: inner, url: answer.url, method: answer.method).failure()
        }
        return members.first?.properties[EntityTag.self]
    }

    /// Moves a calendar object to another list of the account (RFC 4918 §9.9), under its own name.
    ///
    /// SOGo keeps the name in any case. Every measured server also keeps the version; but if versions are counted for
    /// each list, another edit there may get the same one.
    ///
    /// - Parameters:
    ///   - etag: the version to move; `nil` for any.
    ///   - destination: the reference in the other list, with the same name.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when it has another version, or the name exists already;
    ///   ``CalDAVError/Code/notFound`` when it is gone.
    public func move(
        _ href: Href,
        from list: CalendarCollection,
        etag: EntityTag?,
        to destination: Href
    ) async throws(CalDAVError) -> MoveOutcome {
        guard self.capabilities.mayHave(.moveBetweenLists) else { return .notOffered }
        let url = try self.locate(href.wire, from: list.url)
        // SOGo requires the whole URL, although the path is sufficient.
        let place = try self.locate(destination.wire, from: list.url)
        var headers: Headers = [.destination: place.text, .overwrite: "F"]
        if let etag { headers[.ifMatch] = try await self.condition(etag, of: href, in: list)?.wire }
        let answer = try await self.send("MOVE", to: url, headers: headers)
        switch answer.response.status {
        case 200..<300:
            try answer.refuseWebPage()
            // RFC 4918 §9.9.4: the parts that were not moved.
            if answer.response.status == 207 { _ = try Self.written(answer) }
            self.learn(.moveBetweenLists, true)
            let new = answer.response.etag
            return .moved(new?.isWeak == true ? nil : new)
        case 405, 501:
            self.learn(.moveBetweenLists, false)
            return .notOffered
        // The two lists may be on different shares, or the server may refuse this item only.
        case 400, 403, 409, 415, 502: return .notOffered
        default: throw answer.failure()
        }
    }
}
