package import RemindavICalendar
import RemindavReminders
import RemindavStore

package struct MergeResult: Sendable {
    /// The server's text with the local changes; the bytes of unchanged lines are the server's.
    package let document: ICalendarDocument
    package let conflicts: [PropertyConflict]
}

/// Merges the local and the remote version of a calendar object with their base, property by property.
///
/// If only one side changed a property, that side's lines are used. Properties and components that may repeat, such as
/// labels and alarms, are merged as sets. If both sides changed a property differently, the policy decides, and the
/// conflict is reported. If both sides moved a series to later dates, the later date wins, unless the policy names a
/// side. Occurrences are paired by the instant of RECURRENCE-ID, and alarms by UID. If one side removed a component
/// that the other side changed, the component stays, because an edit overrides a deletion. If the due times are in
/// conflict, the alarm at the due time follows the winning one, without a conflict of its own.
package struct ThreeWayMerge {
    private let remote: CalendarObject
    private let winner: SyncSide
    private let policy: ConflictPolicy
    /// The side that has moved the series further; `nil` when the sides cannot be compared.
    private var furtherAdvance: SyncSide?
    /// The side that won the conflict about the due time of the to-do; `nil` when there was none.
    private var dueWinner: SyncSide?
    private var edits: [Edit] = []
    private var conflicts: [PropertyConflict] = []

    /// - Parameter base: the base; `nil` when there is none, so that every difference counts as a change of both sides.
    package static func merge(
        base: CalendarObject?,
        local: CalendarObject,
        remote: CalendarObject,
        policy: ConflictPolicy = .lastModifiedWins
    ) -> MergeResult {
        let winner = policy.winner(local: local.main.lastChange, remote: remote.main.lastChange)
        var merge = Self(remote: remote, winner: winner, policy: policy)
        merge.mergeComponents(
            base: base?.todos ?? [],
            local: local.todos,
            remote: remote.todos,
            insertAt: remote.main.parent?.endPoint ?? remote.document.bytes.count
        )
        let ours = local.document.all(.vtimezone).map { ($0.first(.tzid)?.text ?? "", $0) }
        let zones = Dictionary(ours) { first, _ in first }
        let document = remote.document.applying(merge.edits).addingMissingTimeZones { name in
            zones[name].map { Array($0.bytes) }
        }
        return MergeResult(document: document, conflicts: merge.conflicts)
    }

    // MARK: Components

    private mutating func mergeComponents(
        base: [Component],
        local: [Component],
        remote: [Component],
        insertAt: Int,
        at path: ComponentPath = ComponentPath([])
    ) {
        let base = KeyedComponents(base)
        let local = KeyedComponents(local)
        let remote = KeyedComponents(remote)
        for (key, theirs) in remote.pairs {
            let old = base.counterpart(of: key, in: remote)
            if let ours = local.counterpart(of: key, in: remote) {
                self.mergeProperties(base: old, local: ours, remote: theirs, at: path.appending(key))
            } else if let old, old.hasSameMeaning(as: theirs) {
                self.edits.append(Edit(theirs.range, []))
            }
        }
        for (key, ours) in local.pairs where remote.counterpart(of: key, in: local) == nil {
            if let old = base.counterpart(of: key, in: local), old.hasSameMeaning(as: ours) { continue }
            self.edits.append(self.remote.document.insertion(of: ours.bytes, at: insertAt))
        }
    }

    // MARK: Properties

    private mutating func mergeProperties(
        base: Component?,
        local: Component,
        remote: Component,
        at path: ComponentPath
    ) {
        guard local.meaning(ignoring: []) != remote.meaning(ignoring: []) else { return }
        var editor = ComponentEditor(remote)
        // A policy that names a side is the user's decision, so the progress of the series does not matter.
        if remote.name == .vtodo { self.dueWinner = nil }
        if remote.name == .vtodo, self.policy == .lastModifiedWins {
            self.furtherAdvance = SeriesAdvance.furtherSide(base: base, local: local, remote: remote)
        }
        let old = base.map(GroupedProperties.init)
        let (ours, theirs) = (GroupedProperties(local), GroupedProperties(remote))
        // The due time decides about ``Name/dueAlarm``, so that property comes last.
        let groups = PropertyGroup.groups(of: [old, ours, theirs].compactMap { $0 })
        for group in groups.filter({ !$0.isDueAlarm }) + groups.filter(\.isDueAlarm) {
            self.merge(group, base: old, local: ours, remote: theirs, at: path, &editor)
        }
        self.edits += editor.edits
        self.mergeComponents(
            base: base?.components ?? [],
            local: local.components,
            remote: remote.components,
            insertAt: remote.endPoint,
            at: path
        )
    }

    private mutating func merge(
        _ group: PropertyGroup,
        base: GroupedProperties?,
        local: GroupedProperties,
        remote: GroupedProperties,
        at path: ComponentPath,
        _ editor: inout ComponentEditor
    ) {
        // The same instant in another form is no change, so the server's form stays.
        if group.names == [.recurrenceID], local.recurrenceID != remote.recurrenceID { return }
        let old = base.map { group.meanings($0) } ?? [:]
        let ours = group.meanings(local)
        let theirs = group.meanings(remote)
        guard ours != theirs, ours != old || base == nil && !ours.isEmpty else { return }
        // If the server only rewrote a duration in another form, its version counts as unchanged.
        let isRewritten = base.map { group.meanings($0, .length) == group.meanings(remote, .length) } ?? false
        if theirs == old || isRewritten { return self.useLocal(group, local, remote, &editor) }
        switch group.kind {
        case .set:
            let rivals = group.rivalParents(base: base, local, remote)
            let isSame = rivals.map { $0.local.text == $0.remote.text } ?? true
            if !isSame { self.record(group, local, remote, at: path, winner: self.winner) }
            let loser = rivals.map { isSame || self.winner == .remote ? $0.local : $0.remote }
            let losers = Set(loser?.meanings ?? [])
            self.mergeSet(old: old, group: group, local: local, remote: remote, without: losers, &editor)
        case .stamp:
            if group.isLater(local.component, than: remote.component) { self.useLocal(group, local, remote, &editor) }
        case .single:
            if let first = group.doneFirst(local.component, remote.component) {
                if first == .local { self.useLocal(group, local, remote, &editor) }
                return
            }
            if let dueWinner = self.dueWinner, group.followsDue(local.component, remote.component) {
                if dueWinner == .local { self.useLocal(group, local, remote, &editor) }
                return
            }
            let versions = (base?.component, local.component, remote.component)
            let isRolled = group.isMovedByRolling(base: versions.0, local: versions.1, remote: versions.2)
            let winner = isRolled ? self.furtherAdvance ?? self.winner : self.winner
            self.record(group, local, remote, at: path, winner: winner)
            if group.names[0] == .due { self.dueWinner = winner }
            if winner == .local { self.useLocal(group, local, remote, &editor) }
        }
    }

    private mutating func record(
        _ group: PropertyGroup,
        _ local: GroupedProperties,
        _ remote: GroupedProperties,
        at path: ComponentPath,
        winner: SyncSide
    ) {
        self.conflicts.append(
            PropertyConflict(
                property: group.title,
                component: path,
                local: group.value(local),
                remote: group.value(remote),
                winner: winner
            )
        )
    }

    private func useLocal(
        _ group: PropertyGroup,
        _ local: GroupedProperties,
        _ remote: GroupedProperties,
        _ editor: inout ComponentEditor
    ) {
        let ours = group.properties(local)
        let theirs = group.properties(remote)
        for (index, property) in theirs.enumerated() {
            if index < ours.count {
                if property.meanings != ours[index].meanings { editor.replace(property, with: ours[index].bytes) }
            } else {
                editor.remove(property)
            }
        }
        for property in ours.dropFirst(theirs.count) { editor.add(bytes: property.bytes) }
    }

    /// Uses the server's values, adds those that were added locally, and removes those that were removed locally.
    ///
    /// - Parameter losers: values that the result does not contain, because a conflict was decided against them.
    private func mergeSet(
        old: [PropertyMeaning: Int],
        group: PropertyGroup,
        local: GroupedProperties,
        remote: GroupedProperties,
        without losers: Set<PropertyMeaning>,
        _ editor: inout ComponentEditor
    ) {
        let ours = group.meanings(local)
        let theirs = group.meanings(remote)
        let removed = Set(old.keys).subtracting(ours.keys).union(losers)
        let added = Set(ours.keys).subtracting(old.keys).subtracting(theirs.keys).subtracting(losers)
        for property in group.properties(remote) {
            let values = property.meanings
            let kept = values.filter { !removed.contains($0) }
            if kept.isEmpty {
                editor.remove(property)
            } else if kept.count < values.count {
                editor.replace(property, with: property.line(of: kept, lineEnd: remote.component.lineEnd))
            }
        }
        for property in group.properties(local) {
            let new = property.meanings.filter(added.contains)
            if new.count == property.meanings.count {
                editor.add(bytes: property.bytes)
            } else if !new.isEmpty {
                editor.add(bytes: property.line(of: new, lineEnd: remote.component.lineEnd))
            }
        }
    }
}

extension Component {
    /// Whether two versions differ at most in time stamps and in the form of values, such as durations.
    fileprivate func hasSameMeaning(as other: Component) -> Bool {
        let isSameForm = self.recurrenceID?.value == other.recurrenceID?.value
        // An acknowledgement does not count as a change of the alarm.
        let stamps: Set<Name> = [.dtstamp, .acknowledged]
        let ignored = isSameForm ? stamps : stamps.union([.recurrenceID])
        return self.meaning(ignoring: ignored, durations: .length)
            == other.meaning(ignoring: ignored, durations: .length)
    }
}

extension Property {
    fileprivate func line(of meanings: [PropertyMeaning], lineEnd: [UInt8]) -> [UInt8] {
        let values = meanings.map(\.value)
        let isText = PropertyDefinition.of(self.name).isTextList
        let value = isText ? TextValue.join(values) : values.joined(separator: ",")
        return ContentLine(self.name, self.parameters, value: value).bytes(lineEnd: lineEnd)
    }
}
