import ICalendar
import Store

// The texts of the server, read.
extension SyncExecutor {
    /// So many texts take longer to read than another thread to begin.
    static let textsForTwo = 500

    /// Fetches texts, and fetches every text that is cut off once more.
    ///
    /// A proxy, or a file server that is still writing, may send part of a text with status 200. A text that is cut off
    /// twice is in ``RemoteFetch/cut`` and not in ``RemoteFetch/items``.
    func fetch(_ hrefs: [Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.repeatingCut(try await self.remote.fetch(hrefs))
    }

    /// The same for one resource that may well be missing, for which one request is enough.
    func look(at href: Href) async throws(RemoteError) -> RemoteFetch {
        try await self.repeatingCut(try await self.remote.look(at: href))
    }

    private func repeatingCut(_ first: RemoteFetch) async throws(RemoteError) -> RemoteFetch {
        let cut = first.items.filter(\.isCutShort)
        guard !cut.isEmpty else { return first }
        let second = try await self.remote.fetch(cut.map(\.href))
        let whole = second.items.filter { !$0.isCutShort }
        let settled = Set((whole.map(\.href) + second.failures.map(\.href)).map(self.remote.key))
        return RemoteFetch(
            items: first.items.filter { !$0.isCutShort } + whole,
            missing: first.missing,
            failures: first.failures + second.failures,
            // If a resource disappears between two requests, the next run handles it.
            cut: cut.filter { !settled.contains(self.remote.key(of: $0.href)) }
        )
    }

    /// Counts texts that are cut off as failures, and keeps the token so that the next run fetches them again.
    ///
    /// Items with their UIDs are not sent in this run.
    mutating func note(cut items: [RemoteItem]) {
        guard !items.isEmpty else { return }
        self.hasCutTexts = true
        for item in items {
            let error = RemoteError(.refused, CutText(item.href))
            self.report.failures.append(.init(id: nil, href: item.href, error: error))
            if let uid = CalendarObject(ICalendarDocument(item.text))?.uid { self.unsettled.insert(uid.exact) }
        }
    }

    /// Reads the texts: many of them on two cores, since a person waits for a first sync.
    func read(_ items: [RemoteItem]) async -> (objects: [RemoteObject], rejected: [UnreadableItem]) {
        guard items.count >= Self.textsForTwo else { return Self.read(items[...], self.index) }
        let (middle, index) = (items.count / 2, self.index)
        async let rest = Self.read(items[middle...], index)
        let first = Self.read(items[..<middle], index)
        let last = await rest
        return (first.objects + last.objects, first.rejected + last.rejected)
    }

    private static func read(
        _ items: ArraySlice<RemoteItem>,
        _ index: Indexing
    ) -> (objects: [RemoteObject], rejected: [UnreadableItem]) {
        var objects: [RemoteObject] = []
        var rejected: [UnreadableItem] = []
        for item in items {
            let document = ICalendarDocument(item.text)
            if let object = CalendarObject(document), let uid = object.uid {
                objects.append(
                    RemoteObject(href: item.href, etag: item.etag, uid: uid, object: object, index: index(object))
                )
            } else {
                let reason = UnreadableItem.reason(in: document)
                rejected.append(UnreadableItem(href: item.href, etag: item.etag, reason: reason))
            }
        }
        return (objects, rejected)
    }
}

extension RemoteItem {
    /// Whether the text ends before its calendar does.
    ///
    /// A partial text must not be merged or sent as a complete one, and it is no evidence about the resource.
    package var isCutShort: Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let length = (self.text.lastIndex { !blanks.contains($0) } ?? -1) + 1
        // Nearly every text ends so, and need not be parsed.
        if Self.endsCalendar(self.text[..<length]) { return false }
        let start = String(decoding: self.text[..<length].prefix(Self.beginning.utf8.count + 1), as: UTF8.self)
        if Self.beginning.hasPrefix(start.uppercased()) { return true }
        // Something else than a calendar is no answer that was cut off.
        let document = ICalendarDocument(self.text)
        return document.components.last?.name == .vcalendar && document.isCutShort
    }

    private static let beginning = "BEGIN:VCALENDAR"

    private static func endsCalendar(_ text: ArraySlice<UInt8>) -> Bool {
        let end = Array("END:VCALENDAR".utf8)
        return text.count > end.count && text.suffix(end.count).elementsEqual(end)
    }
}

/// The server sent a text twice without its end.
package struct CutText: Error, CustomStringConvertible {
    private let name: String

    init(_ href: Href) { self.name = href.wire.split(separator: "/").last.map(String.init) ?? href.wire }

    /// One sentence.
    package var description: String { "the server sends only the beginning of '\(self.name)'" }
}
