import Foundation
import ICalendar
import Movers
import Reminders
import Store
import TestSupport
import Testing

@testable import Bridge

/// Random deeds in a store that holds what programs write, taken back again.
///
/// A property that had gone as a whole comes back behind the others, so lines are compared and not their order; a time
/// zone that a text named and did not have comes along. What `undo` knows are deletions, imports and what is done to
/// labels; edits, completing and moving are done in between, since they are no runs in the log.
@Suite("laws of undoing a deed")
struct DeedLawTests {
    /// Deeds in all; `REMINDAV_EDITS=100000` takes a hundredth as many.
    private static let deeds = (Int(ProcessInfo.processInfo.environment["REMINDAV_EDITS"] ?? "") ?? 6000) / 100

    @Test("undoing a deed gives back every line to the byte but for the stamps, and undoing that does it again")
    func identity() throws {
        var done = 0
        var worked: [String: Int] = [:]
        var seed: UInt64 = 0
        while done < Self.deeds {
            seed += 1
            var life = try DeedLife(seed: seed)
            for step in 0..<24 where done < Self.deeds {
                try life.shake()
                let before = try life.state()
                guard let deed = try life.deed() else { continue }
                let comment = Comment(rawValue: "seed \(seed), step \(step): \(deed)")
                let after = try life.state()
                guard before != after else { continue }
                done += 1
                worked[String(deed.prefix { $0 != " " }), default: 0] += 1
                let undo = try life.undo(nil)
                try #require(undo.isWhole, comment)
                let undone = try life.state()
                try #require(undone.differences(from: before) == [], comment)
                let redo = try life.undo(undo.run)
                try #require(redo.isWhole, comment)
                let redone = try life.state()
                try #require(redone.differences(from: after) == [], comment)
                if life.oneIn(2) {
                    _ = try life.undo(redo.run)
                    let again = try life.state()
                    try #require(again.differences(from: before) == [], comment)
                }
            }
        }
        let names = ["delete", "rename", "merge", "unlabel", "import", "restore", "label", "recolor"]
        for name in names { #expect(worked[name, default: 0] > 0, "\(name)") }
    }
}

extension UndoSummary {
    fileprivate var isWhole: Bool {
        self.missing.isEmpty
            && self.changes.allSatisfy { change in
                switch change.outcome {
                case .undone, .alreadySo: true
                default: false
                }
            }
            && self.labels.allSatisfy { $0.outcome == .undone || $0.outcome == .alreadySo }
    }
}

/// A store with reminders of several programs, and a person who does this and that.
private struct DeedLife {
    /// What a store holds: of each list and UID the lines in order of the alphabet, and the labels with their colours.
    struct State: Equatable {
        var texts: [String: [String]] = [:]
        var labels: [String] = []

        /// What one has and the other has not; none when both are the same.
        func differences(from other: State) -> [String] {
            var words = Set(self.texts.keys).union(other.texts.keys).sorted().filter {
                self.texts[$0] != other.texts[$0]
            }
            .map { "\($0): \(self.texts[$0] ?? ["none"]), not \(other.texts[$0] ?? ["none"])" }
            if self.labels != other.labels { words.append("\(self.labels), not \(other.labels)") }
            return words
        }
    }

    private static let lists = ["Home", "Work"]
    private static let words = ["errand", "Work", "home", "a,b", "日本", "Zoo"]
    private static let stamps = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]

    private var random: SeededGenerator
    private let useCases: UseCases

    init(seed: UInt64) throws {
        self.random = SeededGenerator(seed)
        self.useCases = try Workplace.open()
        let names = try Fixture.names(in: "ics", endingWith: ".ics")
        for list in Self.lists {
            for name in names.shuffled(using: &self.random).prefix(5) {
                // Some are no calendars at all, and some have the UID of another.
                let source = Workplace.source(try Fixture.bytes("ics/\(name)"))
                _ = try? self.useCases.importCalendar(source, list: list, dryRun: false, progress: { _ in })
            }
            for number in 0..<3 {
                let label = Self.words.randomElement(using: &self.random) ?? ""
                let made = NewReminder(title: "\(number)", labels: [label], list: list)
                _ = try? self.useCases.add(made)
            }
        }
    }

    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self.random) == 0 }

    private mutating func reminder() throws -> ReminderView? {
        try self.useCases.reminders(matching: ReminderFilter(includesCompleted: true)).randomElement(
            using: &self.random
        )
    }

    /// Does something that is no run in the log.
    mutating func shake() throws {
        guard let id = try self.reminder()?.id else { return }
        let due = Workplace.now.adding(seconds: Int.random(in: 1...100_000, using: &self.random))
        let label = Self.words.randomElement(using: &self.random) ?? ""
        let list = Self.lists.randomElement(using: &self.random)
        // What a reminder of a fixture does not take (several rules, a name twice) is not done.
        switch Int.random(in: 0..<7, using: &self.random) {
        case 0: _ = try? self.useCases.edit(id, ReminderEdit(title: "title \(label)"))
        case 1: _ = try? self.useCases.edit(id, ReminderEdit(due: .set(.exact(due))))
        case 2: _ = try? self.useCases.edit(id, ReminderEdit(labels: .set([label, "more"])))
        case 3: _ = try? self.useCases.complete(id)
        case 4: _ = try? self.useCases.reopen(id)
        case 5: _ = try? self.useCases.snooze(id, seconds: 300)
        default: _ = try? self.useCases.edit(id, ReminderEdit(list: list))
        }
    }

    /// Does something that can be undone, and says what; `nil` when there is nothing to do it to.
    mutating func deed() throws -> String? {
        let labels = try self.useCases.labels().map(\.name).shuffled(using: &self.random)
        switch Int.random(in: 0..<8, using: &self.random) {
        case 0:
            guard let reminder = try self.reminder() else { return nil }
            try self.useCases.delete(reminder.id)
            return "delete \(reminder.uid)"
        case 1:
            guard let label = labels.first else { return nil }
            let new = "new \(Int.random(in: 0..<1000, using: &self.random))"
            // Of a label that no reminder has, nothing is in the log.
            guard try self.useCases.renameLabel(label, to: new).run != nil else { return nil }
            return "rename \(label) to \(new)"
        case 2:
            guard labels.count > 1 else { return nil }
            guard try self.useCases.mergeLabel(labels[0], into: labels[1]).run != nil else { return nil }
            return "merge \(labels[0]) into \(labels[1])"
        case 3:
            let name = Self.words.randomElement(using: &self.random) ?? ""
            let color = LabelColor(rgb: UInt32.random(in: 0...0xFFFFFF, using: &self.random))
            // There may be one of the name.
            guard let label = try? self.useCases.addLabel(named: name, color: color) else { return nil }
            return "label \(label.name)"
        case 4:
            guard let label = labels.first else { return nil }
            let color = LabelColor(rgb: UInt32.random(in: 0...0xFFFFFF, using: &self.random))
            _ = try self.useCases.recolorLabel(label, to: color)
            return "recolor \(label) \(color.hex)"
        case 5:
            let name = try Fixture.names(in: "ics", endingWith: ".ics").randomElement(using: &self.random) ?? ""
            let list = Self.lists.randomElement(using: &self.random)
            let source = Workplace.source(try Fixture.bytes("ics/\(name)"))
            // Some are no calendars at all, and some bring nothing new.
            let report = try? self.useCases.importCalendar(source, list: list, dryRun: false, progress: { _ in })
            return report?.run == nil ? nil : "import \(name)"
        case 6:
            let text = try self.exportedElsewhere()
            let report = try self.useCases.importCalendar(
                Workplace.source(text),
                list: Self.lists.randomElement(using: &self.random),
                dryRun: false,
                progress: { _ in }
            )
            return report.run == nil ? nil : "restore \(report.added) and \(report.labels) labels"
        default:
            guard let label = labels.first else { return nil }
            guard try self.useCases.deleteLabel(label).run != nil else { return nil }
            return "unlabel \(label)"
        }
    }

    /// Our own JSON of another machine, with a label that has a colour there.
    private mutating func exportedElsewhere() throws -> [UInt8] {
        let other = try Workplace.open()
        let label = Self.words.randomElement(using: &self.random) ?? ""
        _ = try other.addLabel(
            named: label,
            color: LabelColor(rgb: UInt32.random(in: 0...0xFFFFFF, using: &self.random))
        )
        _ = try other.add(NewReminder(title: "elsewhere", labels: [label]))
        var bytes: [UInt8] = []
        _ = try other.exportReminders(as: .json, list: nil, labels: [], state: .all, words: { $0 }) { bytes += $0 }
        return bytes
    }

    /// Takes a run back; the last one when none is named.
    func undo(_ run: Int64?) throws -> UndoSummary { try self.useCases.undo(run.map { .run($0) } ?? .last) }

    func state() throws -> State {
        let objects = try self.useCases.store.read { snapshot throws(DatabaseError) in
            let names = try snapshot.listNames()
            return try snapshot.objects().map { (names[$0.list] ?? "", $0.uid, $0.source) }
        }
        var state = State()
        for (list, uid, source) in objects {
            var isZone = false
            var lines: [String] = []
            for line in String(decoding: source, as: UTF8.self).split(whereSeparator: \.isNewline) {
                if line == "BEGIN:VTIMEZONE" { isZone = true }
                if !isZone, !Self.stamps.contains(where: { line.uppercased().hasPrefix($0) }) {
                    lines.append(String(line))
                }
                if line == "END:VTIMEZONE" { isZone = false }
            }
            state.texts["\(list) \(uid)"] = lines.sorted()
        }
        state.labels = try self.useCases.labels().map { "\($0.name) \($0.color) \($0.open) \($0.completed)" }
        return state
    }
}
