import ICalendar
import Store

// The texts of the server, read.
extension SyncExecutor {
    /// So many texts take longer to read than another thread to begin.
    static let textsForTwo = 500

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
            // Half a text would be merged, and written out before another, as if it were whole.
            if !document.isCutShort, let object = CalendarObject(document), let uid = object.uid {
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
