import RemindavHTTP

// PUT, DELETE and MOVE, their conditions, and the texts that the server refuses or alters.
extension MemoryServer {
    func write(_ request: Request, _ path: String) -> Response {
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
    func refuses(_ text: CalendarText, _ body: [UInt8], in list: String) -> Bool {
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

    func delete(_ request: Request, _ path: String) -> Response {
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
    func move(_ request: Request, _ path: String) -> Response {
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

    /// A fault refuses to move an item out of the trash; for a client this is a proof like any other.
    func refuseRestoration(_ request: Request, _ status: Int) {
        guard [403, 405, 409, 412].contains(status), request.url.contains("/trashbin/objects/"),
            let number = request.url.split(separator: "/").last?.split(separator: ".").first.flatMap({ Int($0) })
        else { return }
        for collection in self.collections {
            for (uid, item) in collection.trash where item.number == number { self.provenUIDs.insert(uid) }
        }
    }

    /// Moves an item out of the trash to its old address.
    func restore(_ path: String) -> Response {
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
    func refusal(_ request: Request, _ path: String) -> Response? {
        let member = self.member(path)
        if request.headers[.ifNoneMatch] == "*", member != nil { return Response(status: 412) }
        guard let tag = request.headers[.ifMatch] else { return nil }
        guard let member else { return Response(status: 412) }
        // A weak one never matches here (§8.8.3.2).
        return tag == member.tag && !tag.hasPrefix("W/") ? nil : Response(status: 412)
    }

    func holder(of uid: String, in index: Int, except path: String) -> String? {
        self.collections[index].members.first { other, member in
            other != path && member.uid == uid
        }?.key
    }

    /// The text as the server stores it, from any client.
    func stored(_ bytes: [UInt8]) -> [UInt8] {
        guard self.profile.alteration == .altersWithTag, let text = CalendarText(bytes) else { return bytes }
        return self.rewrite(text, bytes)
    }

    func rewrite(_ text: CalendarText, _ bytes: [UInt8]) -> [UInt8] {
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
}
