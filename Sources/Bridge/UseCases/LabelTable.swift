import ICalendar
import Reminders
import Store

/// All labels of a store: those of which a name and a colour are kept, and those that reminders just have.
struct LabelTable: Sendable {
    fileprivate struct Count {
        /// As the first reminder spells it.
        var name: String
        var open = 0
        var completed = 0
    }

    /// The labels of which more is known than the name.
    private(set) var known: [LabelKey: Label]
    fileprivate var counts: [LabelKey: Count] = [:]

    init(_ snapshot: StoreSnapshot) throws(DatabaseError) {
        self.known = try snapshot.knownLabels()
        for row in try snapshot.rows() where !row.index.labels.isEmpty {
            let isClosed = row.index.isClosed
            // The index of an older program may hold two spellings of one.
            var seen: Set<LabelKey> = []
            for name in row.index.labels {
                let key = LabelKey(name)
                guard seen.insert(key).inserted else { continue }
                self.counts[key, default: Count(name: name)].count(isClosed)
            }
        }
    }

    /// The label of that name in any spelling; `nil` when there is none.
    subscript(key: LabelKey) -> LabelView? {
        let count = self.counts[key]
        if let label = self.known[key] {
            return LabelView(
                id: label.id,
                name: label.name,
                color: label.color,
                open: count?.open ?? 0,
                completed: count?.completed ?? 0,
                createdAt: label.createdAt,
                updatedAt: label.updatedAt
            )
        }
        guard let count else { return nil }
        return LabelView(
            id: nil,
            name: count.name,
            color: .standard,
            open: count.open,
            completed: count.completed,
            createdAt: nil,
            updatedAt: nil
        )
    }

    /// All of them, by name.
    var views: [LabelView] {
        Set(self.known.keys).union(self.counts.keys).sorted { $0.text < $1.text }.compactMap { self[$0] }
    }
}

extension LabelTable.Count {
    fileprivate mutating func count(_ isClosed: Bool) {
        if isClosed { self.completed += 1 } else { self.open += 1 }
    }
}

extension StoreSnapshot {
    func knownLabels() throws(DatabaseError) -> [LabelKey: Label] {
        Dictionary(try self.labels().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The reminders that have a label in any of their to-dos, by number.
    ///
    /// What the index has not may be in an override, so the texts are asked.
    func carriers(of label: LabelKey) throws(DatabaseError) -> [ObjectID] {
        var found: [ObjectID] = []
        try self.forEachObject { record in
            let isIndexed = record.index.labels.contains { LabelKey($0) == label }
            if isIndexed || Reminder(ICalendarDocument(record.source))?.has(label) ?? false { found.append(record.id) }
            return true
        }
        return found
    }
}
