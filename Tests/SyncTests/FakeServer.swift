import RemindavICalendar
import RemindavResources
import RemindavSQLiteStore
import RemindavStore
import RemindavSync
import Synchronization

/// A list on a server, in memory, with the faults of real servers on request.
final class FakeServer: RemoteReading, RemoteWriting {
    struct State: Sendable {
        var items: [String: (etag: Int, text: [UInt8])] = [:]
        /// The events, for sync-collection.
        var history: [(href: String, isRemoved: Bool)] = []
        var counter = 0
        var names = 0
        var writes = 0
        /// The connection breaks after this number of writes: before the write if it is even, after it if it is odd.
        var breaksAfter: Int?
        var listsEverything = false
        var answersEmpty = false
        var keepsETags = false
        /// Whether it sends no entity tag with a fetched text.
        var hidesETags = false
        /// The UIDs of deleted items, which the server refuses (Nextcloud's trash).
        var trash: Set<String>?
        /// The former addresses and texts of the items in the trash, by UID.
        var trashed: [String: (href: String, text: [UInt8])] = [:]
        /// Whether an item can be restored from the trash; `nil` when the trash cannot be read.
        var restores: Bool?
        /// Whether a refusal names the uniqueness of UIDs.
        var saysWhy = true
        /// The number of requests to the trash.
        var restorations = 0
        /// Whether a delta reports the highest operation of each address, so that a restored item is reported as
        /// removed (Nextcloud).
        var folds = false
        /// UIDs for which the server answers 500 without a reason, with the number of these answers.
        var failures: [String: Int] = [:]
        /// The UIDs of new items that were sent.
        var sentNew: [String] = []
        /// The number of writes that the server confirms without an entity tag and drops.
        var drops = 0
        /// The answer to each new item.
        var refusesNew: RemoteError?
        /// Whether the server accepts a whole list in one request.
        var takesWholeLists = false
        var fills = 0
        /// Whether a full listing contains the texts.
        var bringsTexts = false
        var fetches = 0
        /// Whether all fetches fail.
        var failsToFetch = false
        /// The number of fetches that report all resources as missing.
        var denials = 0
        /// The number of next texts that are sent truncated.
        var cuts = 0
        /// Whether a whole-list request shortens every `X-PLACE` at its first comma, as Radicale does with locations.
        var damagesFills = false
        /// Breaks the connection of a whole-list request, and completes it after this number of further requests.
        var fillsAfter: Int?
        var lateFill: [UInt8]?
        /// Properties that the server drops.
        var forgets: Set<String> = []
        /// Whether each write shortens every `X-PLACE` at its first comma.
        var shortens = false
        /// Called once during a fetch.
        var meanwhile: (@Sendable () -> Void)?

        /// Completes a whole-list request with a broken connection, unless the list has items by then.
        mutating func finishLateFill() {
            guard let text = self.lateFill, let rest = self.fillsAfter else { return }
            self.fillsAfter = rest - 1
            guard rest <= 1 else { return }
            self.lateFill = nil
            self.fillsAfter = nil
            if self.items.isEmpty { self.fillList(with: text) }
        }

        mutating func fillList(with text: [UInt8]) {
            for todo in ICalendarDocument(text).all(.vtodo) {
                guard let uid = todo.first(.uid)?.text else { continue }
                self.counter += 1
                // As in Radicale: a separate calendar for each item, with the lines in another order.
                let lines = todo.properties.reversed().map { property in
                    let line = String(decoding: property.content, as: UTF8.self)
                    guard self.damagesFills, line.hasPrefix("X-PLACE") else { return line }
                    return String(line.prefix { $0 != "," })
                }
                let body = lines.joined(separator: "\r\n")
                let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n\(body)\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
                self.items["/list/\(uid).ics"] = (self.counter, Array(text.utf8))
                self.history.append(("/list/\(uid).ics", false))
            }
        }

        /// Returns the text in its stored form.
        func stored(_ text: [UInt8]) -> [UInt8] {
            guard !self.forgets.isEmpty || self.shortens else { return text }
            var lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n").map(String.init)
            lines.removeAll { line in self.forgets.contains { line.hasPrefix($0) } }
            if self.shortens {
                lines = lines.map { $0.hasPrefix("X-PLACE") ? String($0.prefix { $0 != "," }) : $0 }
            }
            return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
        }

        /// Moves the item at the address to the trash, if the server has one.
        mutating func throwAway(_ href: String) {
            guard self.trash != nil, let text = self.items[href]?.text,
                let uid = CalendarObject(ICalendarDocument(text))?.uid
            else { return }
            self.trash?.insert(uid)
            self.trashed[uid] = (href, text)
        }

        func tag(_ number: Int) -> EntityTag? { self.hidesETags ? nil : EntityTag("\"\(number)\"") }
    }

    let state = Mutex(State())

    func key(of href: Href) -> String { href.wire.lowercased() }

    func newHref() -> Href {
        self.state.withLock { state in
            state.names += 1
            return Href("/list/new-\(state.names).ics")
        }
    }

    func href(movedFrom href: Href) -> Href { Href("/list/\(href.wire.split(separator: "/").last ?? "")") }

    func everything() async throws(RemoteError) -> ResourceChanges {
        try await self.changes(since: nil, wantsTexts: true)
    }
    func listing() async throws(RemoteError) -> ResourceChanges {
        try await self.changes(since: nil, wantsTexts: false)
    }

    func move(
        _ href: Href,
        ifMatch etag: EntityTag,
        to destination: Href
    ) async throws(RemoteError) -> MoveOutcome { .notOffered }

    func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> ResourceChanges {
        self.state.withLock { state in
            state.finishLateFill()
            let next = SyncToken(String(state.history.count))
            if state.answersEmpty { return ResourceChanges(changed: [], removed: [], token: next, isComplete: true) }
            guard let token, let start = Int(token.wire), !state.listsEverything else {
                let members = state.items.map {
                    ResourceVersion(href: Href($0.key), etag: EntityTag("\"\($0.value.etag)\""))
                }
                let items = state.items.map {
                    ResourceText(href: Href($0.key), etag: EntityTag("\"\($0.value.etag)\""), text: $0.value.text)
                }
                return ResourceChanges(
                    changed: members,
                    removed: [],
                    texts: wantsTexts && state.bringsTexts ? items : [],
                    token: next,
                    isComplete: true
                )
            }
            let events = state.history[min(start, state.history.count)...]
            let touched = Set(events.map(\.href))
            let gone = touched.filter { href in
                state.items[href] == nil || state.folds && events.contains { $0.href == href && $0.isRemoved }
            }
            return ResourceChanges(
                changed: touched.subtracting(gone).compactMap { href in
                    state.items[href].map { .init(href: Href(href), etag: state.tag($0.etag)) }
                },
                removed: gone.map { Href($0) },
                token: next,
                isComplete: false
            )
        }
    }

    func fetch(_ hrefs: [Href], _ reason: FetchReason) async throws(RemoteError) -> FetchResult<RemoteError> {
        let meanwhile = self.state.withLock { state in
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        meanwhile?()
        return self.state.withLock { state in
            var items: [ResourceText] = []
            var missing: [Href] = []
            state.fetches += 1
            if state.failsToFetch {
                let error = RemoteError(.unknownOutcome, Refusal())
                return FetchResult<RemoteError>(missing: [], failures: hrefs.map { ($0, error) })
            }
            if state.denials > 0 {
                state.denials -= 1
                return FetchResult<RemoteError>(missing: hrefs)
            }
            for href in hrefs {
                if let item = state.items[href.wire] {
                    var text = item.text
                    if state.cuts > 0 {
                        state.cuts -= 1
                        text = Array(text.prefix(text.count * 6 / 10))
                    }
                    items.append(ResourceText(href: href, etag: state.tag(item.etag), text: text))
                } else {
                    missing.append(href)
                }
            }
            return FetchResult<RemoteError>(texts: items, missing: missing)
        }
    }

    func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag? {
        try self.write(href) { state throws(RemoteError) in
            state.finishLateFill()
            guard state.items[href.wire] == nil else { throw RemoteError(.conflict, Refusal()) }
            if let refusal = state.refusesNew { throw refusal }
            let uid = CalendarObject(ICalendarDocument(text))?.uid
            let isTaken = state.items.values.contains { CalendarObject(ICalendarDocument($0.text))?.uid == uid }
            guard !isTaken else { throw RemoteError(.duplicateUID, Refusal()) }
            if let uid { state.sentNew.append(uid) }
            if let uid, state.trash?.contains(uid) ?? false {
                throw RemoteError(.unknownOutcome, Refusal(), mayConcernUID: true, isUIDTaken: state.saysWhy)
            }
            if let uid, let left = state.failures[uid], left > 0 {
                state.failures[uid] = left - 1
                throw RemoteError(.unknownOutcome, Refusal(), mayConcernUID: true)
            }
            state.items[href.wire] = (state.counter, state.stored(text))
            state.history.append((href.wire, false))
        }
    }

    func restore(_ uids: Set<ByteExactString>) async throws(RemoteError) -> RemoteRestoration {
        self.state.withLock { state in
            var outcome = RemoteRestoration()
            state.restorations += 1
            guard let restores = state.restores else { return outcome }
            for (uid, old) in state.trashed where uids.contains(uid.exact) && state.trash?.contains(uid) ?? false {
                guard restores else {
                    outcome.refused.insert(uid.exact)
                    continue
                }
                outcome.restored.insert(uid.exact)
                state.trash?.remove(uid)
                state.counter += 1
                state.items[old.href] = (state.counter, old.text)
                state.history.append((old.href, false))
            }
            return outcome
        }
    }

    func fill(_ text: [UInt8]) async throws(RemoteError) -> FillOutcome {
        try self.state.withLock { state throws(RemoteError) in
            guard state.takesWholeLists else { return .notOffered }
            state.finishLateFill()
            guard state.items.isEmpty else { return .notEmpty }
            state.fills += 1
            guard state.fillsAfter == nil else {
                state.lateFill = text
                throw RemoteError(.stopped, Refusal())
            }
            state.fillList(with: text)
            return .filled
        }
    }

    func update(_ text: [UInt8], at href: Href, ifMatch etag: EntityTag) async throws(RemoteError) -> EntityTag? {
        try self.write(href) { state throws(RemoteError) in
            guard let item = state.items[href.wire], "\"\(item.etag)\"" == etag.wire else {
                throw RemoteError(.conflict, Refusal())
            }
            state.items[href.wire] = (state.counter, state.stored(text))
            state.history.append((href.wire, false))
        }
    }

    func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool {
        let isThere = self.state.withLock { $0.items[href.wire] != nil }
        _ = try self.write(href) { state throws(RemoteError) in
            guard let item = state.items[href.wire] else { return }
            guard etag == nil || "\"\(item.etag)\"" == etag?.wire else { throw RemoteError(.conflict, Refusal()) }
            state.throwAway(href.wire)
            state.items[href.wire] = nil
            state.history.append((href.wire, true))
        }
        return isThere
    }

    private func write(
        _ href: Href,
        _ body: (inout State) throws(RemoteError) -> Void
    ) throws(RemoteError) -> EntityTag? {
        try self.state.withLock { state throws(RemoteError) in
            state.writes += 1
            state.counter += 1
            let isBreaking = state.breaksAfter.map { state.writes >= $0 } ?? false
            if isBreaking, state.writes.isMultiple(of: 2) { throw RemoteError(.stopped, Refusal()) }
            if state.drops > 0 {
                state.drops -= 1
                return nil
            }
            try body(&state)
            if isBreaking { throw RemoteError(.stopped, Refusal()) }
            return state.keepsETags ? nil : EntityTag("\"\(state.counter)\"")
        }
    }

    /// The texts by UID.
    var texts: [String: String] {
        self.state.withLock { state in
            var texts: [String: String] = [:]
            for item in state.items.values {
                guard let uid = CalendarObject(ICalendarDocument(item.text))?.uid else { continue }
                texts[uid] = String(decoding: item.text, as: UTF8.self)
            }
            return texts
        }
    }

    var count: Int { self.state.withLock { $0.items.count } }
    var writes: Int { self.state.withLock { $0.writes } }

    /// A write by another program.
    func put(_ text: String, at href: String) {
        self.state.withLock { state in
            state.counter += 1
            state.items[href] = (state.counter, Array(text.utf8))
            state.history.append((href, false))
        }
    }

    func remove(_ href: String) {
        self.state.withLock { state in
            state.throwAway(href)
            state.items[href] = nil
            state.history.append((href, true))
        }
    }

    func change(_ body: (inout State) -> Void) { self.state.withLock { body(&$0) } }
}

struct Refusal: Error {}
