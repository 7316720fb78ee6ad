/// What everybody has written, and what became of it: no more is asked of a sync than that nothing of it is lost.
///
/// A value lives until somebody who had it before him writes another in its place, or takes it away. Whoever writes to the
/// server directly has seen, and destroys, what is there.
struct Ledger {
    private struct Value {
        var isLive: Bool
        var origin: String
        /// Where it was written; `nil` for the server.
        var machine: String?
        /// Whether it was there before: who goes back to what both sides last agreed on has changed nothing.
        var isReturn = false
        /// Whether it went with the whole to-do, which another's edit may bring back with it.
        var isDeleted = false
    }

    /// A value that somebody took away.
    private struct Absence: Hashable {
        let uid: String
        let place: String
        /// `nil` when nothing at all shall stand there.
        let line: String?
    }

    /// Who took something away.
    private struct Taking {
        let origin: String
        let machine: String?
    }

    /// The names of the machines.
    private let machines: Set<String>
    private var values: [Token: Value] = [:]
    private var absences: [Absence: Taking] = [:]
    /// Values that two have written, neither knowing of the other, and the machines that have not met the other's since.
    ///
    /// Whoever takes such a value away until then has had one of the two before him.
    private var twins: [Token: Set<String>] = [:]
    /// Machines that do not know of both of two edits, by UID.
    ///
    /// Somebody took something away, and another, who had it before him, wrote something in its place: either is an edit
    /// that stands against a deletion.
    private var crossings: [String: Set<String>] = [:]
    /// What was put back by somebody, by UID: an edit that ends with what was there before is one that a deletion by
    /// somebody who does not know of it cannot stand against, although no value tells of it.
    private var returns: [String: Return] = [:]

    private struct Return {
        /// The machine that has still to send it; `nil` when the server has it.
        var writer: String?
        /// Machines that have not had a whole run since then.
        var unaware: Set<String>

        /// - Parameter machine: a machine; `nil` for the server.
        func isUnknown(to machine: String?) -> Bool {
            if let machine { machine != self.writer && self.unaware.contains(machine) } else { self.writer != nil }
        }
    }

    /// When a to-do was done by the later of two, neither knowing of the other: it was done when the first of them did it.
    private var overtaken: Set<Token> = []
    private var deletions: [String: String] = [:]
    /// UIDs of which a deletion, or what was taken away, may come back.
    ///
    /// Somebody moved or stamped them without writing a value, or a run that does not know it has put them to the server.
    /// An edit of theirs may not go.
    private var touched: Set<String> = []
    /// UIDs of which nothing is promised: somebody gave them to two resources.
    private(set) var unwatched: Set<String> = []
    /// The UIDs that the program gave to what the server would not take under the old one.
    private var aliases: [String: String] = [:]

    init(machines: Set<String>) { self.machines = machines }

    func name(_ uid: String) -> String { self.aliases[uid] ?? uid }

    mutating func rename(_ uid: String, to new: String) {
        let name = self.name(uid)
        self.aliases[new] = name
        // What the server has made of it, before it was known whose it is.
        for (token, value) in self.values where token.uid == new {
            self.values[token] = nil
            self.values[Token(uid: name, place: token.place, line: token.line)] = value
        }
        if self.touched.contains(new) { self.touched.insert(name) }
    }

    /// A token, and the same as it was before the program renamed what it refers to.
    private func spellings(_ token: Token) -> [Token] {
        guard token.property == "RELATED-TO", let old = self.aliases[token.value] else { return [token] }
        return [token, Token(uid: token.uid, place: token.place, line: token.line.replacing(token.value, with: old))]
    }

    mutating func unwatch(_ uid: String) { self.unwatched.insert(self.name(uid)) }

    /// UIDs of what a run put to the server that does not know it, or of what two machines have made alike and not met;
    /// where somebody moves it to another list then, it is made anew.
    private(set) var unrecorded: Set<String> = []

    /// A run has put it to the server, and does not know it.
    mutating func lose(_ uid: String) {
        self.unrecorded.insert(self.name(uid))
        self.touch(uid)
    }

    /// Somebody has moved it to another list.
    mutating func move(_ uid: String) {
        let name = self.name(uid)
        if self.twins.keys.contains(where: { $0.uid == name }) { self.unrecorded.insert(name) }
        self.touch(uid)
    }

    /// Somebody has moved it, or only stamped it.
    mutating func touch(_ uid: String) { self.touched.insert(self.name(uid)) }

    /// A machine has sent everything and seen everything.
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

    /// A machine has deleted a to-do on the server, as somebody wanted who did not know what was written around it; that
    /// is no edit of it, and is gone, although another's edit may bring the to-do back.
    mutating func destroy(around text: CalendarText) {
        let uid = self.name(text.uid)
        guard self.deletions[uid] != nil else { return }
        for token in text.tokens(as: uid) where token.place.hasPrefix("VCALENDAR/") {
            self.values[token]?.isLive = false
        }
    }

    /// Somebody has changed one to-do, and had its whole old text before him.
    ///
    /// - Parameter machine: where; `nil` for the server.
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
            // One of two who have written the same does not know that the other has.
            if self.twins.keys.contains(where: { $0.uid == uid }) { self.touched.insert(uid) }
            if let past = self.returns[uid], past.isUnknown(to: machine) { self.touched.insert(uid) }
            for absence in self.absences.keys where absence.uid == uid {
                self.absences[absence] = nil
                // He may not have seen that somebody had taken something away, which is an edit, too.
                self.touched.insert(uid)
            }
        }
    }

    private func returning(by machine: String?) -> Return {
        Return(writer: machine, unaware: self.machines.subtracting([machine].compactMap { $0 }))
    }

    /// - Parameter machine: where it was done; `nil` for the server.
    private mutating func overtake(_ token: Token, _ old: Set<Token>, on machine: String?) {
        for (other, value) in self.values
        where other.uid == token.uid && other.place == token.place && !old.contains(other) {
            guard value.isLive || value.isDeleted else { continue }
            self.overtaken.insert(other.value < token.value ? token : other)
            // Both have edited it, and a deletion by one who knows of one of the two does not stand against the other.
            self.crossings[token.uid, default: []].formUnion([value.machine, machine].compactMap { $0 })
        }
        // A run that has sent the first of them and does not know it cannot tell that the second was done after that, be
        // it that the reminder was open again in between.
        guard self.unrecorded.contains(token.uid) else { return }
        for other in self.values.keys where other.uid == token.uid && other.place == token.place && other != token {
            self.overtaken.insert(other.value < token.value ? token : other)
        }
    }

    private mutating func miss(_ token: Token, _ old: Set<Token>, _ new: Set<Token>, _ taking: Taking) {
        // Of what was in a component that is gone, only that it is gone.
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

    /// A value that was overruled and that a person can read again.
    struct Note {
        let uid: String
        let property: String
        let losingText: String
    }

    /// What is lost, in words.
    ///
    /// - Parameters:
    ///   - texts: what there is at the end, by UID.
    ///   - notes: what can be read again.
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
            // What is written around a to-do is no edit of it that could stand against its deletion.
            if token.place.hasPrefix("VCALENDAR/"), !uids.contains(token.uid) { continue }
            // Of a list each value counts for itself: there is nothing to decide between.
            let mayClash = !CalendarText.lists.contains(token.property)
            if mayClash, kept[token.uid]?.contains(where: { $0.losingText.contains(token.value) }) ?? false { continue }
            if self.overtaken.contains(token) { continue }
            losses.append("I2/I5 \(token.uid) \(token.place): '\(token.line)' of \(value.origin) is lost")
        }
        let places = Dictionary(grouping: present) { $0.uid }
        for (absence, taking) in self.absences
        where uids.contains(absence.uid) && !self.unwatched.contains(absence.uid) && !self.touched.contains(absence.uid)
        {
            let there = places[absence.uid, default: []].filter { token in
                // What was written there by somebody who knew nothing of it was not taken away by him.
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
                "I2 \(absence.uid) \(absence.place): \(taking.origin) took away '\(absence.line ?? "it")', and '\(there[0].line)' is there"
            )
        }
        for (uid, origin) in self.deletions where uids.contains(uid) && !self.unwatched.contains(uid) {
            if self.touched.contains(uid) || self.absences.keys.contains(where: { $0.uid == uid }) { continue }
            let isEdited = present.contains { $0.uid == uid && self.values[$0]?.isLive ?? false }
            if !isEdited { losses.append("I2 \(uid): \(origin) deleted it, nobody has changed it, and it is there") }
        }
        return losses.sorted()
    }

    /// Whether somebody has changed what is inside a component that somebody else took away: an edit beats a deletion.
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
