import RemindavHTTP

// PROPFIND and REPORT: homes, listings, changes and texts as multistatus documents.
extension MemoryServer {
    func home(_ path: String, _ asked: [String]) -> Response {
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
    func trashListing(_ path: String, _ asked: [String]) -> Response {
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

    func entry(_ collection: Collection, _ asked: [String]) -> String {
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

    func listing(_ collection: Collection, _ asked: [String]) -> Response {
        var entries = [self.entry(collection, asked)]
        for path in collection.members.keys.sorted() { entries += self.entries(path, collection, asked) }
        return self.multistatus(entries)
    }

    /// A member in a listing; more than once, or without its entity tag, for an odd server.
    func entries(_ path: String, _ collection: Collection, _ asked: [String]) -> [String] {
        guard let member = collection.members[path] else { return [] }
        let full = self.entry(path, member, collection, asked)
        guard self.isOdd() else { return [full] }
        let bare = self.entry(path, member, collection, asked, tellsTag: false)
        return self.random.oneIn(2) ? [bare] : [bare, full]
    }

    func entry(
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
    func query(_ collection: Collection, _ body: [UInt8]) -> Response {
        let asked = Self.asked(body)
        return self.multistatus(collection.members.keys.sorted().flatMap { self.entries($0, collection, asked) })
    }

    func changes(_ collection: Collection, _ body: [UInt8]) -> Response {
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
    func refuse(_ collection: Collection) -> Response {
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

    func multiget(_ collection: Collection, _ body: [UInt8]) -> Response {
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

    func isOdd() -> Bool { self.random.below(100) < self.profile.oddity }

    /// XML has no CR of its own (XML 1.0 §2.11).
    func transported(_ text: [UInt8]) -> String {
        Self.escaped(self.profile.keepsCarriageReturns ? text : text.filter { $0 != 0x0D })
    }

    func href(_ path: String) -> String {
        (self.profile.namesHost ? Self.origin : "") + Self.escape(Self.encode(path))
    }

    func gone(_ path: String) -> String {
        "<D:response><D:href>\(self.href(path))</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>"
    }

    func entry(_ path: String, _ asked: [String], _ value: (String) -> String?) -> String {
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

    func multistatus(_ entries: [String]) -> Response {
        let text = "<?xml version=\"1.0\"?><D:multistatus \(Self.namespaces)>\(entries.joined())</D:multistatus>"
        return Response(status: 207, headers: [.contentType: "application/xml"], body: Array(text.utf8))
    }
}
