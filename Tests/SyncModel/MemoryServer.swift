import RemindavHTTP

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
    var writes = 0
    /// Only those that deleted an item.
    var deletions: [String: Int] = [:]
    /// UIDs that were removed from a resource at some time, by any client.
    var removedUIDs: Set<String> = []
    /// UIDs that came back from the trash.
    var restoredUIDs: Set<String> = []
    /// UIDs that the server has proved it cannot store.
    var provenUIDs: Set<String> = []
    /// Called for alterations of a text by the server.
    var rewritten: (_ sent: [UInt8], _ stored: [UInt8]) -> Void = { _, _ in }
    /// Called with the UID of a text that is stored without a property.
    var lost: (_ uid: String) -> Void = { _ in }
    /// Texts that were stored without a property, by path, until the next write there.
    var dropped: [String: (sent: [UInt8], stored: [UInt8])] = [:]
    /// Whether the present writing run is disturbed: dropped properties may never be seen then.
    var isDisturbed = false
    /// Called with each item that our program deletes.
    var deleted: (CalendarText) -> Void = { _ in }
    var random: SeededGenerator
    var made = 0
    /// Refused texts, by the machine that sent them, with the time.
    var refused: [String: [[UInt8]: Int64]] = [:]
    var repeatedRefusals: [String] = []
    /// Those of the present run.
    var refusedNow: [[UInt8]] = []
    var sender = Sender()

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
    func overwrite(_ path: String) {
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

    func note(_ path: String, _ index: Int, isRemoval: Bool = false) {
        let event = Event(count: self.collections[index].count, path: path, isRemoval: isRemoval)
        self.collections[index].events.append(event)
    }

    func index(of path: String) -> Int? { self.collections.firstIndex { path.hasPrefix($0.path) } }

    func newTag(_ text: [UInt8], _ collection: Collection) -> String {
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
    func events(since token: String, _ collection: Collection) -> ArraySlice<Event>? {
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
}
