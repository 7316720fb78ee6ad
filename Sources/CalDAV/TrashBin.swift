internal import HTTP
public import Resources
internal import WebDAV

/// A to-do in the trash of a server.
public struct TrashedObject: Hashable, Sendable {
    /// Its address in the trash.
    public let href: Href
    /// The last segment of the address of its calendar, decoded; `nil` when it is unknown.
    public let calendar: String?
    /// iCalendar text; lines may end in LF alone.
    public let data: [UInt8]
}

extension CalDAVClient {
    /// The to-dos that were deleted from a list and are in the server's trash.
    ///
    /// Only Nextcloud lists a trash bin in a home; no standard defines one. The trash is read once after each listing
    /// of a home, by one request for each bin: objects that a sync can restore were deleted before the sync. A bin
    /// without support for this request counts as empty.
    ///
    /// - Throws: every other failure: the content of the trash is then unknown.
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

    /// The statuses of a server that does not offer its trash to this request or user.
    private static let lastingRefusals: Set<Int> = [400, 403, 404, 405, 415, 501]

    private static func decoded(_ segment: Substring) -> String {
        String(decoding: PercentCoding.decode(segment), as: UTF8.self)
    }

    private func objects(in bin: URL) async throws(CalDAVError) -> [TrashedObject] {
        // Nextcloud requires an address without a final slash, and answers PROPFIND with 501.
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
            // Only a lasting refusal means an empty trash; after any other failure its content is unknown.
            guard !error.concernsWholeServer, let status = error.status, Self.lastingRefusals.contains(status) else {
                throw error
            }
            return []
        }
    }

    /// Moves a to-do out of the trash, to its former list and address, with its UID (MOVE, RFC 4918 §9.9).
    ///
    /// - Returns: `false` when the server refuses it.
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
