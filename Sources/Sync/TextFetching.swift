import RemindavICalendar
import RemindavResources
import RemindavStore

/// The result of a fetch, with incomplete texts separated from complete ones.
struct CheckedTexts: Sendable {
    var result = FetchResult<RemoteError>()
    /// Texts that were incomplete twice (``ResourceText/isCutShort``); ``FetchResult/texts`` does not contain them.
    var cut: [ResourceText] = []
}

extension SyncContext {
    /// If there are at least so many texts, parsing them on two cores is faster than on one.
    static let textsForTwo = 500

    /// Fetches texts, and fetches each incomplete text a second time.
    ///
    /// A proxy, or a file server during a write, may send only the beginning of a text, although the status is 200.
    func fetch(_ hrefs: [Href], _ reason: FetchReason = .changed) async throws(RemoteError) -> CheckedTexts {
        let first = try await self.reader.fetch(hrefs, reason)
        let cut = first.texts.filter(\.isCutShort)
        guard !cut.isEmpty else { return CheckedTexts(result: first) }
        let second = try await self.reader.fetch(cut.map(\.href), .changed)
        let whole = second.texts.filter { !$0.isCutShort }
        let settled = Set((whole.map(\.href) + second.failures.map(\.href)).map(self.key))
        var result = first
        result.texts.removeAll(where: \.isCutShort)
        result += FetchResult(texts: whole, failures: second.failures)
        // A resource that is missing in the second fetch stays in `cut`, so the next sync requests it again.
        return CheckedTexts(result: result, cut: cut.filter { !settled.contains(self.key(of: $0.href)) })
    }

    /// Fetches the texts of resources that the server has just listed.
    ///
    /// If the server then reports a listed resource as missing, it is fetched once more, because the server would not
    /// mention the resource again before its next change.
    func texts(of hrefs: [Href], listed: ResourceChanges) async throws(RemoteError) -> CheckedTexts {
        guard !hrefs.isEmpty else { return CheckedTexts() }
        var fetched = try await self.fetch(hrefs)
        guard !fetched.result.missing.isEmpty else { return fetched }
        let listed = Set(listed.changed.map { self.key(of: $0.href) })
        let denied = fetched.result.missing.filter { listed.contains(self.key(of: $0)) }
        guard !denied.isEmpty else { return fetched }
        let second = try await self.fetch(denied)
        fetched.result.missing.removeAll { listed.contains(self.key(of: $0)) }
        fetched.result += second.result
        fetched.cut += second.cut
        return fetched
    }

    /// Parses texts, on two cores if there are many, because a user waits for the first sync.
    func read(_ items: [ResourceText]) async -> (objects: [RemoteObject], rejected: [UnreadableItem]) {
        guard items.count >= Self.textsForTwo else { return self.read(items[...]) }
        let middle = items.count / 2
        async let rest = self.read(items[middle...])
        let first = self.read(items[..<middle])
        let last = await rest
        return (first.objects + last.objects, first.rejected + last.rejected)
    }

    private func read(_ items: ArraySlice<ResourceText>) -> (objects: [RemoteObject], rejected: [UnreadableItem]) {
        var objects: [RemoteObject] = []
        var rejected: [UnreadableItem] = []
        for item in items {
            let document = ICalendarDocument(item.text)
            if let object = CalendarObject(document), let uid = object.uid, self.accepts(uid, item.href) {
                let stored = self.stored(object)
                objects.append(
                    RemoteObject(href: item.href, etag: item.etag, uid: uid, object: object, stored: stored)
                )
            } else {
                let reason = UnreadableItem.reason(in: document)
                rejected.append(UnreadableItem(href: item.href, etag: item.etag, reason: reason))
            }
        }
        return (objects, rejected)
    }

    /// Whether UID and address are within ``KeyLimits``, or the list already has the object.
    ///
    /// An older version without this limit may have stored an object with a longer UID or address.
    private func accepts(_ uid: String, _ href: Href) -> Bool {
        if KeyLimits.allows(uid), KeyLimits.allows(href.wire) { return true }
        let stored = try? self.store.read { snapshot in
            (try snapshot.object(in: self.list, uid: uid), try snapshot.textsOfTombstone(in: self.list, uid: uid))
        }
        // After an error of the database, the text is accepted: the step that records it reports the error.
        guard let (object, tombstone) = stored else { return true }
        return KeyLimits.allows(href.wire) ? object != nil || tombstone != nil : object?.href == href
    }
}

extension ResourceText {
    /// Whether the text ends before END:VCALENDAR.
    ///
    /// An incomplete text must not be merged or sent, and it does not prove anything about the resource.
    package var isCutShort: Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let length = (self.text.lastIndex { !blanks.contains($0) } ?? -1) + 1
        // Nearly every text ends in this way, so it need not be parsed here.
        if Self.endsCalendar(self.text[..<length]) { return false }
        let start = String(decoding: self.text[..<length].prefix(Self.beginning.utf8.count + 1), as: UTF8.self)
        if Self.beginning.hasPrefix(start.uppercased()) { return true }
        // A text that is no calendar is unreadable, but not incomplete.
        let document = ICalendarDocument(self.text)
        return document.components.last?.name == .vcalendar && document.isCutShort
    }

    private static let beginning = "BEGIN:VCALENDAR"

    private static func endsCalendar(_ text: ArraySlice<UInt8>) -> Bool {
        let end = Array("END:VCALENDAR".utf8)
        return text.count > end.count && text.suffix(end.count).elementsEqual(end)
    }
}
