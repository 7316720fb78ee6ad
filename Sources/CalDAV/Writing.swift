public import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// Writes a calendar object (RFC 4791 §5.3.2).
    ///
    /// - Parameters:
    ///   - data: iCalendar text of one object.
    ///   - href: for a new one, ``CalendarCollection/href(forResource:)`` with an unpredictable name.
    ///   - condition: the condition for the write; see ``WriteCondition``.
    /// - Returns: the new version, `nil` when the server does not say one that proves anything: then read the item
    ///   again.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when the condition does not hold. After a failure without an
    ///   answer the write may have been done all the same: read the item before the next attempt.
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
        var etag = answer.response.headers[.etag].flatMap { $0.isEmpty ? nil : EntityTag($0) }
        if answer.response.status == 207 { etag = try Self.written(answer) ?? etag }
        return etag?.isWeak == true ? nil : etag
    }

    /// The version of a text that was just written, as far as the server's entity tag proves it.
    ///
    /// RFC 4791 section 5.3.4 allows an entity tag in the answer only where the text is stored as it was sent. Some
    /// servers still alter the text. The first new text and the first changed text that are written in an account are
    /// therefore read back; while it is not known how the server behaves, every one is.
    ///
    /// - Parameters:
    ///   - etag: from the answer to the write.
    ///   - condition: the condition of the write.
    ///   - isMadeHere: whether this program made the text. A new text of another program may come from this server, and
    ///     then has the server's alterations already, so that it proves nothing about other texts.
    ///   - saysTheSame: whether a stored text is equivalent to the written one.
    /// - Returns: `nil` when the text has to be read again, because the server's version is unknown.
    public func provenVersion(
        _ etag: EntityTag,
        at href: Href,
        in list: CalendarCollection,
        condition: WriteCondition,
        isMadeHere: Bool,
        saysTheSame: @Sendable ([UInt8]) -> Bool
    ) async -> EntityTag? {
        let ability: Capabilities.Ability = if case .create = condition { .keepsNewTexts } else { .keepsWrittenTexts }
        if let keeps = self.capabilities.abilities[ability] { return keeps ? etag : nil }
        guard isMadeHere || ability != .keepsNewTexts else { return nil }
        // A text that cannot be read back now is read by the next sync; an entity tag of another writer proves nothing.
        guard let item = try? await self.get(href, in: list), item.etag == etag else { return nil }
        let isSame = saysTheSame(item.text)
        self.learn(ability, isSame)
        if !isSame {
            self.learn(.keepsNewTexts, false)
            self.learn(.keepsWrittenTexts, false)
        }
        return isSame ? etag : nil
    }

    /// Deletes a calendar object (RFC 9110 §9.3.5).
    ///
    /// - Parameters:
    ///   - etag: the version to delete, `nil` for any.
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
        // Radicale answers 200 with a body.
        case 200..<300: return .deleted
        // DAViCal says 412 of a resource that is gone as well; and a proxy's 404 is no proof that it is, here or above.
        case 404, 410, 412:
            if try await self.get(href, in: list) == nil { return .alreadyGone }
            throw answer.failure()
        default: throw answer.failure()
        }
    }

    /// Makes a calendar and finds it where the server put it (RFC 4791 §5.3.1).
    ///
    /// - Parameters:
    ///   - name: the display name.
    ///   - color: `#RRGGBB`, `nil` for none.
    ///   - home: one of ``Discovery/homes``.
    ///   - segment: the last segment of its address. For instance ``randomSegment()``.
    ///   - components: the components that it may hold, in upper case.
    /// - Returns: the calendar as the server lists it; some move it, some take a while and then it is as asked for.
    public func makeCalendar(
        named name: String,
        color: String?,
        in home: URL,
        segment: String,
        components: [String] = ["VTODO"]
    ) async throws(CalDAVError) -> CalendarCollection {
        let url = home.appending(segment: segment).asFolder
        let wanted = Mkcalendar(
            displayName: name,
            color: color.flatMap { CalendarColor(text: $0) },
            components: components
        )
        var failure: CalDAVError?
        do throws(CalDAVError) {
            let headers: Headers = [.contentType: "application/xml; charset=utf-8"]
            let answer = try await self.send("MKCALENDAR", to: url, headers: headers, body: wanted.body)
            if !(200..<300).contains(answer.response.status) { failure = answer.failure() }
        } catch {
            // An answer that was lost may have been a yes.
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
}

extension CalDAVClient {
    /// The tag to send as the condition of a write.
    ///
    /// A tag that proves nothing, or that its server does not look at, is compared with the item as it is now.
    ///
    /// - Returns: `nil` when the item is as expected but has no tag that may stand in `If-Match`.
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

    /// The version in a multistatus about one write: Xandikos answers a PUT so at times.
    ///
    /// A failure of any part of it is one of the whole: a MOVE tells of both places.
    static func written(_ answer: Answer) throws(CalDAVError) -> EntityTag? {
        let members = try answer.multistatus().members
        for member in members {
            guard let status = member.status ?? member.propertyFailure, status >= 400 else { continue }
            let inner = Response(status: status)
            throw Answer(response: inner, url: answer.url, method: answer.method).failure()
        }
        return members.first?.properties[EntityTag.self]
    }
}
