import HTTP

/// A whole CalDAV server in memory.
///
/// Everything runs on one thread (``SingleThread``), which makes this class Sendable.
final class MemoryServer: @unchecked Sendable {
    struct Member {
        var text: [UInt8]
        var tag: String
        /// `nil` without a to-do.
        var uid: String?
    }

    struct Event {
        let count: Int
        let path: String
        let isRemoval: Bool
    }

    /// A deleted member, in a trash that keeps its UID.
    struct Trashed {
        let path: String
        let text: [UInt8]
        /// Its name in the trash.
        let number: Int
    }

    struct Collection {
        let path: String
        var name: String
        var identity: String
        var members: [String: Member] = [:]
        var events: [Event] = []
        var count = 1
        /// Incremented when all older tokens are forgotten.
        var epoch = 1
        var isReadOnly = false
        /// Deleted items, by UID, if the server has a trash.
        var trash: [String: Trashed] = [:]
    }

    static let origin = "http://localhost"
    static let home = "/dav/u/"

    var profile: Profile
    var collections: [Collection] = []
    /// Write requests of our program.
    private(set) var writes = 0
    /// Only those that deleted an item.
    private(set) var deletions: [String: Int] = [:]
    /// UIDs that were removed from a resource at some time, by any client.
    private(set) var removedUIDs: Set<String> = []
    /// UIDs that came back from the trash.
    private(set) var restoredUIDs: Set<String> = []
    /// UIDs that the server has proved it cannot store.
    private(set) var provenUIDs: Set<String> = []
    /// Called for alterations of a text by the server.
    var rewritten: (_ sent: [UInt8], _ stored: [UInt8]) -> Void = { _, _ in }
    /// Called with the UID of a text that is stored without a property.
    var lost: (_ uid: String) -> Void = { _ in }
    /// Texts that were stored without a property, by path, until the next write there.
    private var dropped: [String: (sent: [UInt8], stored: [UInt8])] = [:]
    /// Whether the present writing run is disturbed: dropped properties may never be seen then.
    var isDisturbed = false
    /// Called with each item that our program deletes.
    var deleted: (CalendarText) -> Void = { _ in }
    private var random: SeededGenerator
    private var made = 0
    /// Refused texts, by the machine that sent them, with the time.
    private var refused: [String: [[UInt8]: Int64]] = [:]
    private var repeatedRefusals: [String] = []
    /// Those of the present run.
    private var refusedNow: [[UInt8]] = []
    private var sender = Sender()

    init(_ profile: Profile, seed: UInt64) {
        self.profile = profile
        self.random = SeededGenerator(seed, 2)
        for number in 0..<profile.lists { self.makeList("l\(number)", named: "list \(number)") }
    }

    func makeList(_ segment: String, named name: String, home: String = MemoryServer.home) {
        self.made += 1
        self.collections.append(
            Collection(path: "\(home)\(segment)/", name: name, identity: "urn:x:\(self.made)")
        )
    }

    // MARK: Members

    /// Stores a text of any client.
    func put(_ text: [UInt8], at path: String) {
        guard let index = self.index(of: path) else { return }
        self.overwrite(path)
        self.collections[index].count += 1
        let tag = self.newTag(text, self.collections[index])
        let member = Member(text: text, tag: tag, uid: CalendarText(text)?.uid)
        if let old = self.collections[index].members.updateValue(member, forKey: path)?.uid, old != member.uid {
            self.removedUIDs.insert(old)
        }
        if let uid = member.uid { self.collections[index].trash[uid] = nil }
        self.note(path, index)
    }

    func remove(_ path: String) {
        guard let index = self.index(of: path) else { return }
        self.overwrite(path)
        self.collections[index].count += 1
        if let uid = self.collections[index].members.removeValue(forKey: path)?.uid { self.removedUIDs.insert(uid) }
        self.note(path, index, isRemoval: true)
    }

    /// Deletes a member for another program; it goes to the trash, if there is one.
    func throwAway(_ path: String) {
        let member = self.member(path)
        self.remove(path)
        guard self.profile.trash != .none, let index = self.index(of: path), let member, let uid = member.uid,
            self.holder(of: uid, in: index, except: path) == nil
        else { return }
        self.made += 1
        self.collections[index].trash[uid] = Trashed(path: path, text: member.text, number: self.made)
    }

    /// Forgets its refusals: its items or the permissions have changed, which is a reason to send them again.
    func forgetRefusals() { self.refused = [:] }

    /// Counts every dropped property that no client has read since as an edit by the server.
    func countDropped() { for path in self.dropped.keys.sorted() { self.overwrite(path) } }

    /// A dropped property that no client has seen can no longer be seen.
    private func overwrite(_ path: String) {
        if let (sent, stored) = self.dropped.removeValue(forKey: path) { self.rewritten(sent, stored) }
    }

    /// Gives every member another entity tag, with the same text.
    func retag(_ index: Int) {
        self.forgetRefusals()
        for path in self.collections[index].members.keys.sorted() {
            self.collections[index].count += 1
            let tag = "\"r\(self.collections[index].count)\""
            self.collections[index].members[path]?.tag = tag
            self.note(path, index)
        }
    }

    func member(_ path: String) -> Member? { self.index(of: path).flatMap { self.collections[$0].members[path] } }

    /// Whether a resource of any list, besides that one, has the UID.
    func has(_ uid: String, besides path: String) -> Bool {
        self.collections.contains { $0.members.contains { $0.key != path && $0.value.uid == uid } }
    }

    var paths: [String] { self.collections.flatMap { $0.members.keys.sorted() } }

    private func note(_ path: String, _ index: Int, isRemoval: Bool = false) {
        let event = Event(count: self.collections[index].count, path: path, isRemoval: isRemoval)
        self.collections[index].events.append(event)
    }

    private func index(of path: String) -> Int? { self.collections.firstIndex { path.hasPrefix($0.path) } }

    private func newTag(_ text: [UInt8], _ collection: Collection) -> String {
        switch self.profile.tags {
        case .counter: "\"\(collection.epoch)-\(collection.count)\""
        case .weak: "W/\"\(collection.epoch)-\(collection.count)\""
        case .content:
            "\"h\(String(text.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 36))\""
        }
    }

    // MARK: Tokens

    func token(_ collection: Collection) -> String {
        switch self.profile.tokens {
        case .epochs: "http://localhost/ns/\(collection.epoch)/\(collection.count)"
        // After a restore the numbers are lower than any before.
        case .numbers: "tok-\(collection.count + 100_000 - collection.epoch * 1000)"
        case .opaque, .none: "t\(collection.epoch).\(collection.count)x"
        }
    }

    /// The events since a token; `nil` for an unknown one.
    private func events(since token: String, _ collection: Collection) -> ArraySlice<Event>? {
        let digits = token.split { !$0.isNumber }.compactMap { Int($0) }
        let count: Int
        switch self.profile.tokens {
        case .epochs, .opaque, .none:
            guard digits.count == 2, digits[0] == collection.epoch else { return nil }
            count = digits[1]
        case .numbers:
            guard digits.count == 1 else { return nil }
            count = digits[0] - 100_000 + collection.epoch * 1000
        }
        guard count <= collection.count, count >= 0 else { return nil }
        return collection.events.drop { $0.count <= count }
    }

    // MARK: Answering

    func answer(_ request: Request) -> Response {
        guard let path = Self.path(request.url) else { return Response(status: 400) }
        let body = request.body
        switch request.method {
        case "PROPFIND":
            let asked = Self.asked(body)
            if path.utf8.split(separator: UInt8(ascii: "/")).count == 2 { return self.home(path, asked) }
            guard let collection = self.collections.first(where: { $0.path == path }) else {
                return Response(status: 404)
            }
            return request.headers[.depth] == "1"
                ? self.listing(collection, asked) : self.multistatus([self.entry(collection, asked)])
        case "REPORT" where path.hasSuffix("/trashbin/objects"): return self.trashListing(path, Self.asked(body))
        case "REPORT":
            guard let collection = self.collections.first(where: { $0.path == path }) else {
                return Response(status: 404)
            }
            let report = Self.report(body)
            if report == "calendar-multiget" { return self.multiget(collection, body) }
            if report == "sync-collection", self.profile.tokens != .none { return self.changes(collection, body) }
            if report == "calendar-query", self.profile.answersQueries { return self.query(collection, body) }
            return Response(status: 403, body: Self.error("<D:supported-report/>"))
        case "GET":
            guard let member = self.member(path) else { return Response(status: 404) }
            let text = self.index(of: path).map { self.shown(member.text, in: self.collections[$0]) } ?? member.text
            let headers: Headers = [
                .etag: member.tag, .contentType: "text/calendar; charset=utf-8",
                .contentLength: String(text.count),
            ]
            return Response(status: 200, headers: headers, body: text)
        case "PUT": return self.write(request, path)
        case "DELETE": return self.delete(request, path)
        case "MOVE": return self.move(request, path)
        default: return Response(status: 405)
        }
    }

    private func write(_ request: Request, _ path: String) -> Response {
        self.writes += 1
        guard let index = self.index(of: path) else { return Response(status: 409) }
        if self.profile.alteration == .damagesWholeLists, self.collections[index].path == path {
            return self.fill(index, request)
        }
        if let refusal = self.refusal(request, path) { return refusal }
        if self.collections[index].isReadOnly { return Response(status: 403) }
        guard let text = CalendarText(request.body) else {
            return Response(status: 403, body: Self.error("<C:valid-calendar-data/>"))
        }
        let isNew = self.member(path) == nil
        // Of two resources with one UID only the first is reported.
        if isNew, let other = self.holder(of: text.uid, in: index, except: path) {
            let href = "<C:no-uid-conflict><D:href>\(self.href(other))</D:href></C:no-uid-conflict>"
            return Response(status: 409, body: Self.error(href))
        }
        if isNew, self.collections[index].trash[text.uid] != nil {
            if self.profile.trash == .hidden { self.provenUIDs.insert(text.uid) }
            return Response(status: 500, headers: [.contentType: "application/xml"], body: Self.uniquenessViolation)
        }
        if self.refuses(text, request.body, in: self.collections[index].path) { return Response(status: 415) }
        let whole = self.rewrite(text, request.body)
        var stored = whole
        if self.profile.alteration == .dropsPriority, var text = CalendarText(whole), text.main.first("PRIORITY") != nil
        {
            text.main.remove("PRIORITY")
            stored = text.bytes()
        }
        self.put(stored, at: path)
        if whole != request.body { self.rewritten(request.body, whole) }
        if stored != whole {
            self.lost(text.uid)
            self.dropped[path] = (whole, stored)
            if self.isDisturbed { self.overwrite(path) }
        }
        let isSame =
            stored == request.body || stored == whole && self.profile.rewriting == .folding
            || self.profile.alteration == .altersWithTag
        var headers = Headers()
        if self.profile.tellsTagOfPut, isSame { headers[.etag] = self.member(path)?.tag }
        return Response(status: isNew ? 201 : 204, headers: headers)
    }

    /// The machine and the run that send requests.
    struct Sender {
        var name = ""
        var time: Int64 = 0
        /// Whether the user wants refused texts to be sent again.
        var isNow = false
    }

    /// A run of a machine begins.
    ///
    /// - Returns: the run that it interrupts.
    func begin(_ sender: Sender) -> Sender {
        defer { self.sender = sender }
        self.refusedNow = []
        return self.sender
    }

    /// A run ends.
    ///
    /// - Parameters:
    ///   - outer: the run that it interrupted.
    ///   - isHeard: whether the machine received and stored each answer.
    /// - Returns: the UIDs of texts that the machine sent again unchanged within a week after a refusal.
    func end(goingOnWith outer: Sender, isHeard: Bool) -> [String] {
        if isHeard {
            for text in self.refusedNow { self.refused[self.sender.name, default: [:]][text] = self.sender.time }
        }
        defer {
            self.refusedNow = []
            self.repeatedRefusals = []
            self.sender = outer
        }
        return self.repeatedRefusals
    }

    /// One text in six, by its content.
    private func refuses(_ text: CalendarText, _ body: [UInt8], in list: String) -> Bool {
        guard self.profile.refusesSome, body.reduce(0 as UInt64, { $0 &* 31 &+ UInt64($1) }) % 6 == 0 else {
            return false
        }
        // A machine's clock may be wrong by a day. Another list may accept a text that this one refuses.
        let key = Array(list.utf8) + body
        if let last = self.refused[self.sender.name]?[key], !self.sender.isNow, self.sender.time - last < 4 * 86_400 {
            self.repeatedRefusals.append(text.uid)
        }
        self.refusedNow.append(key)
        return true
    }

    private func delete(_ request: Request, _ path: String) -> Response {
        self.writes += 1
        guard let index = self.index(of: path), let member = self.member(path) else { return Response(status: 404) }
        if let refusal = self.refusal(request, path) { return refusal }
        if self.collections[index].isReadOnly { return Response(status: 403) }
        self.throwAway(path)
        if let text = CalendarText(member.text) { self.deleted(text) }
        self.deletions[self.collections[index].path, default: 0] += 1
        return Response(status: 204)
    }

    /// RFC 4918 §9.9, between two collections.
    private func move(_ request: Request, _ path: String) -> Response {
        self.writes += 1
        if path.contains("/trashbin/objects/") { return self.restore(path) }
        guard let member = self.member(path) else { return Response(status: 404) }
        if let refusal = self.refusal(request, path) { return refusal }
        guard let target = request.headers["Destination"].flatMap(Self.path), let index = self.index(of: target) else {
            return Response(status: 409)
        }
        if self.member(target) != nil, request.headers["Overwrite"] == "F" { return Response(status: 412) }
        if let uid = member.uid, self.holder(of: uid, in: index, except: target) != nil {
            return Response(status: 409, body: Self.error("<C:no-uid-conflict/>"))
        }
        self.remove(path)
        self.put(member.text, at: target)
        return Response(status: 201)
    }

    /// Moves an item out of the trash to its old address.
    private func restore(_ path: String) -> Response {
        guard let number = path.split(separator: "/").last?.split(separator: ".").first.flatMap({ Int($0) }) else {
            return Response(status: 404)
        }
        for index in self.collections.indices {
            for (uid, old) in self.collections[index].trash where old.number == number {
                guard self.member(old.path) == nil else {
                    self.provenUIDs.insert(uid)
                    return Response(status: 403)
                }
                self.restoredUIDs.insert(uid)
                self.put(old.text, at: old.path)
                return Response(status: 201)
            }
        }
        return Response(status: 404)
    }

    /// 412, when a condition does not hold (RFC 9110 §13.1).
    private func refusal(_ request: Request, _ path: String) -> Response? {
        let member = self.member(path)
        if request.headers[.ifNoneMatch] == "*", member != nil { return Response(status: 412) }
        guard let tag = request.headers[.ifMatch] else { return nil }
        guard let member else { return Response(status: 412) }
        // A weak one never matches here (§8.8.3.2).
        return tag == member.tag && !tag.hasPrefix("W/") ? nil : Response(status: 412)
    }

    private func holder(of uid: String, in index: Int, except path: String) -> String? {
        self.collections[index].members.first { other, member in
            other != path && member.uid == uid
        }?.key
    }

    /// The text as the server stores it, from any client.
    func stored(_ bytes: [UInt8]) -> [UInt8] {
        guard self.profile.alteration == .altersWithTag, let text = CalendarText(bytes) else { return bytes }
        return self.rewrite(text, bytes)
    }

    private func rewrite(_ text: CalendarText, _ bytes: [UInt8]) -> [UInt8] {
        var text = text
        switch self.profile.rewriting {
        case .none: return bytes
        case .folding: return text.bytes(width: 60)
        case .sorting: text.root = text.root.sorted
        case .adding:
            text.main.set("X-SERVER", "1")
            text.root.set("PRODID", "-//server//")
        case .stripping: text.root = text.root.stripped
        }
        return text.bytes()
    }

    // MARK: XML

    private func home(_ path: String, _ asked: [String]) -> Response {
        var entries = [
            self.entry(path, asked) { name in
                name == "resourcetype" ? "<D:collection/>" : name == "displayname" ? "home" : nil
            }
        ]
        for collection in self.collections where collection.path.hasPrefix(path) {
            entries.append(self.entry(collection, asked))
        }
        if self.profile.trash == .restorable {
            entries.append(
                self.entry("\(path)trashbin/", asked) { $0 == "resourcetype" ? "<D:collection/><N:trash-bin/>" : nil }
            )
        }
        return self.multistatus(entries)
    }

    /// The to-dos in the trash of a home, each with its text and its collection's name.
    private func trashListing(_ path: String, _ asked: [String]) -> Response {
        let home = String(path.dropLast("trashbin/objects".count))
        var entries: [String] = []
        for collection in self.collections where collection.path.hasPrefix(home) {
            let name = collection.path.split(separator: "/").last.map(String.init) ?? ""
            for old in collection.trash.values.sorted(by: { $0.number < $1.number }) {
                entries.append(
                    self.entry("\(path)/\(old.number).ics", asked) { property in
                        switch property {
                        case "calendar-data": self.transported(old.text)
                        case "calendar-uri": name
                        default: nil
                        }
                    }
                )
            }
        }
        return self.multistatus(entries)
    }

    private func entry(_ collection: Collection, _ asked: [String]) -> String {
        let hasSync = self.profile.tokens != .none
        return self.entry(collection.path, asked) { name in
            switch name {
            case "resourcetype": "<D:collection/><C:calendar/>"
            case "displayname": Self.escape(collection.name)
            case "supported-calendar-component-set": "<C:comp name=\"VTODO\"/>"
            case "current-user-privilege-set":
                (collection.isReadOnly ? ["read"] : ["read", "write"])
                    .map { "<D:privilege><D:\($0)/></D:privilege>" }.joined()
            case "getctag": "c\(collection.epoch).\(collection.count)x"
            case "getetag" where self.profile.alteration == .damagesWholeLists: Self.escape(Self.tag(collection))
            case "supported-report-set":
                (["C:calendar-multiget", "C:calendar-query"] + (hasSync ? ["D:sync-collection"] : []))
                    .map { "<D:supported-report><D:report><\($0)/></D:report></D:supported-report>" }.joined()
            case "resource-id": "<D:href>\(collection.identity)</D:href>"
            case "sync-token": hasSync ? self.token(collection) : nil
            default: nil
            }
        }
    }

    private func listing(_ collection: Collection, _ asked: [String]) -> Response {
        var entries = [self.entry(collection, asked)]
        for path in collection.members.keys.sorted() { entries += self.entries(path, collection, asked) }
        return self.multistatus(entries)
    }

    /// A member in a listing; more than once, or without its entity tag, for an odd server.
    private func entries(_ path: String, _ collection: Collection, _ asked: [String]) -> [String] {
        guard let member = collection.members[path] else { return [] }
        let full = self.entry(path, member, collection, asked)
        guard self.isOdd() else { return [full] }
        let bare = self.entry(path, member, collection, asked, tellsTag: false)
        return self.random.oneIn(2) ? [bare] : [bare, full]
    }

    private func entry(
        _ path: String,
        _ member: Member,
        _ collection: Collection,
        _ asked: [String],
        tellsTag: Bool = true
    ) -> String {
        self.entry(path, asked) { name in
            switch name {
            case "getetag": tellsTag ? Self.escape(member.tag) : nil
            case "getcontenttype": "text/calendar; charset=utf-8"
            case "resourcetype": ""
            case "calendar-data": self.transported(self.shown(member.text, in: collection))
            default: nil
            }
        }
    }

    /// Everything: the only requested filter matches all items.
    private func query(_ collection: Collection, _ body: [UInt8]) -> Response {
        let asked = Self.asked(body)
        return self.multistatus(collection.members.keys.sorted().flatMap { self.entries($0, collection, asked) })
    }

    private func changes(_ collection: Collection, _ body: [UInt8]) -> Response {
        let asked = Self.asked(body)
        let token = Self.texts("sync-token", in: body).first ?? ""
        let end = "<D:sync-token>\(self.token(collection))</D:sync-token>"
        guard !token.isEmpty else {
            let entries = collection.members.keys.sorted().flatMap { self.entries($0, collection, asked) }
            return self.multistatus(entries + [end])
        }
        guard let events = self.events(since: token, collection) else { return self.refuse(collection) }
        var entries: [String] = []
        let folded = self.profile.folds ? Set(events.filter(\.isRemoval).map(\.path)) : []
        for path in Set(events.map(\.path)).sorted() {
            if collection.members[path] != nil, !folded.contains(path) {
                entries += self.entries(path, collection, asked)
            } else {
                entries.append(self.gone(path))
            }
        }
        return self.multistatus(entries + [end])
    }

    /// The answer to an unknown or future token.
    private func refuse(_ collection: Collection) -> Response {
        let condition = Self.error("<D:valid-sync-token/>")
        switch self.profile.refusal {
        case .forbidden: return Response(status: 403, body: condition)
        case .conflict: return Response(status: 409, body: condition)
        case .precondition: return Response(status: 412, body: condition)
        case .bare: return Response(status: 400)
        case .failure: return Response(status: 500)
        // Nextcloud: nothing has changed, and a token that is lower.
        case .empty where self.profile.tokens == .numbers:
            return self.multistatus(["<D:sync-token>\(self.token(collection))</D:sync-token>"])
        case .empty: return Response(status: 403, body: condition)
        }
    }

    private func multiget(_ collection: Collection, _ body: [UInt8]) -> Response {
        var entries: [String] = []
        let asked = Self.asked(body)
        for href in Self.texts("href", in: body) {
            guard let path = Self.path(href), let member = collection.members[path] else {
                if let path = Self.path(href) { entries.append(self.gone(path)) }
                continue
            }
            if self.isOdd(), self.random.oneIn(2) { continue }
            let tellsTag = !(self.isOdd() && self.random.oneIn(2))
            let entry = self.entry(path, asked) { name in
                switch name {
                case "getetag": tellsTag ? Self.escape(member.tag) : nil
                case "calendar-data": self.transported(self.shown(member.text, in: collection))
                default: nil
                }
            }
            entries.append(entry)
            if self.isOdd() { entries.append(entries[entries.count - 1]) }
        }
        return self.multistatus(entries)
    }

    private func isOdd() -> Bool { self.random.below(100) < self.profile.oddity }

    /// XML has no CR of its own (XML 1.0 §2.11).
    private func transported(_ text: [UInt8]) -> String {
        Self.escaped(self.profile.keepsCarriageReturns ? text : text.filter { $0 != 0x0D })
    }

    private func href(_ path: String) -> String {
        (self.profile.namesHost ? Self.origin : "") + Self.escape(Self.encode(path))
    }

    private func gone(_ path: String) -> String {
        "<D:response><D:href>\(self.href(path))</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>"
    }

    private func entry(_ path: String, _ asked: [String], _ value: (String) -> String?) -> String {
        var text = "<D:response><D:href>\(self.href(path))</D:href><D:propstat><D:prop>"
        var missing: [String] = []
        for name in asked {
            guard let value = value(name) else {
                missing.append(name)
                continue
            }
            let prefix = Self.prefix(of: name)
            text += "<\(prefix):\(name)>\(value)</\(prefix):\(name)>"
        }
        text += "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
        if !missing.isEmpty, self.profile.tellsMissing {
            text += "<D:propstat><D:prop>"
            for name in missing { text += "<\(Self.prefix(of: name)):\(name)/>" }
            text += "</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>"
        }
        return text + "</D:response>"
    }

    private func multistatus(_ entries: [String]) -> Response {
        let text = "<?xml version=\"1.0\"?><D:multistatus \(Self.namespaces)>\(entries.joined())</D:multistatus>"
        return Response(status: 207, headers: [.contentType: "application/xml"], body: Array(text.utf8))
    }
}
