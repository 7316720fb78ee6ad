internal import RemindavHTTP
public import RemindavResources
internal import RemindavWebDAV

extension CalDAVClient {
    /// The number of objects in the first multiget, about 70 kB; the number doubles after each success.
    static let firstBatch = 100
    /// The number of objects in the largest multiget: the fastest size on five of six measured servers.
    static let largestBatch = 500
    static let parallelRequests = 4

    /// Fetches the calendar objects at these addresses by multiget (RFC 4791 §7.9).
    ///
    /// Several batches run at once. If the server refuses a batch, or its answer is unreadable, the client halves the
    /// batch. The client fetches single objects by GET. If an answer omits an object, the client requests it once more
    /// before it reports the object as missing.
    ///
    /// - Parameters:
    ///   - hrefs: the addresses, in any order.
    ///   - list: the calendar with the objects.
    ///   - wereRemoved: whether the server has reported every address as removed. Then an object that the multiget
    ///     omits counts as missing without another request.
    /// - Returns: each address once: with its text, as missing, or with an error that concerns only this object.
    public func fetch(
        _ hrefs: [Href],
        in list: CalendarCollection,
        wereRemoved: Bool = false
    ) async throws(CalDAVError) -> FetchResult<CalDAVError> {
        var seen: Set<String> = []
        var queue = hrefs.filter { seen.insert($0.key).inserted }[...]
        var result = FetchResult<CalDAVError>()
        while !queue.isEmpty {
            var batches: [[Href]] = []
            while batches.count < Self.parallelRequests, !queue.isEmpty {
                batches.append(Array(queue.prefix(self.batchSize)))
                queue = queue.dropFirst(self.batchSize)
            }
            let outcomes = await self.run(batches, list, wereRemoved)
            let refused = outcomes.compactMap { if case .refused(let batch) = $0 { batch } else { nil } }
            for outcome in outcomes {
                switch outcome {
                case .answered(let part): result += part
                case .failed(let error): throw error
                case .refused: break
                }
            }
            if let largest = refused.map(\.count).max() {
                self.batchSize = max(1, largest / 2)
                self.capabilities.multigetItems = self.batchSize
                queue = (refused.flatMap { $0 } + queue)[...]
            } else {
                // Only a batch of full size proves that the server accepts this size.
                if let full = batches.map(\.count).max(), full == self.batchSize {
                    self.capabilities.multigetItems = full
                }
                self.batchSize = min(Self.largestBatch, self.batchSize * 2)
            }
        }
        return result
    }

    /// Fetches an object by one GET, after a write with an unknown result.
    ///
    /// After a single 404, the object counts as missing, because the caller then deletes no local reminder.
    public func fetchOnce(_ href: Href, in list: CalendarCollection) async throws(CalDAVError) -> FetchResult<
        CalDAVError
    > {
        try await self.single(href, list, attempts: 1)
    }

    /// Fetches one calendar object by GET, with CRLF line ends (RFC 5545 §3.1); `nil` when it does not exist.
    public func get(_ href: Href, in list: CalendarCollection) async throws(CalDAVError) -> ResourceText? {
        let url = try self.locate(href.wire, from: list.url)
        let answer = try await self.send("GET", to: url, headers: ["Accept": "text/calendar"])
        switch answer.response.status {
        case 200: break
        case 404, 410: return nil
        default: throw answer.failure()
        }
        guard !answer.isWebPage else { throw CalDAVError(.brokenAnswer, url: url.text, message: "it is a web page") }
        guard !answer.response.isCutCalendar else {
            throw CalDAVError(TransportError(.interrupted, host: url.host), url: url.text)
        }
        return ResourceText(
            href: href,
            etag: answer.response.etag,
            text: CalendarData.restoringLineEnds(answer.response.body)
        )
    }

    private enum BatchOutcome {
        case answered(FetchResult<CalDAVError>)
        case refused([Href])
        case failed(CalDAVError)
    }

    private func run(_ batches: [[Href]], _ list: CalendarCollection, _ wereRemoved: Bool) async -> [BatchOutcome] {
        await withTaskGroup(of: (index: Int, outcome: BatchOutcome).self) { group in
            for (index, batch) in batches.enumerated() {
                group.addTask { (index, await self.run(batch, list, wereRemoved)) }
            }
            var outcomes: [(index: Int, outcome: BatchOutcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.index < $1.index }.map(\.outcome)
        }
    }

    private func run(_ batch: [Href], _ list: CalendarCollection, _ wereRemoved: Bool) async -> BatchOutcome {
        do throws(CalDAVError) {
            if batch.count == 1 {
                return .answered(try await self.single(batch[0], list, attempts: wereRemoved ? 1 : 2))
            }
            return .answered(try await self.multiget(batch, list, wereRemoved))
        } catch {
            return batch.count > 1 && Self.mayComeFromSize(error) ? .refused(batch) : .failed(error)
        }
    }

    /// Whether a smaller batch may succeed: an illegal character in one object can make the whole answer unreadable.
    static func mayComeFromSize(_ error: CalDAVError) -> Bool {
        switch error.code {
        case .transport: error.transport == TransportError(.timeout) || error.transport == TransportError(.tooLarge)
        case .forbidden, .notFound, .tooLarge, .brokenAnswer, .serverError, .rejected, .overQuota: true
        default: false
        }
    }

    private func multiget(
        _ batch: [Href],
        _ list: CalendarCollection,
        _ wereRemoved: Bool
    ) async throws(CalDAVError) -> FetchResult<CalDAVError> {
        let body = RequestBody.calendarMultiget(batch.map(\.wire), properties: [EntityTag.self, CalendarData.self])
        let answer = try await self.sendXML("REPORT", to: list.url, depth: "1", body)
        let multistatus = try answer.multistatus()
        var answered: [String: Multistatus.Member] = [:]
        for member in multistatus.members where !member.href.isEmpty {
            let place = try self.locate(member.href, from: answer.url)
            answered[place.pathKey] = member
        }
        // A server that reports one missing object with 404 reports every missing object in this way.
        let reportsMissing = answered.values.contains { $0.status == 404 || $0.status == 410 }
        var result = FetchResult<CalDAVError>()
        for href in batch {
            let member = answered[href.key]
            if let data = member?.properties[CalendarData.self], !(multistatus.wasRepaired && data.text.hasReplacement)
            {
                let etag = member?.properties[EntityTag.self]
                result.texts.append(ResourceText(href: href, etag: etag, text: data.bytes))
            } else if let member, !member.hasProperties, member.status == 404 || member.status == 410 {
                result.missing.append(href)
            } else if member == nil, wereRemoved, !reportsMissing {
                result.missing.append(href)
            } else {
                // The multiget omitted the object. If one GET confirms this, the object counts as missing.
                result += try await self.single(href, list, attempts: 1)
            }
        }
        return result
    }

    /// - Parameter attempts: the number of 404 answers before the object counts as missing, which may delete the local
    ///   reminder. One 404 may come from a proxy.
    private func single(
        _ href: Href,
        _ list: CalendarCollection,
        attempts: Int
    ) async throws(CalDAVError) -> FetchResult<CalDAVError> {
        var result = FetchResult<CalDAVError>()
        do throws(CalDAVError) {
            var item: ResourceText?
            for _ in 0..<attempts where item == nil { item = try await self.get(href, in: list) }
            if let item { result.texts.append(item) } else { result.missing.append(href) }
        } catch {
            if error.concernsWholeServer { throw error }
            result.failures.append((href, error))
        }
        return result
    }
}

extension String {
    /// Whether the text contains U+FFFD, which the XML parser writes in place of an illegal byte.
    var hasReplacement: Bool { self.unicodeScalars.contains("\u{FFFD}") }
}

extension Response {
    var etag: EntityTag? { self.headers[.etag].flatMap { $0.isEmpty ? nil : EntityTag($0) } }

    /// Whether a calendar text is truncated: HTTP/1.0 may end a body by closing the connection, so no length is known.
    fileprivate var isCutCalendar: Bool {
        guard self.headers[.contentLength] == nil, self.headers[.transferEncoding] == nil else { return false }
        let start = String(decoding: self.body.prefix(64), as: UTF8.self).uppercased()
        let end = String(decoding: self.body.suffix(64), as: UTF8.self).uppercased()
        return start.contains("BEGIN:VCALENDAR") && !end.contains("END:VCALENDAR")
    }
}
