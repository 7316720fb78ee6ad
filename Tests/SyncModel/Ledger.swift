/// All values that were written, and their fate: the only requirement for a sync is that none of them is lost.
///
/// A value lives until a writer that knew it replaces or removes it. A writer on the server knows, and destroys, the
/// values that are there.
struct Ledger {
    private struct Value {
        var isLive: Bool
        var origin: String
        /// The writer; `nil` for the server.
        var machine: String?
        /// Whether it was there before: a return to the agreed state is no change.
        var isReturn = false
        /// Whether it was deleted with the whole to-do, which another edit may restore with it.
        var isDeleted = false
    }

    /// A value that was removed.
    private struct Absence: Hashable {
        let uid: String
        let place: String
        /// `nil` when no value may be there.
        let line: String?
    }

    /// The writer that removed a value.
    private struct Taking {
        let origin: String
        let machine: String?
    }

    /// The names of the machines.
    private let machines: Set<String>
    private var values: [Token: Value] = [:]
    private var absences: [Absence: Taking] = [:]
    /// Values that two writers made without knowledge of each other, and the machines that have not seen the other's
    /// value since.
    ///
    /// A writer that removes such a value until then knew one of the two.
    private var twins: [Token: Set<String>] = [:]
    /// Machines that do not know both of two edits, by UID.
    ///
    /// One writer removed a value, and another, which knew it, replaced it: both edits override a deletion.
    private var crossings: [String: Set<String>] = [:]
    /// Restored values, by UID: an edit that ends with the old value overrides a deletion by a writer that does not
    /// know it, although no value shows it.
    private var returns: [String: Return] = [:]

    private struct Return {
        /// The machine that still has to send it; `nil` when the server has it.
        var writer: String?
        /// Machines without a complete run since then.
        var unaware: Set<String>

        /// - Parameter machine: a machine; `nil` for the server.
        func isUnknown(to machine: String?) -> Bool {
            if let machine { machine != self.writer && self.unaware.contains(machine) } else { self.writer != nil }
        }
    }

    /// Completion times of the later of two writers without knowledge of each other: the earlier time counts.
    private var overtaken: Set<Token> = []
    private var deletions: [String: String] = [:]
    /// UIDs of to-dos with deletions or removals that may be reverted.
    ///
    /// They were moved or stamped without a written value, or an unrecorded run sent them. Such an edit must not be
    /// lost.
    private var touched: Set<String> = []
    /// UIDs without any promise: two resources have them.
    private(set) var unwatched: Set<String> = []
    /// The UIDs that replaced UIDs refused by the server.
    private var aliases: [String: String] = [:]

    init(machines: Set<String>) { self.machines = machines }

    func name(_ uid: String) -> String { self.aliases[uid] ?? uid }

    mutating func rename(_ uid: String, to new: String) {
        let name = self.name(uid)
        self.aliases[new] = name
        // The server's alteration, reported before its UID was known.
        for (token, value) in self.values where token.uid == new {
            self.values[token] = nil
            self.values[Token(uid: name, place: token.place, line: token.line)] = value
        }
        if self.touched.contains(new) { self.touched.insert(name) }
    }

    /// A token, and the same one from before the program renamed a reference in it.
    private func spellings(_ token: Token) -> [Token] {
        guard token.property == "RELATED-TO", let old = self.aliases[token.value] else { return [token] }
        return [token, Token(uid: token.uid, place: token.place, line: token.line.replacing(token.value, with: old))]
    }

    mutating func unwatch(_ uid: String) { self.unwatched.insert(self.name(uid)) }

    /// UIDs that an unrecorded run sent, or that two machines created alike without knowledge of each other; a move to
    /// another list by another program then creates them anew.
    private(set) var unrecorded: Set<String> = []

    /// A run sent it and did not record that.
    mutating func lose(_ uid: String) {
        self.unrecorded.insert(self.name(uid))
        self.touch(uid)
    }

    /// Another program moved it to another list.
    mutating func move(_ uid: String) {
        let name = self.name(uid)
        if self.twins.keys.contains(where: { $0.uid == name }) { self.unrecorded.insert(name) }
        self.touch(uid)
    }

    /// It was moved, or only stamped.
    mutating func touch(_ uid: String) { self.touched.insert(self.name(uid)) }

    /// A machine has sent and received everything.
    mutating func meet(_ machine: String) {
        for token in self.twins.keys {
            self.twins[token]?.remove(machine)
            if self.twins[token]?.isEmpty ?? true { self.twins[token] = nil }
        }
        for uid in self.crossings.keys {
            self.crossings[uid]?.remove(machine)
            if self.crossings[uid]?.isEmpty ?? true { self.crossings[uid] = nil }
        }
        for (uid, past) in self.returns {
            if past.writer == machine {
                self.returns[uid]?.writer = nil
            } else if past.writer == nil {
                self.returns[uid]?.unaware.remove(machine)
            }
            if past.writer == nil, self.returns[uid]?.unaware.isEmpty ?? true { self.returns[uid] = nil }
        }
    }

    /// A machine deleted a to-do on the server for a user without knowledge of the data around it: these are no edit of
    /// the to-do and are gone, although another edit may restore the to-do.
    mutating func destroy(around text: CalendarText) {
        let uid = self.name(text.uid)
        guard self.deletions[uid] != nil else { return }
        for token in text.tokens(as: uid) where token.place.hasPrefix("VCALENDAR/") {
            self.values[token]?.isLive = false
        }
    }

    /// A writer that knew its whole old text changed one to-do.
    ///
    /// - Parameter machine: the writer; `nil` for the server.
    mutating func observe(
        _ uid: String,
        before: CalendarText?,
        after: CalendarText?,
        by origin: String,
        on machine: String? = nil
    ) {
        let uid = self.name(uid)
        let old = before?.tokens(as: uid) ?? []
        let new = after?.tokens(as: uid) ?? []
        for token in old.subtracting(new) {
            self.values[token] = Value(isLive: false, origin: origin, machine: machine, isDeleted: after == nil)
            guard after != nil, self.twins[token] == nil else { continue }
            self.miss(token, old, new, Taking(origin: origin, machine: machine))
        }
        for token in new.subtracting(old) {
            let past = self.values[token]
            if token.property == "COMPLETED" { self.overtake(token, old, on: machine) }
            if let past, !past.isLive { self.returns[uid] = self.returning(by: machine) }
            if let past, past.isLive {
                self.twins[token] = Set([past.machine, machine].compactMap { $0 }).union(self.twins[token] ?? [])
            }
            self.values[token] = Value(isLive: true, origin: origin, machine: machine, isReturn: past != nil)
            self.absences[Absence(uid: uid, place: token.place, line: token.line)] = nil
            if let taking = self.absences.removeValue(forKey: Absence(uid: uid, place: token.place, line: nil)),
                old.contains(where: { $0.place == token.place })
            {
                self.crossings[uid, default: []].formUnion([taking.machine, machine].compactMap { $0 })
            }
        }
        if old == new { self.touched.insert(uid) }
        if before != nil, after == nil {
            self.deletions[uid] = origin
            if self.crossings[uid] != nil { self.touched.insert(uid) }
            // One of two writers of the same value does not know the other.
            if self.twins.keys.contains(where: { $0.uid == uid }) { self.touched.insert(uid) }
            if let past = self.returns[uid], past.isUnknown(to: machine) { self.touched.insert(uid) }
            for absence in self.absences.keys where absence.uid == uid {
                self.absences[absence] = nil
                // The writer may not know that a value was removed, which is an edit as well.
                self.touched.insert(uid)
            }
        }
    }

    private func returning(by machine: String?) -> Return {
        Return(writer: machine, unaware: self.machines.subtracting([machine].compactMap { $0 }))
    }

    /// - Parameter machine: the place of the completion; `nil` for the server.
    private mutating func overtake(_ token: Token, _ old: Set<Token>, on machine: String?) {
        for (other, value) in self.values
        where other.uid == token.uid && other.place == token.place && !old.contains(other) {
            guard value.isLive || value.isDeleted else { continue }
            self.overtaken.insert(other.value < token.value ? token : other)
            // Both have edited it, and a deletion with knowledge of only one edit does not override the other.
            self.crossings[token.uid, default: []].formUnion([value.machine, machine].compactMap { $0 })
        }
        // An unrecorded run that sent the first completion cannot know that the second is later, even if the reminder
        // was open again in between.
        guard self.unrecorded.contains(token.uid) else { return }
        for other in self.values.keys where other.uid == token.uid && other.place == token.place && other != token {
            self.overtaken.insert(other.value < token.value ? token : other)
        }
    }

    private mutating func miss(_ token: Token, _ old: Set<Token>, _ new: Set<Token>, _ taking: Taking) {
        // Of the contents of a removed component, only the removal counts.
        let inside = token.place.lastIndex(of: "/").map { String(token.place[..<$0]) } ?? ""
        let wasInside = !inside.isEmpty && inside != "VCALENDAR"
        guard !wasInside || new.contains(where: { $0.place == inside }) else { return }
        if token.isOneOfMany {
            self.absences[Absence(uid: token.uid, place: token.place, line: token.line)] = taking
        } else if !new.contains(where: { $0.place == token.place }) {
            self.absences[Absence(uid: token.uid, place: token.place, line: nil)] = taking
        }
    }

    // MARK: Judging

    /// An overruled value that a user can read again.
    struct Note {
        let uid: String
        let property: String
        let losingText: String
    }

    /// The lost values.
    ///
    /// - Parameters:
    ///   - texts: the texts at the end, by UID.
    ///   - notes: the overruled values.
    func losses(texts: [String: [CalendarText]], notes: [Note]) -> [String] {
        var present: Set<Token> = []
        var uids: Set<String> = []
        for (uid, texts) in texts {
            for text in texts { present.formUnion(text.tokens(as: self.name(uid)).flatMap(self.spellings)) }
            uids.insert(self.name(uid))
        }
        let kept = Dictionary(grouping: notes) { self.name($0.uid) }
        var losses: [String] = []
        for (token, value) in self.values where value.isLive && !value.isReturn && !present.contains(token) {
            guard !self.unwatched.contains(token.uid) else { continue }
            // Data around a to-do is no edit that overrides its deletion.
            if token.place.hasPrefix("VCALENDAR/"), !uids.contains(token.uid) { continue }
            // The values of a list count alone: there is nothing to decide.
            let mayClash = !CalendarText.lists.contains(token.property)
            if mayClash, kept[token.uid]?.contains(where: { $0.losingText.contains(token.value) }) ?? false { continue }
            if self.overtaken.contains(token) { continue }
            // The alarm at the due time follows the due time, also when the user restores it from its conflict.
            let isOfDueAlarm = ["TRIGGER", "X-REMINDAV-DUE-ALARM"].contains(token.property)
            if isOfDueAlarm, kept[token.uid]?.contains(where: { $0.property == "DUE" }) ?? false { continue }
            losses.append("I2/I5 \(token.uid) \(token.place): '\(token.line)' of \(value.origin) is lost")
        }
        let places = Dictionary(grouping: present) { $0.uid }
        for (absence, taking) in self.absences
        where uids.contains(absence.uid) && !self.unwatched.contains(absence.uid) && !self.touched.contains(absence.uid)
        {
            let there = places[absence.uid, default: []].filter { token in
                // A writer without knowledge of it did not remove it.
                token.place == absence.place && (absence.line == nil || token.line == absence.line)
                    && !(self.values[token]?.isLive ?? true)
            }
            guard !there.isEmpty, !self.isRevived(absence.place, absence.uid, present) else { continue }
            let unit = Self.unit(Token(uid: "", place: absence.place, line: "").property)
            let isKept = kept[absence.uid, default: []].contains { note in
                unit.contains(note.property) && !there.contains { note.losingText.contains($0.value) }
            }
            if isKept { continue }
            losses.append(
                "I2 \(absence.uid) \(absence.place): \(taking.origin) removed '\(absence.line ?? "it")', and '\(there[0].line)' is there"
            )
        }
        for (uid, origin) in self.deletions where uids.contains(uid) && !self.unwatched.contains(uid) {
            if self.touched.contains(uid) || self.absences.keys.contains(where: { $0.uid == uid }) { continue }
            let isEdited = present.contains { $0.uid == uid && self.values[$0]?.isLive ?? false }
            if !isEdited { losses.append("I2 \(uid): \(origin) deleted it without a later edit, and it exists") }
        }
        return losses.sorted()
    }

    /// Whether one writer changed a part of a component that another removed: an edit overrides a deletion.
    private func isRevived(_ place: String, _ uid: String, _ present: Set<Token>) -> Bool {
        place.hasSuffix(">")
            && present.contains { token in
                token.uid == uid && token.place.hasPrefix("\(place)/") && self.values[token]?.isLive ?? false
            }
    }

    /// The properties that are decided together with this one.
    private static func unit(_ property: String) -> [String] {
        let groups = [
            ["STATUS", "COMPLETED", "PERCENT-COMPLETE"], ["DUE", "DTSTART", "DURATION"],
            ["DESCRIPTION", "X-ALT-DESC"], ["X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK"],
        ]
        return groups.first { $0.contains(property) } ?? [property]
    }
}
