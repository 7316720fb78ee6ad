internal import HTTP
public import Resources
internal import WebDAV

extension CalDAVClient {
    /// Items of the first multiget, some 70 kB: it doubles while all goes well.
    static let firstBatch = 100
    /// Items of the largest multiget: the fastest on five of six servers, and an answer of less than a megabyte.
    static let largestBatch = 500
    /// Requests under way at once.
    static let parallelRequests = 4

    /// The calendar objects at these places (RFC 4791 §7.9).
    ///
    /// Several batches are under way at once. A batch that the server refuses, or answers with something that cannot be
    /// read, is halved until single items are left; those are fetched one by one. An item that is missing in an answer
    /// is requested once more before it is called missing.
    ///
    /// - Parameter wereRemoved: whether the server has reported each of them as removed. A multiget that leaves one out
    ///   is then the second statement, and no request for that one alone follows.
    /// - Returns: each reference once, as an item, as missing, or as a failure of that item alone.
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
                // Only full batches prove the largest size.
                if let full = batches.map(\.count).max(), full == self.batchSize {
                    self.capabilities.multigetItems = full
                }
                self.batchSize = min(Self.largestBatch, self.batchSize * 2)
            }
        }
        return result
    }

    /// The same of one item that was just written, and of which it is not known whether the write was done.
    ///
    /// It is asked for once: that it is missing deletes nothing here.
    public func fetchOnce(_ href: Href, in list: CalendarCollection) async throws(CalDAVError) -> FetchResult<
        CalDAVError
    > {
        try await self.single(href, list, attempts: 1)
    }

    /// Fetches one calendar object by GET; a text without any CR gets CRLF line ends (RFC 5545 §3.1).
    ///
    /// - Returns: `nil` when the server does not have it.
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
            var error = CalDAVError(.transport, url: url.text)
            error.transport = TransportError(.interrupted, host: url.host)
            throw error
        }
        let etag = answer.response.headers[.etag].flatMap { $0.isEmpty ? nil : EntityTag($0) }
        return ResourceText(href: href, etag: etag, text: CalendarData.restoringLineEnds(answer.response.body))
    }
}

extension CalDAVClient {
    private enum BatchOutcome {
        case answered(FetchResult<CalDAVError>)
        /// The batch as such is refused; its items may be fine.
        case refused([Href])
        case failed(CalDAVError)
    }

    private func run(
        _ batches: [[Href]],
        _ list: CalendarCollection,
        _ wereRemoved: Bool
    ) async -> [BatchOutcome] {
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

    /// Whether fewer items may work: a foreign or missing href spoils all on sabre/dav, an illegal character on most.
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
        let body = CalendarMultiget(batch.map(\.wire), properties: [EntityTag.self, CalendarData.self]).body
        let headers: Headers = [.depth: "1", .contentType: "application/xml; charset=utf-8"]
        let answer = try await self.send("REPORT", to: list.url, headers: headers, body: body)
        let multistatus = try answer.multistatus()
        var answered: [String: Multistatus.Member] = [:]
        for member in multistatus.members where !member.href.isEmpty {
            let place = try self.locate(member.href, from: answer.url)
            answered[place.pathKey] = member
        }
        // A server that answers 404 for one object does not leave out other missing objects.
        let saysMissing = answered.values.contains { $0.status == 404 || $0.status == 410 }
        var result = FetchResult<CalDAVError>()
        for href in batch {
            let member = answered[href.key]
            if let data = member?.properties[CalendarData.self], !(multistatus.wasRepaired && data.text.hasReplacement)
            {
                let etag = member?.properties[EntityTag.self]
                result.texts.append(ResourceText(href: href, etag: etag, text: data.bytes))
            } else if let member, !member.hasProperties, member.status == 404 || member.status == 410 {
                result.missing.append(href)
            } else if member == nil, wereRemoved, !saysMissing {
                result.missing.append(href)
            } else {
                // That it was left out is one word for its absence; one more is enough.
                result += try await self.single(href, list, attempts: 1)
            }
        }
        return result
    }

    /// One item by GET; a failure that concerns it alone is part of the result.
    ///
    /// - Parameter attempts: how often it has to be denied to be called missing, which may delete it here: a proxy's one
    ///   404 proves nothing.
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
    /// Whether a byte was lost in cleaning.
    var hasReplacement: Bool { self.unicodeScalars.contains("\u{FFFD}") }
}

extension Response {
    /// Whether a calendar breaks off before its end in a body that nothing else marks the end of.
    ///
    /// HTTP/1.0 may end a body by closing the connection, so that a broken connection looks like an end.
    fileprivate var isCutCalendar: Bool {
        guard self.headers[.contentLength] == nil, self.headers[.transferEncoding] == nil else { return false }
        let start = String(decoding: self.body.prefix(64), as: UTF8.self).uppercased()
        let end = String(decoding: self.body.suffix(64), as: UTF8.self).uppercased()
        return start.contains("BEGIN:VCALENDAR") && !end.contains("END:VCALENDAR")
    }
}
