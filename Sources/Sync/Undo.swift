package import RemindavICalendar
package import RemindavReminders
package import RemindavStore

package enum UndoStep: Sendable {
    /// The reminder gets this text; the properties in `kept` were changed again later and are not undone.
    ///
    /// `isMerged` states whether properties that the change did not touch were changed later; these keep their values.
    case rewrite(Reminder, kept: [PropertyConflict], isMerged: Bool)
    case delete
    /// The deleted reminder is created again with this text.
    case restore(Reminder)
    /// The reminder moves back to its former list.
    case move
    /// The reminder already has its state from before the change.
    case alreadyApplied
    case impossible(UndoObstacle)
}

package enum UndoObstacle: Hashable, Sendable {
    /// The reminder's former list was deleted.
    case listGone
    case listReadOnly
    /// The reminder was added by the change, and was changed later.
    case changedSince
    /// All properties of the change were changed again later.
    case changedAgain
    /// The reminder was changed, and then deleted.
    case reminderGone
    /// The journal does not contain the reminder's former text.
    case textUnknown
    /// The former list contains another reminder with the same UID.
    case uidTaken
    /// The server had the reminder before the first sync of its list.
    case thereBefore
}

/// Undoes one change that a sync or a user made.
///
/// Later edits are not undone. The undo counts as an edit by the user, so the next sync sends it. If there are no later
/// edits and the server has no later version, the reminder gets the exact bytes of its former text. Otherwise, the text
/// gets new time stamps, so that it is newer than the server's version.
package struct Undo: Sendable {
    package let change: ChangeNote
    /// The first text of the reminder, if the change added the reminder; `nil` if unknown, or for other changes.
    package let added: [UInt8]?
    /// The present text; `nil` when the reminder is deleted.
    package let current: [UInt8]?
    /// The list of the reminder, or the list that will get it again; `nil` when that list was deleted.
    package let list: ListRecord?
    /// The list from which the reminder was moved; `nil` when that list was deleted, or for other kinds of changes.
    package let origin: ListRecord?
    /// The base; `nil` when the server is not known to have the reminder, or the list has no server.
    package let agreed: [UInt8]?
    /// Whether the reminder was deleted on the server after the change, so that an undo sends it as new.
    package let wasDeletedThere: Bool

    package init(
        change: ChangeNote,
        added: [UInt8]?,
        current: [UInt8]?,
        list: ListRecord?,
        origin: ListRecord? = nil,
        agreed: [UInt8]? = nil,
        wasDeletedThere: Bool = false
    ) {
        self.change = change
        self.added = added
        self.current = current
        self.list = list
        self.origin = origin
        self.agreed = agreed
        self.wasDeletedThere = wasDeletedThere
    }

    /// Decides which step undoes the change.
    ///
    /// If the text was changed again later, a merge restores the former text. The text after the change is the base,
    /// the text before the change is the local side, and the present text is the remote side, which wins each conflict.
    package func step(in context: EditingContext) -> UndoStep {
        switch self.change.kind {
        case .added: self.takingAway
        case .deleted: self.puttingBack(in: context)
        case .changed, .merged: self.changingBack(in: context)
        case .moved: self.movingBack
        }
    }

    private var movingBack: UndoStep {
        guard self.current != nil else { return .impossible(.reminderGone) }
        guard let list = self.list, let origin = self.origin else { return .impossible(.listGone) }
        guard list.id != origin.id else { return .alreadyApplied }
        return list.isReadOnly || origin.isReadOnly ? .impossible(.listReadOnly) : .move
    }

    private var takingAway: UndoStep {
        guard let current = self.current.flatMap(Self.read) else { return .alreadyApplied }
        guard !self.change.wasThereBefore else { return .impossible(.thereBefore) }
        guard let list = self.list, !list.isReadOnly else { return .impossible(.listReadOnly) }
        // A dismissed notification is no edit of the new reminder.
        guard let added = self.added.flatMap(Self.read), added.unacknowledgedMeaning == current.unacknowledgedMeaning
        else {
            return .impossible(.changedSince)
        }
        return .delete
    }

    private func puttingBack(in context: EditingContext) -> UndoStep {
        guard self.current == nil else { return .alreadyApplied }
        guard let list = self.list else { return .impossible(.listGone) }
        guard !list.isReadOnly else { return .impossible(.listReadOnly) }
        guard let text = self.change.before, let reminder = Reminder(ICalendarDocument(text)) else {
            return .impossible(.textUnknown)
        }
        let mayStand = !self.wasDeletedThere && self.mayStand(reminder.object)
        return .restore(mayStand ? reminder : reminder.restamped(in: context))
    }

    private func changingBack(in context: EditingContext) -> UndoStep {
        guard let current = self.current.flatMap(Self.read) else { return .impossible(.reminderGone) }
        guard let list = self.list, !list.isReadOnly else { return .impossible(.listReadOnly) }
        guard let before = self.change.before.flatMap(Self.read), let after = self.change.after.flatMap(Self.read)
        else { return .impossible(.textUnknown) }
        let isUntouched = current.document.bytes == after.document.bytes
        if isUntouched, before.document.bytes != current.document.bytes, self.mayStand(before),
            let former = Reminder(before.document)
        {
            return .rewrite(former, kept: [], isMerged: false)
        }
        if isUntouched || current.unstampedMeaning == after.unstampedMeaning, let former = Reminder(before.document) {
            guard before.unstampedMeaning != current.unstampedMeaning else { return .alreadyApplied }
            return .rewrite(former.restamped(in: context, over: current), kept: [], isMerged: false)
        }
        let result = ThreeWayMerge.merge(base: after, local: before, remote: current, policy: .server)
        guard let merged = Reminder(result.document), merged.object.unstampedMeaning != current.unstampedMeaning else {
            return result.conflicts.isEmpty ? .alreadyApplied : .impossible(.changedAgain)
        }
        let restored = merged.restamped(in: context, over: current)
        return .rewrite(
            restored,
            kept: result.conflicts,
            isMerged: merged.object.unstampedMeaning != before.unstampedMeaning
        )
    }

    /// Whether a text may be restored without new time stamps: the server has the same, a shortened or an older text.
    private func mayStand(_ text: CalendarObject) -> Bool {
        guard let agreed = self.agreed, agreed != text.document.bytes else { return true }
        return Self.read(agreed).map { OwnValues.isShortened($0, from: text) || text.isStamped(after: $0) } ?? false
    }

    private static func read(_ text: [UInt8]) -> CalendarObject? { CalendarObject(ICalendarDocument(text)) }
}

extension CalendarObject {
    /// The meaning of the object, without the time stamps that every edit writes.
    package var unstampedMeaning: [ComponentMeaning: Int] { self.meaning(ignoring: Self.stamps) }

    /// The meaning of the object, without time stamps and without the record of noticed alarms.
    fileprivate var unacknowledgedMeaning: [ComponentMeaning: Int] {
        self.meaning(ignoring: Self.stamps.union([.mozLastAck, .acknowledged]))
    }

    private static let stamps: Set<Name> = [.dtstamp, .lastModified, .sequence]

    private func meaning(ignoring names: Set<Name>) -> [ComponentMeaning: Int] {
        self.todos.reduce(into: [:]) { $0[$1.meaning(ignoring: names), default: 0] += 1 }
    }
}

extension CalendarObject {
    /// Whether every to-do is at least as new as in `other`, and one is newer, by SEQUENCE and the time stamps.
    fileprivate func isStamped(after other: CalendarObject) -> Bool {
        let former = Dictionary(other.todos.map { ($0.recurrenceID?.value, $0.version) }) { max($0, $1) }
        var isNewer = false
        for todo in self.todos {
            let version = todo.version
            guard let theirs = former[todo.recurrenceID?.value] else {
                isNewer = true
                continue
            }
            guard version.sequence >= theirs.sequence, version.seconds >= theirs.seconds else { return false }
            isNewer = isNewer || theirs < version
        }
        return isNewer
    }
}

/// The version of a to-do, for a comparison of age (RFC 5545 §3.8.7).
private struct Version: Comparable {
    var sequence: Int
    /// The time of the last modification in seconds since 1970.
    var seconds: Int64

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.sequence, lhs.seconds) < (rhs.sequence, rhs.seconds) }
}

extension Component {
    fileprivate var version: Version {
        let changed = self.lastChange?.secondsSince1970 ?? .min
        return Version(sequence: self.first(.sequence)?.integer ?? 0, seconds: changed)
    }
}
