public import RemindavHTTP
public import RemindavResources
internal import RemindavWebDAV

extension CalDAVClient {
    /// Writes a calendar object by PUT (RFC 4791 §5.3.2).
    ///
    /// - Parameters:
    ///   - data: the iCalendar text of the object.
    ///   - href: the address; for a new object, ``CalendarCollection/href(forResource:)`` with a random name.
    ///   - list: the calendar of the object.
    ///   - condition: the state of the address under which the server writes.
    /// - Returns: the new entity tag; `nil` when the server sends no strong tag. The caller must then read the object.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when the condition does not hold. If the server did not
    ///   answer, the object may have been written: read it before the next attempt.
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

    /// The entity tag of a text that was just written, if it proves that the server stored this text unchanged.
    ///
    /// RFC 4791 §5.3.4 forbids an entity tag in the answer to a PUT if the server alters the text, but some servers
    /// send one. So the first new text and the first changed text of an account are read back and compared. The result
    /// applies to all later texts.
    ///
    /// - Parameters:
    ///   - etag: the entity tag in the answer to the PUT.
    ///   - href: the address of the object.
    ///   - list: the calendar of the object.
    ///   - condition: the condition of the PUT.
    ///   - isMadeHere: whether this program made the text. A text of another program may come from this server and then
    ///     already contain the server's alterations, so it proves nothing about other texts.
    ///   - isEquivalent: whether a stored text is equivalent to the written one.
    /// - Returns: `nil` when the server's version is unknown, so that the text has to be read again.
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
        // If the text cannot be read, the next sync reads it. If the entity tag differs, another program has changed
        // the object since, so its text does not show whether the server altered the written text.
        guard let item = try? await self.get(href, in: list), item.etag == etag else { return nil }
        let isSame = isEquivalent(item.text)
        self.learn(ability, isSame)
        if !isSame {
            self.learn(.keepsNewTexts, false)
            self.learn(.keepsWrittenTexts, false)
        }
        return isSame ? etag : nil
    }

    /// Deletes a calendar object (RFC 9110 §9.3.5); `nil` as `etag` deletes any version.
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
        // DAViCal answers 412 for a missing resource, and a 404 may come from a proxy, so a GET checks both.
        case 404, 410, 412:
            if try await self.get(href, in: list) == nil { return .alreadyGone }
            throw answer.failure()
        default: throw answer.failure()
        }
    }

    /// Creates a calendar and finds its final address (RFC 4791 §5.3.1).
    ///
    /// - Parameters:
    ///   - name: the display name.
    ///   - color: the colour as `#RRGGBB`; `nil` for none.
    ///   - home: the calendar home (RFC 4791 §6.2.1).
    ///   - segment: the last path segment of the new address, for instance ``randomSegment()``.
    ///   - components: the names of the permitted components.
    /// - Returns: the calendar as the server lists it; if it is not listed yet, only its address, name and components.
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
            // The request may have succeeded although its answer was lost.
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
        // Zimbra moves a new calendar to an address that contains the display name.
        if let made = lists.last(where: { $0.displayName == name && components.allSatisfy($0.supports) }) {
            return made
        }
        var made = CalendarCollection(url: url)
        made.displayName = name
        made.components = components
        return made
    }

    /// An unpredictable path segment: 26 letters and digits with 128 bits of randomness.
    public static func randomSegment() -> String {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz012345")
        return String((0..<26).map { _ in alphabet[Int(generator.next() & 31)] })
    }

    /// The entity tag for `If-Match`; `nil` if the object has only a weak tag, which `If-Match` does not allow.
    ///
    /// A weak tag, or a tag that the server ignores in `If-Match`, is first compared with the object's current tag.
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

    /// The entity tag in a multistatus answer to a write (Xandikos); throws if any response in the answer failed.
    static func written(_ answer: Answer) throws(CalDAVError) -> EntityTag? {
        let members = try answer.multistatus().members
        for member in members {
            guard let status = member.status ?? member.propertyFailure, status >= 400 else { continue }
            let inner = Response(status: status)
            throw Answer(response: inner, url: answer.url, method: answer.method).failure()
        }
        return members.first?.properties[EntityTag.self]
    }

    /// Moves a calendar object to another list of the account (RFC 4918 §9.9), with the same last path segment.
    ///
    /// SOGo never changes this segment. All measured servers also keep the entity tag. But a server that counts
    /// versions per list may later use the old tag for another version. So only a tag in the answer is returned.
    ///
    /// - Parameters:
    ///   - href: the present address of the object.
    ///   - list: the calendar that has the object.
    ///   - etag: the version to move; `nil` moves any version.
    ///   - destination: the address in the other list, with the same last path segment.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when the object has another version or the destination exists;
    ///   ``CalDAVError/Code/notFound`` when the object no longer exists.
    public func move(
        _ href: Href,
        from list: CalendarCollection,
        etag: EntityTag?,
        to destination: Href
    ) async throws(CalDAVError) -> MoveOutcome {
        guard self.capabilities.mayHave(.moveBetweenLists) else { return .notOffered }
        let url = try self.locate(href.wire, from: list.url)
        // SOGo requires an absolute URL in `Destination`.
        let place = try self.locate(destination.wire, from: list.url)
        var headers: Headers = [.destination: place.text, .overwrite: "F"]
        if let etag { headers[.ifMatch] = try await self.condition(etag, of: href, in: list)?.wire }
        let answer = try await self.send("MOVE", to: url, headers: headers)
        switch answer.response.status {
        case 200..<300:
            try answer.refuseWebPage()
            // RFC 4918 §9.9.4: a multistatus lists the resources that were not moved.
            if answer.response.status == 207 { _ = try Self.written(answer) }
            self.learn(.moveBetweenLists, true)
            let new = answer.response.etag
            return .moved(new?.isWeak == true ? nil : new)
        case 405, 501:
            self.learn(.moveBetweenLists, false)
            return .notOffered
        // The server may refuse to move between these two lists, or refuse only this object.
        case 400, 403, 409, 415, 502: return .notOffered
        default: throw answer.failure()
        }
    }
}
