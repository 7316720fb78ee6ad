import HTTP

/// A whole CalDAV server in memory.
///
/// Everything runs on one thread (``SingleThread``): that makes this class Sendable.
final class MemoryServer: @unchecked Sendable {
    struct Member {
        var text: [UInt8]
        var tag: String
        /// Of the to-do in it, when there is one.
        var uid: String?
    }

    struct Event {
        let count: Int
        let path: String
    }

    struct Collection {
        let path: String
        var name: String
        var identity: String
        var members: [String: Member] = [:]
        var events: [Event] = []
        var count = 1
        /// Raised when all older tokens are forgotten.
        var epoch = 1
        var isReadOnly = false
    }

    static let origin = "http://localhost"
    static let home = "/dav/u/"

    var profile: Profile
    var collections: [Collection] = []
    /// What our own program has asked to be written.
    private(set) var writes = 0
    /// Only those that deleted something.
    private(set) var deletions: [String: Int] = [:]
    /// Told of what the server itself does to a text on its way in.
    var rewritten: (_ sent: [UInt8], _ stored: [UInt8]) -> Void = { _, _ in }
    /// Told of what our own program has deleted.
    var deleted: (CalendarText) -> Void = { _ in }
    private var random: SeededGenerator
    private var made = 0

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

    /// Stores a text, whoever sends it.
    func put(_ text: [UInt8], at path: String) {
        guard let index = self.index(of: path) else { return }
        self.collections[index].count += 1
        let tag = self.newTag(text, self.collections[index])
        self.collections[index].members[path] = Member(text: text, tag: tag, uid: CalendarText(text)?.uid)
        self.note(path, index)
    }

    func remove(_ path: String) {
        guard let index = self.index(of: path) else { return }
        self.collections[index].count += 1
        self.collections[index].members[path] = nil
        self.note(path, index)
    }

    /// Gives every member another entity tag, with the same text.
    func retag(_ index: Int) {
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

    private func note(_ path: String, _ index: Int) {
        self.collections[index].events.append(Event(count: self.collections[index].count, path: path))
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

    /// What has happened since a token, `nil` for one that is not known.
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
            let headers: Headers = [
                .etag: member.tag, .contentType: "text/calendar; charset=utf-8",
                .contentLength: String(member.text.count),
            ]
            return Response(status: 200, headers: headers, body: member.text)
        case "PUT": return self.write(request, path)
        case "DELETE": return self.delete(request, path)
        case "MOVE": return self.move(request, path)
        default: return Response(status: 405)
        }
    }

    private func write(_ request: Request, _ path: String) -> Response {
        self.writes += 1
        guard let index = self.index(of: path) else { return Response(status: 409) }
        if let refusal = self.refusal(request, path) { return refusal }
        if self.collections[index].isReadOnly { return Response(status: 403) }
        guard let text = CalendarText(request.body) else {
            return Response(status: 403, body: Self.error("<C:valid-calendar-data/>"))
        }
        let isNew = self.member(path) == nil
        // Of what it holds twice already it says nothing more.
        if isNew, let other = self.holder(of: text.uid, in: index, except: path) {
            let href = "<C:no-uid-conflict><D:href>\(self.href(other))</D:href></C:no-uid-conflict>"
            return Response(status: 409, body: Self.error(href))
        }
        let stored = self.rewrite(text, request.body)
        self.put(stored, at: path)
        if stored != request.body { self.rewritten(request.body, stored) }
        let isSame = stored == request.body || self.profile.rewriting == .folding
        var headers = Headers()
        if self.profile.tellsTagOfPut, isSame { headers[.etag] = self.member(path)?.tag }
        return Response(status: isNew ? 201 : 204, headers: headers)
    }

    private func delete(_ request: Request, _ path: String) -> Response {
        self.writes += 1
        guard let index = self.index(of: path), let member = self.member(path) else { return Response(status: 404) }
        if let refusal = self.refusal(request, path) { return refusal }
        if self.collections[index].isReadOnly { return Response(status: 403) }
        self.remove(path)
        if let text = CalendarText(member.text) { self.deleted(text) }
        self.deletions[self.collections[index].path, default: 0] += 1
        return Response(status: 204)
    }

    /// RFC 4918 §9.9, between two collections.
    private func move(_ request: Request, _ path: String) -> Response {
        self.writes += 1
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

    /// A member as listings show it; more than once, or without its entity tag, where the server is odd.
    private func entries(_ path: String, _ collection: Collection, _ asked: [String]) -> [String] {
        guard let member = collection.members[path] else { return [] }
        let full = self.entry(path, member, asked)
        guard self.isOdd() else { return [full] }
        let bare = self.entry(path, member, asked, tellsTag: false)
        return self.random.oneIn(2) ? [bare] : [bare, full]
    }

    private func entry(_ path: String, _ member: Member, _ asked: [String], tellsTag: Bool = true) -> String {
        self.entry(path, asked) { name in
            switch name {
            case "getetag": tellsTag ? Self.escape(member.tag) : nil
            case "getcontenttype": "text/calendar; charset=utf-8"
            case "resourcetype": ""
            case "calendar-data": self.transported(member.text)
            default: nil
            }
        }
    }

    /// Everything: the only filter that is ever asked for is the one that all pass.
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
        for path in Set(events.map(\.path)).sorted() {
            if collection.members[path] != nil {
                entries += self.entries(path, collection, asked)
            } else {
                entries.append(self.gone(path))
            }
        }
        return self.multistatus(entries + [end])
    }

    /// What is said to a token from another life, or from the future.
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
                case "calendar-data": self.transported(member.text)
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
