import ICalendar
import Reminders
import Store

/// What somebody says of a label: a file, or another machine.
struct LabelUpdate: Hashable, Sendable {
    let name: String
    /// `nil` for a label that is deleted.
    let color: LabelColor?
    /// When this was so, seconds since 1970.
    var updatedAt: Int64
    /// The label's UUID, where it is said.
    var id: String?

    /// Whether it is the last word: the later one; of two of the same second any, but everywhere the same.
    func isLater(than other: Self) -> Bool {
        (self.updatedAt, self.color?.hex ?? "", self.name) > (other.updatedAt, other.color?.hex ?? "", other.name)
    }
}

extension LabelUpdate {
    /// Letters that a name of a file or a server may have: five times as many as any person may give.
    static let longestName = 5 * Label.longestName

    /// Whether the label can be called so: what has control characters or no end is not a name.
    var isAcceptable: Bool {
        self.name.count <= Self.longestName
            && self.name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whether both say the same, whenever.
    func saysTheSame(as other: Self) -> Bool { self.name == other.name && self.color == other.color }

    /// The same, of now at the latest: the word of a clock that is ahead would win for ever.
    ///
    /// - Parameter now: seconds since 1970.
    func notAhead(of now: Int64) -> Self {
        var word = self
        word.updatedAt = min(word.updatedAt, now)
        return word
    }
}

/// What is said of several labels, by their keys.
typealias LabelUpdates = [LabelKey: LabelUpdate]

extension LabelUpdates {
    /// Words that are read of one file or one server: nobody tells more labels apart.
    static let limit = 1000

    /// Adds a word; of two about one label the later one stays, and one about a name that is none is left out.
    mutating func take(_ word: LabelUpdate) {
        guard word.isAcceptable else { return }
        let key = LabelKey(word.name)
        guard !key.text.isEmpty else { return }
        if let known = self[key] {
            if word.isLater(than: known) { self[key] = word }
        } else if self.count < Self.limit {
            self[key] = word
        }
    }

    /// Both together; of two words about one label the later one.
    func merged(with other: Self) -> Self {
        self.merging(other) { mine, theirs in theirs.isLater(than: mine) ? theirs : mine }
    }
}

// MARK: In a file

extension LabelUpdate {
    /// A line of a VCALENDAR: `X-REMINDAV-LABEL;X-COLOR=#FF5722;X-ID=…;X-UPDATED=20261122T090000Z:Work`.
    ///
    /// It stands beside the reminders and not in them, whose text is not ours to fill.
    static func line(_ label: Label) -> ContentLine {
        let parameters = [
            Parameter(.labelColor, label.color.hex), Parameter(.labelID, label.id),
            Parameter(.labelUpdated, CalendarDateTime(utc: label.updatedAt).wire),
        ]
        return ContentLine(.label, parameters, text: label.name)
    }

    /// Reads such a line; `nil` when it says no name, no colour or no time.
    init?(line: [UInt8]) {
        let calendar = Array("BEGIN:VCALENDAR\r\n".utf8) + line + Array("END:VCALENDAR\r\n".utf8)
        guard let property = ICalendarDocument(calendar).components.first?.first(.label),
            let color = property.parameter(.labelColor).flatMap({ LabelColor($0) }),
            let wire = property.parameter(.labelUpdated),
            case .dateTime(let time) = CalendarDateOrDateTime(wire: wire, tzid: nil), time.zone == .utc
        else { return nil }
        self.init(
            name: property.text.trimmingSpaces,
            color: color,
            updatedAt: time.localSeconds,
            id: property.parameter(.labelID)
        )
    }
}

// MARK: In the store

extension StoreSnapshot {
    /// What this store says of its labels.
    func labelUpdates() throws(DatabaseError) -> LabelUpdates {
        var words: LabelUpdates = [:]
        for deleted in try self.deletedLabels() {
            words[LabelKey(deleted.name)] = LabelUpdate(name: deleted.name, color: nil, updatedAt: deleted.deletedAt)
        }
        for label in try self.labels() {
            words[label.key] = LabelUpdate(
                name: label.name,
                color: label.color,
                updatedAt: label.updatedAt.secondsSince1970
            )
        }
        return words
    }
}

extension StoreTransaction {
    /// Takes over what is said of labels, where it is later than what is known of them.
    ///
    /// No time to come is kept, neither of what is said nor of what was known. A store that has ``LabelUpdates/limit``
    /// labels takes no further ones.
    ///
    /// - Parameters:
    ///   - bringsBack: whether a label that was deleted here is one again, whenever that was.
    ///   - now: seconds since 1970.
    ///   - newID: a UUID for a label without one.
    /// - Returns: how many labels are different now.
    func take(
        _ words: LabelUpdates,
        bringsBack: Bool,
        at now: Int64,
        newID: () -> String
    ) throws(DatabaseError) -> Int {
        let known = try self.knownLabels()
        let mine = try self.settledLabelUpdates(at: now)
        var ids = Set(known.values.map(\.id))
        var room = (labels: LabelUpdates.limit - known.count, deleted: LabelUpdates.limit - (mine.count - known.count))
        var count = 0
        for (key, said) in words.sorted(by: { $0.key.text < $1.key.text }) {
            let label = known[key]
            let word = said.notAhead(of: now)
            if let own = mine[key], label != nil || !bringsBack {
                if !word.isLater(than: own) || word != said && word.saysTheSame(as: own) { continue }
            }
            let time = Instant(secondsSince1970: word.updatedAt)
            if let color = word.color {
                if label == nil {
                    guard room.labels > 0 else { continue }
                    room.labels -= 1
                }
                let itsOwn = word.id.flatMap { $0.isUUID && !ids.contains($0) ? $0 : nil }
                let id = label?.id ?? itsOwn ?? newID()
                ids.insert(id)
                try self.save(
                    Label(id: id, known: word.name, color: color, createdAt: label?.createdAt ?? time, updatedAt: time)
                )
            } else if let label {
                try self.delete(label, at: word.updatedAt)
            } else {
                if mine[key] == nil {
                    guard room.deleted > 0 else { continue }
                    room.deleted -= 1
                }
                try self.remember(DeletedLabel(name: word.name, deletedAt: word.updatedAt))
                continue
            }
            count += 1
        }
        return count
    }

    /// What this store says of its labels, after what a clock that was ahead wrote into it is of now.
    private func settledLabelUpdates(at now: Int64) throws(DatabaseError) -> LabelUpdates {
        let stored = try self.labelUpdates()
        let settled = stored.mapValues { $0.notAhead(of: now) }
        guard settled != stored else { return stored }
        let time = Instant(secondsSince1970: now)
        for label in try self.labels() where label.updatedAt.secondsSince1970 > now {
            try self.save(
                Label(id: label.id, known: label.name, color: label.color, createdAt: label.createdAt, updatedAt: time)
            )
        }
        for deleted in try self.deletedLabels() where deleted.deletedAt > now {
            try self.remember(DeletedLabel(name: deleted.name, deletedAt: now))
        }
        return settled
    }
}

extension String {
    /// Whether it is a UUID as it is usually spelled: nothing else that a file says becomes a number here.
    fileprivate var isUUID: Bool {
        let groups = self.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && self.unicodeScalars.allSatisfy { $0 == "-" || $0.isASCII && $0.properties.isASCIIHexDigit }
    }
}
