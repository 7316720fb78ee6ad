import RemindavICalendar
import RemindavReminders
import RemindavStore

/// All labels of a store: labels with a stored name and colour, and labels that only reminders have.
struct LabelTable: Sendable {
    private struct Count {
        let name: String
        var open = 0
        var completed = 0
    }

    let known: [LabelKey: Label]
    private var counts: [LabelKey: Count] = [:]

    init(_ snapshot: StoreSnapshot) throws(DatabaseError) {
        self.known = try snapshot.knownLabels()
        // Case folding takes longer than hashing, and the same names occur in many sets.
        var keys: [String: LabelKey] = [:]
        for (labels, isClosed, number) in try snapshot.labelCounts() {
            // An older version may have written two spellings of a label into the index.
            var seen: Set<LabelKey> = []
            for name in labels {
                let key = keys[name] ?? LabelKey(name)
                keys[name] = key
                guard seen.insert(key).inserted else { continue }
                let field: WritableKeyPath<Count, Int> = isClosed ? \.completed : \.open
                self.counts[key, default: Count(name: name)][keyPath: field] += number
            }
        }
    }

    subscript(key: LabelKey) -> LabelView? {
        let (label, count) = (self.known[key], self.counts[key])
        guard let name = label?.name ?? count?.name else { return nil }
        return LabelView(
            id: label?.id,
            name: name,
            color: label?.color ?? .standard,
            open: count?.open ?? 0,
            completed: count?.completed ?? 0,
            createdAt: label?.createdAt,
            updatedAt: label?.updatedAt
        )
    }

    var views: [LabelView] {
        Set(self.known.keys).union(self.counts.keys).sorted { $0.text < $1.text }.compactMap { self[$0] }
    }
}

/// Matches reminders with at least one of the labels, ignoring case; without labels, it matches all reminders.
struct LabelFilter: Sendable {
    private let wanted: Set<LabelKey>

    init(_ labels: [String]) { self.wanted = Set(labels.map { LabelKey($0) }) }

    func matches(_ labels: [String]) -> Bool {
        self.wanted.isEmpty || labels.contains { self.wanted.contains(LabelKey($0)) }
    }
}

extension StoreSnapshot {
    func knownLabels() throws(DatabaseError) -> [LabelKey: Label] {
        Dictionary(try self.labels().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The numbers of the reminders with the label; their texts are read, because the index has no labels of overrides.
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
