package import ICalendar
package import Reminders
package import Store

/// The effect of undoing a change on the current reminder.
package enum UndoStep: Sendable {
    /// It gets another text, except for the named properties, which were changed again since.
    ///
    /// - `isMerged`: whether other properties were changed since, and stay.
    case rewrite(Reminder, kept: [PropertyConflict], isMerged: Bool)
    case delete
    /// It is created again with this text.
    case putBack(Reminder)
    /// It returns to the list from which it was moved.
    case move
    /// It already is as before the change.
    case alreadyApplied
    case impossible(UndoObstacle)
}

/// The reason that a change cannot be undone.
package enum UndoObstacle: Hashable, Sendable {
    /// The former list was deleted.
    case listGone
    /// The server does not permit changes of the list.
    case listReadOnly
    /// It was added, and has been changed since.
    case changedSince
    /// All changed properties were changed again.
    case changedAgain
    /// It was changed and then deleted.
    case reminderGone
    /// The journal does not have its former text.
    case textUnknown
    /// The former list has another one with its UID.
    case uidTaken
    /// The server had it before the first sync of its list.
    case thereBefore
}

/// Undoes a change of a sync or of a user.
///
/// Only this change is undone: later edits stay. The undo is an edit of the user, so the next sync sends it. Without
/// later edits the reminder gets its exact former text, byte for byte, if no server has a later one; otherwise with the
/// stamps of an edit, so that it is newer than the server's version.
package struct Undo: Sendable {
    package let change: ChangeNote
    /// The text that a change of kind ``ChangeKind/added`` brought, if known; unused for other kinds.
    package let added: [UInt8]?
    /// The current text; `nil` when the reminder is deleted.
    package let current: [UInt8]?
    /// The list that has it, or gets it again; `nil` when that is deleted.
    package let list: ListRecord?
    /// The list from which it was moved; `nil` when that is deleted, and for other changes.
    package let origin: ListRecord?
    /// The last text that both sides agreed on; `nil` when the server is not known to have one, or there is no server.
    package let agreed: [UInt8]?
    /// Whether the server has deleted it since, so that it becomes a new one there.
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

    /// Decides by a merge of three texts: the one after the change is the common one, the one before it is the undo,
    /// and the current one wins where both differ from the common one.
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
        guard let added = self.added.flatMap(Self.read), added.unstampedMeaning == current.unstampedMeaning else {
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
        return .putBack(mayStand ? reminder : reminder.restamped(in: context))
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

    /// Whether a text may return unchanged: the server has the same, a shortened form of it, or an older one.
    private func mayStand(_ text: CalendarObject) -> Bool {
        guard let agreed = self.agreed, agreed != text.document.bytes else { return true }
        return Self.read(agreed).map { OwnValues.isShortened($0, from: text) || text.isStamped(after: $0) } ?? false
    }

    private static func read(_ text: [UInt8]) -> CalendarObject? { CalendarObject(ICalendarDocument(text)) }
}

extension CalendarObject {
    /// The content of the object, without the stamps that every edit writes.
    package var unstampedMeaning: [ComponentMeaning: Int] {
        self.todos.reduce(into: [:]) {
            $0[$1.meaning(ignoring: [.dtstamp, .lastModified, .sequence]), default: 0] += 1
        }
    }
}

extension CalendarObject {
    /// Whether all parts are as new as in another text of the same object, and one is newer, by the stamps.
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

/// The version of a to-do (RFC 5545 §3.8.7).
private struct Version: Comparable {
    var sequence: Int
    /// The last modification, seconds since 1970.
    var seconds: Int64

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.sequence, lhs.seconds) < (rhs.sequence, rhs.seconds) }
}

extension Component {
    fileprivate var version: Version {
        let changed = self.lastChange?.secondsSince1970 ?? .min
        return Version(sequence: self.first(.sequence)?.integer ?? 0, seconds: changed)
    }
}
