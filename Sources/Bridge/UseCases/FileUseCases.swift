import ICalendar
import Recurrence
import Reminders
import Store
import Web

extension UseCases {
    /// Writes reminders as one iCalendar stream, each to-do exactly as it is stored, in the order in which they came here.
    ///
    /// - Parameters:
    ///   - state: which of them, by whether they are done.
    ///   - write: takes the stream piece by piece.
    /// - Returns: how many reminders were written.
    package func exportCalendar(
        list name: String?,
        labels: [String],
        state: ExportState = .all,
        style: ExportStyle,
        write: ([UInt8]) throws -> Void
    ) throws -> Int {
        switch style {
        case .todo:
            let zones = self.configuration.zones
            let lines = try self.exportedLabels(list: name, labels: labels, state: state).map { LabelUpdate.line($0) }
            var stream = TodoStream(header: lines, isWellKnown: { zones.rules(named: $0) != nil })
            try self.forEachSource(list: name, labels: labels, state: state) { source in
                stream.add(source)
                if let piece = stream.piece() { try write(piece) }
            }
            try write(stream.end())
            return stream.count
        case .event:
            var objects: [CalendarObject] = []
            try self.forEachSource(list: name, labels: labels, state: state) { source in
                if let object = CalendarObject(ICalendarDocument(source)) { objects.append(object) }
            }
            // All of a private reminder is exported: the file is for its owner.
            let content = FeedContent(name: name ?? Self.firstListName, objects: objects, showsPrivate: true)
            let feed = EventFeed(
                content,
                zones: self.configuration.zones,
                localZone: self.configuration.localZone
            )
            try write(feed.bytes)
            return feed.count
        }
    }

    /// The labels that go along: all that are known, or of a part of the reminders those that it has.
    func exportedLabels(list name: String?, labels: [String], state: ExportState) throws -> [Label] {
        try self.store.read { snapshot in
            let known = try snapshot.labels()
            guard !known.isEmpty, name != nil || !labels.isEmpty || state != .all else { return known }
            let filter = LabelFilter(labels)
            var carried: Set<LabelKey> = []
            for row in try snapshot.rows(in: try name.map { try snapshot.list(named: $0).id })
            where filter.matches(row.index.labels) && state.matches(row.index) {
                carried.formUnion(row.index.labels.map { LabelKey($0) })
            }
            return known.filter { carried.contains($0.key) }
        }
    }

    /// Visits the texts of a list's reminders that have one of the labels and that state, in one reading of the store.
    private func forEachSource(
        list name: String?,
        labels: [String],
        state: ExportState,
        _ body: ([UInt8]) throws -> Void
    ) throws {
        let labels = LabelFilter(labels)
        var failure: (any Error)?
        try self.store.read { snapshot in
            let list = try name.map { try snapshot.list(named: $0).id }
            try snapshot.forEachObject(in: list) { record in
                guard labels.matches(record.index.labels), state.matches(record.index) else { return true }
                do {
                    try body(record.source)
                } catch {
                    failure = error
                }
                return failure == nil
            }
        }
        if let failure { throw failure }
    }

    /// The stream in its canonical form: order, folding and line ends are one, the content is as it was.
    ///
    /// - Parameters:
    ///   - name: what messages call the file.
    ///   - write: takes it piece by piece.
    /// - Returns: whether the stream is whole; one that ends in the middle is written as far as it goes.
    package static func format(
        _ bytes: [UInt8],
        named name: String,
        write: ([UInt8]) throws -> Void
    ) throws -> Bool {
        let document = ICalendarDocument(bytes)
        guard document.isICalendar else { throw UseCaseError.noCalendar(bytes, named: name) }
        try document.reformat(write)
        return !document.isCutShort
    }
}

/// To-dos as one stream, each exactly as it is stored, and each zone once.
private struct TodoStream {
    private(set) var count = 0
    /// The zones of the VCALENDAR that is being written.
    private var zones: [String: Component] = [:]
    private var pending: [UInt8] = []
    /// Whether a zone means the same whoever defines it.
    private let isWellKnown: (String) -> Bool

    /// Bytes that are collected before they are written.
    private static let pieceBytes = 1 << 16

    /// - Parameter header: lines for the first VCALENDAR.
    init(header: [ContentLine], isWellKnown: @escaping (String) -> Bool) {
        self.isWellKnown = isWellKnown
        self.begin()
        self.pending += header.flatMap { $0.bytes() }
    }

    private mutating func begin() {
        let lines = [
            ContentLine(.begin, value: "VCALENDAR"), ContentLine(.version, value: "2.0"),
            ContentLine(.prodid, text: Reminder.productIdentifier),
        ]
        self.pending += lines.flatMap { $0.bytes() }
    }

    mutating func add(_ source: [UInt8]) {
        guard let object = CalendarObject(ICalendarDocument(source)) else { return }
        let zones = object.document.all(.vtimezone).compactMap { zone in zone.first(.tzid).map { ($0.text, zone) } }
        // Outlook calls every zone of a person's own making "Customized Time Zone": another one needs another calendar.
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

    /// What has been collected, when it is worth writing; it is then forgotten here.
    mutating func piece() -> [UInt8]? {
        guard self.pending.count >= Self.pieceBytes else { return nil }
        defer { self.pending.removeAll(keepingCapacity: true) }
        return self.pending
    }

    /// The rest of the stream.
    func end() -> [UInt8] { self.pending + ContentLine(.end, value: "VCALENDAR").bytes() }
}
