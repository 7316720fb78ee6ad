internal import RemindavHTTP
public import RemindavResources
internal import RemindavWebDAV

/// A to-do in the trash bin of a server.
public struct TrashedObject: Hashable, Sendable {
    /// The address of the object in the trash bin.
    public let href: Href
    /// The last path segment of the calendar from which the object was deleted, decoded; `nil` when unknown.
    public let calendar: String?
    /// The iCalendar text; its lines may end in LF alone.
    public let data: [UInt8]
}

extension CalDAVClient {
    /// The to-dos in the server's trash bin that were deleted from a list.
    ///
    /// Only Nextcloud lists a trash bin in a calendar home, and no standard defines one. The client reads each bin by
    /// one request, once after each listing of a home. Objects that are deleted after this request are not needed: a
    /// sync restores only objects that were deleted before the sync began. A bin that refuses the request counts as
    /// empty.
    ///
    /// - Throws: for every failure except a refusal, because the content of the trash bin is then unknown.
    public func trashed(from list: CalendarCollection) async throws(CalDAVError) -> [TrashedObject] {
        if self.trashedObjects == nil {
            var found: [TrashedObject] = []
            for bin in self.trashBins.values.sorted(by: { $0.text < $1.text }) {
                found += try await self.objects(in: bin)
            }
            self.trashedObjects = found
        }
        let name = list.url.path.split(separator: "/").last.map(Self.decoded)
        return self.trashedObjects?.filter { $0.calendar != nil && $0.calendar == name } ?? []
    }

    /// The statuses of a server that does not offer its trash bin to this user or by this request.
    private static let lastingRefusals: Set<Int> = [400, 403, 404, 405, 415, 501]

    private static func decoded(_ segment: Substring) -> String {
        String(decoding: PercentCoding.decode(segment), as: UTF8.self)
    }

    private func objects(in bin: URL) async throws(CalDAVError) -> [TrashedObject] {
        // Nextcloud requires this address without a final slash, and answers PROPFIND with 501.
        let url = bin.appending(segment: "objects")
        let query = RequestBody.calendarQuery(
            properties: [CalendarData.self, TrashedCalendar.self],
            component: "VTODO"
        )
        do throws(CalDAVError) {
            let answer = try await self.sendXML("REPORT", to: url, depth: "1", query)
            var found: [TrashedObject] = []
            for member in try answer.multistatus().members {
                guard let data = member.properties[CalendarData.self]?.text else { continue }
                let place = try self.locate(member.href, from: answer.url)
                let calendar = member.properties[TrashedCalendar.self]?.text
                found.append(TrashedObject(href: Href(place.path), calendar: calendar, data: Array(data.utf8)))
            }
            return found
        } catch {
            guard !error.concernsWholeServer, let status = error.status, Self.lastingRefusals.contains(status) else {
                throw error
            }
            return []
        }
    }

    /// Moves a to-do from the trash bin to its former address (RFC 4918 §9.9), with its UID; `false` after a refusal.
    public func restore(_ object: TrashedObject) async throws(CalDAVError) -> Bool {
        guard let anyBin = self.trashBins.values.first, let name = object.href.wire.split(separator: "/").last else {
            return false
        }
        let url = try self.locate(object.href.wire, from: anyBin)
        guard let bin = url.parent?.parent else { return false }
        let place = bin.appending(segment: "restore").appending(segment: Self.decoded(name))
        let answer = try await self.send("MOVE", to: url, headers: [.destination: place.text, .overwrite: "F"])
        if (200..<300).contains(answer.response.status) {
            try answer.refuseWebPage()
            self.trashedObjects?.removeAll { $0.href == object.href }
            return true
        }
        guard [400, 403, 405, 409, 412, 415, 501].contains(answer.response.status) else { throw answer.failure() }
        return false
    }
}
