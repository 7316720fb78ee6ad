package import ICalendar
package import Reminders
package import Store

/// What undoing a change means for the reminder as it is now.
package enum UndoStep: Sendable {
    /// It gets another text.
    ///
    /// Properties that were changed again since stay as they are; they are named.
    ///
    /// - `isMerged`: whether something else was changed since, and stays.
    case rewrite(Reminder, kept: [PropertyConflict], isMerged: Bool)
    /// It is deleted.
    case delete
    /// It is put back with this text.
    case putBack(Reminder)
    /// It goes back to the list from which it was moved.
    case move
    /// It is already as it was before the change.
    case alreadyApplied
    /// It cannot be done.
    case impossible(UndoObstacle)
}

/// Why a change cannot be undone.
package enum UndoObstacle: Hashable, Sendable {
    /// The list is gone that it was in.
    case listGone
    /// The server lets nobody change the list.
    case listReadOnly
    /// It was added, and is no longer as it was then.
    case changedSince
    /// All that was changed in it was changed again.
    case changedAgain
    /// It was changed, and is gone now.
    case reminderGone
    /// The journal does not know the text that it had.
    case textUnknown
    /// The list from which it was moved has another one with its UID.
    case uidTaken
    /// The server had it before its list came here.
    case thereBefore
}

/// Undoing what a sync, or a person, changed.
///
/// Only what the change did goes back: what was edited since stays. An undone change is a person's edit like any other,
/// so the next sync carries it to the server and from there to other machines. What was not edited since gets the very
/// text that it had: to the byte where no server has been told of a later one, else with the stamps of an edit, since a
/// version that is older than the one that is there is none.
package struct Undo: Sendable {
    /// The change.
    package let change: ChangeNote
    /// What a change of kind ``ChangeKind/added`` brought, if that is known; of others it does not matter.
    package let added: [UInt8]?
    /// The text as it is now, `nil` when it is gone.
    package let current: [UInt8]?
    /// Where it is, or is put back to; `nil` when that list is gone.
    package let list: ListRecord?
    /// The list from which it was moved; `nil` when that is gone, and of what was not moved.
    package let origin: ListRecord?
    /// The last text that both sides agreed on; `nil` when the server has none, as far as is known, or there is none.
    package let agreed: [UInt8]?
    /// Whether the server has deleted it since, so that it comes back there as something new.
    package let wasDeletedThere: Bool

    /// A change, and what has become of its reminder since.
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

    /// What is to be done.
    ///
    /// Three texts decide about a change: the one after it is what the merge takes as the common one, the one before it
    /// stands for the undoing, and the one of now wins where both differ from the first.
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

    /// Whether a text may come back as it stood: the server has the same, a shortened form of it, or an older one.
    private func mayStand(_ text: CalendarObject) -> Bool {
        guard let agreed = self.agreed, agreed != text.document.bytes else { return true }
        return Self.read(agreed).map { OwnValues.isShortened($0, from: text) || text.isStamped(after: $0) } ?? false
    }

    private static func read(_ text: [UInt8]) -> CalendarObject? { CalendarObject(ICalendarDocument(text)) }
}

extension CalendarObject {
    /// What the object says, without the stamps that every edit writes.
    package var unstampedMeaning: [ComponentMeaning: Int] {
        self.todos.reduce(into: [:]) {
            $0[$1.meaning(ignoring: [.dtstamp, .lastModified, .sequence]), default: 0] += 1
        }
    }
}

extension CalendarObject {
    /// Whether all of it is as new as in another text of the same object, and something newer, by its stamps.
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

/// Which version of a to-do it is (RFC 5545 §3.8.7).
private struct Version: Comparable {
    var sequence: Int
    /// When it was changed last, seconds since 1970.
    var seconds: Int64

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.sequence, lhs.seconds) < (rhs.sequence, rhs.seconds) }
}

extension Component {
    fileprivate var version: Version {
        let changed = self.lastChange?.secondsSince1970 ?? .min
        return Version(sequence: self.first(.sequence)?.integer ?? 0, seconds: changed)
    }
}
