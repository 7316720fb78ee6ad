import RemindavHTTP
import RemindavStore

/// Ways in which a server sends or stores another text than was written.
enum Alteration: CaseIterable {
    /// Adds a property to every text, and answers with an entity tag nevertheless.
    case altersWithTag
    /// Stores no PRIORITY, and answers without an entity tag.
    case dropsPriority
    /// Makes the list read-only for a while and shows other texts then, with the entity tags of the real ones.
    case masks
    /// Sends incomplete texts with a correct Content-Length.
    case cutsTexts
    /// Accepts a whole list in one request, and shortens a property then; a lost connection does not stop it.
    case damagesWholeLists
}

extension MemoryServer {
    /// The text that a request receives.
    func shown(_ text: [UInt8], in collection: Collection) -> [UInt8] {
        guard self.profile.alteration == .masks, collection.isReadOnly, var calendar = CalendarText(text) else {
            return text
        }
        var main = CalendarText.Node(name: "VTODO")
        main.lines = calendar.main.lines.filter { ["UID", "DTSTAMP", "LAST-MODIFIED"].contains($0.name) }
        main.set("SUMMARY", "Busy")
        calendar.root.children = [main]
        return calendar.bytes()
    }

    /// Fills an empty list with the items of one calendar; each loses the end of its X-PLACE.
    func fill(_ index: Int, _ request: Request) -> Response {
        let tag = Self.tag(self.collections[index])
        guard self.collections[index].members.isEmpty, request.headers[.ifMatch] == tag else {
            return Response(status: 412)
        }
        guard let text = CalendarText(request.body) else { return Response(status: 400) }
        for todo in text.root.children where todo.name == "VTODO" {
            var root = CalendarText.Node(name: "VCALENDAR")
            root.set("VERSION", "2.0")
            root.set("PRODID", "-//server//")
            var todo = todo
            if let place = todo.value("X-PLACE") {
                todo.set("X-PLACE", String(place.prefix { $0 != "," }))
            }
            root.children = [todo]
            let path = "\(self.collections[index].path)\(todo.value("UID") ?? "")-filled.ics"
            self.put(CalendarText(root: root).bytes(), at: path)
        }
        return Response(status: 201)
    }

    /// The entity tag of a collection.
    static func tag(_ collection: Collection) -> String { "\"list-\(collection.epoch)-\(collection.count)\"" }
}

extension Response {
    /// The same with every calendar in it cut off, in a body with a correct length.
    var withCutTexts: Self {
        var copy = self
        copy.headers[.contentLength] = nil
        let body = String(decoding: self.body, as: UTF8.self)
        guard self.status == 207 else {
            copy.body = Array(self.body.prefix(self.body.count * 6 / 10))
            copy.headers[.contentLength] = String(copy.body.count)
            return copy
        }
        var out = ""
        var rest = body[...]
        while let start = rest.firstRange(of: "<C:calendar-data>"), let end = rest.firstRange(of: "</C:calendar-data>")
        {
            out += rest[..<start.upperBound]
            let text = rest[start.upperBound..<end.lowerBound].utf8
            // Not within an XML entity.
            let half = String(decoding: text.prefix(text.count * 6 / 10), as: UTF8.self)
            out += half.split(separator: "&", omittingEmptySubsequences: false).dropLast().joined(separator: "&")
            if !half.contains("&") { out += half }
            out += "</C:calendar-data>"
            rest = rest[end.upperBound...]
        }
        copy.body = Array((out + rest).utf8)
        return copy
    }
}

extension World {
    /// Makes the list read-only, or writable again, for every client.
    func toggleMask(_ isMasked: Bool) async {
        guard self.server.collections[0].isReadOnly != isMasked else { return }
        self.log("    the list is \(isMasked ? "read-only and its texts are masked" : "writable")")
        if isMasked { for machine in self.machines { _ = await self.sync(machine) } }
        self.server.collections[0].isReadOnly = isMasked
        self.server.forgetRefusals()
        for machine in self.machines { _ = await self.sync(machine) }
    }

    /// Machine A publishes a list of its own with a disturbance; the next run has no error and no conflict.
    func publish(_ random: inout SeededGenerator) async {
        let machine = self.machines[0]
        self.server.makeList("published", named: "published")
        let collection = self.server.collections[self.server.collections.count - 1]
        self.act(on: machine, by: "A") {
            try machine.store.write { transaction in
                guard let account = try transaction.accounts().first?.id else { return }
                let list = try transaction.insertList(named: "published", at: 0)
                let remote = RemoteList(
                    account: account,
                    url: MemoryServer.origin + collection.path,
                    identity: collection.identity,
                    supportsSyncCollection: self.server.profile.tokens != .none,
                    name: "published"
                )
                try transaction.adoptRemote(list, remote)
                try transaction.markMadeHere(list)
                for number in 0..<Self.published {
                    let uid = "published-\(number)"
                    let text = self.publishedText(uid, number)
                    _ = try transaction.insert(
                        into: list,
                        uid: uid,
                        StoredObject(source: text.bytes(), index: ObjectIndex(title: uid))
                    )
                }
            }
        }
        var trouble = Disturbance()
        switch random.below(4) {
        case 0: trouble.killAfter = random.below(9)
        case 1: trouble.killBefore = random.below(9)
        case 2: trouble.finishesFillBefore = random.below(12)
        default: break
        }
        self.log("A publishes a list, \(trouble.words)")
        _ = await self.sync(machine, trouble)
        for _ in 0..<2 {
            let run = await self.sync(machine)
            for error in run.errors { self.failures.append("A4 the run after an interrupted one: \(error)") }
        }
        let places = try? machine.objects().compactMap { CalendarText($0.source)?.main.value("X-PLACE") }
        let whole = places?.filter { $0.contains(",") }.count ?? 0
        if whole < Self.published { self.failures.append("A1 \(whole) of \(Self.published) places are whole") }
        if let notes = try? machine.notes(), !notes.isEmpty {
            self.failures.append("A1 \(notes.count) conflicts, although no other client wrote")
        }
    }

    /// Items that are sent as a whole list.
    private static let published = 24

    private func publishedText(_ uid: String, _ number: Int) -> CalendarText {
        var todo = CalendarText.Node(name: "VTODO")
        todo.set("UID", uid)
        todo.set("DTSTAMP", self.utc(self.time))
        todo.set("LAST-MODIFIED", self.utc(self.time))
        todo.set("SUMMARY", uid)
        todo.set("X-PLACE", "geo:52.5,13.\(number)")
        var root = CalendarText.Node(name: "VCALENDAR")
        root.set("VERSION", "2.0")
        root.set("PRODID", "-//here//")
        root.children = [todo]
        return CalendarText(root: root)
    }
}
