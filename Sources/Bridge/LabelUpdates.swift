import RemindavICalendar
import RemindavReminders
import RemindavResources
import RemindavStore

/// Name and colour of a label at some time, from a file, from another machine or from this store.
struct LabelUpdate: Hashable, Sendable {
    let name: String
    /// The colour; `nil` for a deleted label.
    let color: LabelColor?
    /// The time of the last change, in seconds since 1970.
    var updatedAt: Int64
    var id: String?

    /// Whether the update is later; for equal times, the order is arbitrary, but the same on all machines.
    func isLater(than other: Self) -> Bool {
        (self.updatedAt, self.color?.hex ?? "", self.name) > (other.updatedAt, other.color?.hex ?? "", other.name)
    }

    /// The maximum number of characters in a received name, five times as many as a user may enter.
    static let longestName = 5 * Label.longestName

    var isAcceptable: Bool {
        self.name.count <= Self.longestName && !LabelKey(self.name).text.isEmpty
            && KeyLimits.allows(LabelKey(self.name).text)
            && self.name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    func hasSameContent(as other: Self) -> Bool { self.name == other.name && self.color == other.color }

    /// The update with its time limited to `now`, in seconds since 1970, so that a machine with a fast clock does not
    /// always win.
    func notAhead(of now: Int64) -> Self {
        var update = self
        update.updatedAt = min(update.updatedAt, now)
        return update
    }
}

typealias LabelUpdates = [LabelKey: LabelUpdate]

extension LabelUpdates {
    /// The maximum number of updates from one file or one server.
    static let limit = 1000

    /// Adds an update if its name is valid; of two updates of a label, only the later one stays.
    mutating func add(_ update: LabelUpdate) {
        guard update.isAcceptable else { return }
        let key = LabelKey(update.name)
        if let known = self[key] {
            if update.isLater(than: known) { self[key] = update }
        } else if self.count < Self.limit {
            self[key] = update
        }
    }

    func merged(with other: Self) -> Self {
        self.merging(other) { mine, theirs in theirs.isLater(than: mine) ? theirs : mine }
    }
}

// MARK: In a file

extension LabelUpdate {
    /// A content line of a VCALENDAR: `X-REMINDAV-LABEL;X-COLOR=#FF5722;X-ID=…;X-UPDATED=20261122T090000Z:Work`.
    ///
    /// The line is outside the VTODOs, because an export must not change the text of a reminder.
    static func line(_ label: Label) -> ContentLine {
        let parameters = [
            Parameter(.labelColor, label.color.hex), Parameter(.labelID, label.id),
            Parameter(.labelUpdated, CalendarDateTime(utc: label.updatedAt).wire),
        ]
        return ContentLine(.label, parameters, text: label.name)
    }

    /// Reads a line that ``line(_:)`` wrote; `nil` if the name, the colour or the time is missing.
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
    /// The labels of this store, including deleted labels.
    func labelUpdates() throws(DatabaseError) -> LabelUpdates {
        var updates: LabelUpdates = [:]
        for deleted in try self.deletedLabels() {
            updates[LabelKey(deleted.name)] = LabelUpdate(name: deleted.name, color: nil, updatedAt: deleted.deletedAt)
        }
        for label in try self.labels() {
            let seconds = label.updatedAt.secondsSince1970
            updates[label.key] = LabelUpdate(name: label.name, color: label.color, updatedAt: seconds)
        }
        return updates
    }
}

extension StoreTransaction {
    /// Applies the updates that are later than those of this store's labels.
    ///
    /// Future times are replaced by `now` in the updates and in the stored labels. A store with ``LabelUpdates/limit``
    /// labels gets no new labels.
    ///
    /// - Parameters:
    ///   - restoresDeleted: whether a label that was deleted here is created again, regardless of the times.
    ///   - now: the current time in seconds since 1970.
    ///   - newID: returns a UUID for a label without one.
    /// - Returns: the number of changed labels.
    func apply(
        _ updates: LabelUpdates,
        restoresDeleted: Bool,
        at now: Int64,
        newID: () -> String
    ) throws(DatabaseError) -> Int {
        let known = try self.knownLabels()
        let mine = try self.correctedLabelUpdates(at: now)
        var ids = Set(known.values.map(\.id))
        var room = (labels: LabelUpdates.limit - known.count, deleted: LabelUpdates.limit - (mine.count - known.count))
        var count = 0
        for (key, received) in updates.sorted(by: { $0.key.text < $1.key.text }) {
            let label = known[key]
            let update = received.notAhead(of: now)
            if let own = mine[key], label != nil || !restoresDeleted {
                if !update.isLater(than: own) || update != received && update.hasSameContent(as: own) { continue }
            }
            let time = Instant(secondsSince1970: update.updatedAt)
            if let color = update.color {
                if label == nil {
                    guard room.labels > 0 else { continue }
                    room.labels -= 1
                }
                let givenID = update.id.flatMap { $0.isUUID && !ids.contains($0) ? $0 : nil }
                let id = label?.id ?? givenID ?? newID()
                ids.insert(id)
                let created = label?.createdAt ?? time
                try self.save(Label(id: id, known: update.name, color: color, createdAt: created, updatedAt: time))
            } else if let label {
                try self.delete(label, at: update.updatedAt)
            } else {
                if mine[key] == nil {
                    guard room.deleted > 0 else { continue }
                    room.deleted -= 1
                }
                try self.remember(DeletedLabel(name: update.name, deletedAt: update.updatedAt))
                continue
            }
            count += 1
        }
        return count
    }

    /// Sets future times of the stored labels to now, and returns the labels.
    private func correctedLabelUpdates(at now: Int64) throws(DatabaseError) -> LabelUpdates {
        let stored = try self.labelUpdates()
        let corrected = stored.mapValues { $0.notAhead(of: now) }
        guard corrected != stored else { return stored }
        let time = Instant(secondsSince1970: now)
        for label in try self.labels() where label.updatedAt.secondsSince1970 > now {
            try self.save(
                Label(id: label.id, known: label.name, color: label.color, createdAt: label.createdAt, updatedAt: time)
            )
        }
        for deleted in try self.deletedLabels() where deleted.deletedAt > now {
            try self.remember(DeletedLabel(name: deleted.name, deletedAt: now))
        }
        return corrected
    }
}

extension String {
    /// Whether the text has the usual form of a UUID; an identifier of another form in a file is ignored.
    fileprivate var isUUID: Bool {
        let groups = self.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && self.unicodeScalars.allSatisfy { $0 == "-" || $0.isASCII && $0.properties.isASCIIHexDigit }
    }
}
