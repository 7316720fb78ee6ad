import ICalendar
import Recurrence
import Reminders
import Store
package import TaskFormats
import Web

package enum ExportState: Sendable {
    case all, open
    case completed
}

private struct ExportSelection {
    let list: String?
    let state: ExportState
    private let labels: LabelFilter
    let isWhole: Bool

    init(list: String?, labels: [String], state: ExportState) {
        self.list = list
        self.state = state
        self.labels = LabelFilter(labels)
        self.isWhole = labels.isEmpty && state == .all
    }

    func matches(_ index: ObjectIndex) -> Bool {
        let isWanted =
            switch self.state {
            case .all: true
            case .open: !index.status.isClosed
            case .completed: index.status.isClosed
            }
        return isWanted && self.labels.matches(index.labels)
    }
}

extension StoreSnapshot {
    fileprivate func listID(of selection: ExportSelection) throws -> ListID? {
        try selection.list.map { try self.list(named: $0).id }
    }

    fileprivate func rows(of selection: ExportSelection) throws -> [ObjectRow] {
        try self.rows(in: self.listID(of: selection)).filter { selection.matches($0.index) }
    }

    /// The labels of an export; an export of some reminders contains only the labels of these reminders.
    fileprivate func labels(of selection: ExportSelection) throws -> [Label] {
        let known = try self.labels()
        guard !known.isEmpty, selection.list != nil || !selection.isWhole else { return known }
        let used = Set(try self.rows(of: selection).flatMap { $0.index.labels.map { LabelKey($0) } })
        return known.filter { used.contains($0.key) }
    }

    fileprivate func forEachSource(of selection: ExportSelection, _ body: ([UInt8]) throws -> Void) throws {
        var failure: (any Error)?
        try self.forEachObject(in: self.listID(of: selection)) { record in
            guard selection.matches(record.index) else { return true }
            do {
                try body(record.source)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// The exported lists, the oldest first; only those of the reminders `entries`, or all lists if it is `nil`.
    fileprivate func exportedLists(_ list: ListID?, with entries: [ExportEntry]?) throws -> [ImportedList] {
        let used = entries.map { Set($0.map(\.list)) }
        let standard = try self.usableDefaultList(nil)
        return try self.lists().sorted { $0.id < $1.id }
            .filter { list == $0.id || list == nil && used?.contains($0.id) ?? true }
            .map { ImportedList(name: $0.name, color: $0.color, isDefault: $0.id == standard?.id) }
    }

    fileprivate func parents(in list: ListID?) throws(DatabaseError) -> [ObjectID: String] {
        var parents: [ObjectID: String] = [:]
        try self.forEachRelatedObject(in: list) { record in
            if let parent = Reminder(ICalendarDocument(record.source))?.todo.parentUID { parents[record.id] = parent }
        }
        return parents
    }
}

extension UseCases {
    fileprivate static let exportPieceBytes = 1 << 16

    /// Writes to-dos with their stored bytes as one iCalendar file, in the order of their numbers; returns the count.
    package func exportCalendar(
        list: String?,
        labels: [String],
        state: ExportState = .all,
        style: ExportStyle,
        write: ([UInt8]) throws -> Void
    ) throws -> Int {
        let selection = ExportSelection(list: list, labels: labels, state: state)
        let zones = self.configuration.zones
        return try self.store.read { snapshot in
            switch style {
            case .todo:
                let lines = try snapshot.labels(of: selection).map { LabelUpdate.line($0) }
                var stream = TodoStream(header: lines, isWellKnown: { zones.rules(named: $0) != nil })
                try snapshot.forEachSource(of: selection) { source in
                    stream.add(source)
                    if let piece = stream.piece() { try write(piece) }
                }
                try write(stream.end())
                return stream.count
            case .event:
                var objects: [CalendarObject] = []
                try snapshot.forEachSource(of: selection) { source in
                    if let object = CalendarObject(ICalendarDocument(source)) { objects.append(object) }
                }
                // The file is for the owner of the store, so private reminders are complete.
                let content = FeedContent(name: list ?? Self.firstListName, objects: objects, showsPrivate: true)
                let feed = EventFeed(content, zones: zones, localZone: self.configuration.localZone)
                try write(feed.bytes)
                return feed.count
            }
        }
    }

    /// Writes reminders as JSON, CSV or Markdown, and returns their number.
    ///
    /// The order is list, due time, title, UID. Reminders without a due time come last. In Markdown, a reminder follows
    /// its parent.
    ///
    /// - Parameter words: formats an RRULE value as text for users.
    package func exportReminders(
        as form: ExportForm,
        list: String?,
        labels: [String],
        state: ExportState,
        words: @escaping @Sendable (_ rule: String) -> String,
        write: ([UInt8]) throws -> Void
    ) throws -> Int {
        let reader = self.reader
        let selection = ExportSelection(list: list, labels: labels, state: state)
        return try self.store.read { snapshot in
            let names = try snapshot.listNames()
            let list = try snapshot.listID(of: selection)
            let entries = try snapshot.rows(of: selection).map { row in
                ExportEntry(id: row.id, list: row.list, view: reader.view(row, list: names[row.list] ?? ""))
            }.sorted { $0.precedes($1) }
            let order =
                form == .markdown
                ? ExportTree(entries, parents: try snapshot.parents(in: list)).order
                : entries.map { (id: $0.id, depth: 0) }
            var writer = ExportWriter(
                form,
                lists: try snapshot.exportedLists(list, with: selection.isWhole ? nil : entries),
                labels: try snapshot.labels(of: selection).map { label in
                    ImportedLabel(name: label.name, id: label.id, color: label.color.hex, updatedAt: label.updatedAt)
                },
                words: words
            )
            var pending = writer.beginning
            for (id, depth) in order {
                guard let record = try snapshot.object(id) else { continue }
                pending += writer.text(reader.exported(record, list: names[record.list] ?? ""), depth: depth)
                if pending.count >= Self.exportPieceBytes {
                    try write(pending)
                    pending.removeAll(keepingCapacity: true)
                }
            }
            try write(pending + writer.end)
            return writer.count
        }
    }
}

/// Joins to-dos into one iCalendar file; to-dos keep their bytes, and each zone is defined once.
private struct TodoStream {
    private(set) var count = 0
    private var zones: [String: Component] = [:]
    private var pending: [UInt8] = []
    /// Whether the time zone database has a zone of this name; all definitions of the name then mean the same zone.
    private let isWellKnown: (String) -> Bool

    init(header: [ContentLine], isWellKnown: @escaping (String) -> Bool) {
        self.isWellKnown = isWellKnown
        self.begin(header)
    }

    private mutating func begin(_ header: [ContentLine] = []) {
        let lines = [
            ContentLine(.begin, value: "VCALENDAR"), ContentLine(.version, value: "2.0"),
            ContentLine(.prodid, text: Reminder.productIdentifier),
        ]
        self.pending += (lines + header).flatMap { $0.bytes() }
    }

    mutating func add(_ source: [UInt8]) {
        guard let object = CalendarObject(ICalendarDocument(source)) else { return }
        let zones = object.document.all(.vtimezone).compactMap { zone in zone.first(.tzid).map { ($0.text, zone) } }
        // Outlook names every custom zone "Customized Time Zone". A different zone with a name that is in use begins a
        // new VCALENDAR.
        let isClash = zones.contains { name, zone in
            self.zones[name].map { known in
                known.bytes != zone.bytes && !self.isWellKnown(name) && known.meaning() != zone.meaning()
            } ?? false
        }
        if isClash {
            self.pending += ContentLine(.end, value: "VCALENDAR").bytes()
            self.zones = [:]
            self.begin()
        }
        for (name, zone) in zones where self.zones[name] == nil {
            self.zones[name] = zone
            self.pending += zone.bytes
        }
        for todo in object.todos { self.pending += todo.bytes }
        self.count += 1
    }

    mutating func piece() -> [UInt8]? {
        guard self.pending.count >= UseCases.exportPieceBytes else { return nil }
        defer { self.pending.removeAll(keepingCapacity: true) }
        return self.pending
    }

    func end() -> [UInt8] { self.pending + ContentLine(.end, value: "VCALENDAR").bytes() }
}

private struct ExportEntry {
    let id: ObjectID
    let list: ListID
    let view: ReminderView

    func precedes(_ other: Self) -> Bool {
        if self.view.list != other.view.list { return self.view.list < other.view.list }
        let (mine, theirs) = (self.view.dueInstant, other.view.dueInstant)
        if mine != theirs {
            guard let mine, let theirs else { return mine != nil }
            return mine < theirs
        }
        if self.view.title != other.view.title { return self.view.title < other.view.title }
        return (self.view.uid, self.id.rawValue) < (other.view.uid, other.id.rawValue)
    }
}

/// The order of a Markdown checklist: each reminder is below its parent, if the export contains the parent.
private struct ExportTree {
    private(set) var order: [(id: ObjectID, depth: Int)] = []

    init(_ entries: [ExportEntry], parents: [ObjectID: String]) {
        struct Key: Hashable {
            let list: ListID
            let uid: String
        }
        let present = Set(entries.map { Key(list: $0.list, uid: $0.view.uid) })
        var children: [Key: [ExportEntry]] = [:]
        var roots: [ExportEntry] = []
        for entry in entries {
            if let parent = parents[entry.id].map({ Key(list: entry.list, uid: $0) }), present.contains(parent) {
                children[parent, default: []].append(entry)
            } else {
                roots.append(entry)
            }
        }
        var seen: Set<ObjectID> = []
        // Reminders in a cycle of parents have no root, so the first of them becomes the root.
        for root in roots + entries where !seen.contains(root.id) {
            var waiting = [(entry: root, depth: 0)]
            while let (entry, depth) = waiting.popLast() {
                guard seen.insert(entry.id).inserted else { continue }
                self.order.append((entry.id, depth))
                let inner = children[Key(list: entry.list, uid: entry.view.uid)] ?? []
                waiting += inner.reversed().map { ($0, depth + 1) }
            }
        }
    }
}

extension ReminderReader {
    func exported(_ record: ObjectRecord, list: String) -> ExportedReminder {
        let text = Reminder(ICalendarDocument(record.source))
        let view = self.view(record, of: text, list: list)
        var reminder = ExportedReminder(
            uid: view.uid,
            list: list,
            title: view.title,
            status: view.status.rawValue,
            priority: view.priority.rawValue
        )
        reminder.notes = view.notes
        reminder.due = view.due
        reminder.dueZone = view.dueZone
        reminder.allDay = view.allDay
        reminder.start = view.start
        reminder.repeatRule = view.repeatRule
        reminder.completedAt = view.completedAt
        reminder.snoozedUntil = view.snoozedUntil
        reminder.labels = view.labels
        reminder.alarms = view.alarms
        reminder.createdAt = view.createdAt
        reminder.updatedAt = view.updatedAt
        reminder.source = String(validating: record.source, as: UTF8.self)
        reminder.parent = text?.todo.parentUID
        for (name, property) in ReminderField.lineProperties {
            reminder.lines[name] = text?.todo.text(of: property)
        }
        return reminder
    }
}

extension Component {
    /// The UID of the parent: the first RELATED-TO with RELTYPE=PARENT or without RELTYPE (RFC 5545 §3.2.15).
    fileprivate var parentUID: String? {
        self.all(.relatedTo).first { ($0.parameter(.reltype) ?? "PARENT").uppercased() == "PARENT" }?.text
            .trimmingSpaces
    }
}
