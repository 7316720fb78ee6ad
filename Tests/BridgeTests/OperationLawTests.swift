import Foundation
import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavResources
import RemindavStore
import RemindavTaskFormats
import RemindavTestSupport
import Testing

@testable import RemindavBridge

/// Random operations on texts of real programs, and their undo.
///
/// The undo of a text with future stamps writes new stamps, and undo of an undo is an edit. In these cases the lines
/// are compared without stamps and without their order, because a restored property is written after the others. A
/// missing time zone is added too.
@Suite("laws of undoing an operation")
struct OperationLawTests {
    /// The total number of operations; set `REMINDAV_OPERATIONS=100000` for a longer test.
    private static let operations = Int(ProcessInfo.processInfo.environment["REMINDAV_OPERATIONS"] ?? "") ?? 90

    private static let names = [
        "delete", "rename", "merge", "unlabel", "import", "restore", "label", "recolor", "add", "edit", "move", "done",
        "undone", "snooze", "make-list", "rename-list", "recolor-list", "delete-list",
    ]

    @Test(
        "undo of an operation restores every byte, the unsent changes and the lists; undo of the undo repeats the operation"
    )
    func identity() async throws {
        var done = 0
        var worked: [String: Int] = [:]
        var seed: UInt64 = 0
        while done < Self.operations || Self.names.contains(where: { worked[$0] == nil }) {
            seed += 1
            try #require(done < Self.operations || seed < 1000, "\(worked)")
            var life = try OperationHistory(seed: seed)
            for step in 0..<24 {
                try life.shake()
                let before = try life.state()
                guard let operation = try await life.operation() else { continue }
                let place = "seed \(seed), step \(step): \(operation)"
                let after = try life.state()
                guard before != after else { continue }
                done += 1
                worked[String(operation.prefix { $0 != " " }), default: 0] += 1
                let undo = try life.undo(nil)
                try Self.require(undo, place)
                try Self.require(try life.state().differences(from: before), place)
                let redo = try life.undo(undo.run)
                try Self.require(redo, place)
                let redone = try life.state()
                try Self.require(redone.withoutStamps.differences(from: after.withoutStamps), "\(place), again")
                if life.oneIn(2) {
                    _ = try life.undo(redo.run)
                    let again = try life.state()
                    try Self.require(again.withoutStamps.differences(from: before.withoutStamps), "\(place), not again")
                }
            }
        }
        print("\(done) operations undone: \(worked.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
    }

    @Test("each further undo goes one operation back, to the very beginning")
    func furtherBack() async throws {
        for seed in 1...UInt64(max(2, Self.operations / 15)) {
            var life = try OperationHistory(seed: seed)
            var states = [try life.state()]
            var operations: [String] = []
            while operations.count < 8 {
                guard let operation = try await life.operation(), try life.state() != states.last else { continue }
                operations.append(operation)
                states.append(try life.state())
            }
            while let operation = operations.popLast() {
                states.removeLast()
                let place = "seed \(seed): \(operation), after \(operations)"
                try Self.require(try life.undo(nil), place)
                let before = try #require(states.last)
                try Self.require(try life.state().differences(from: before), place)
            }
        }
    }

    private static func require(_ undo: UndoSummary, _ place: String) throws {
        try #require(undo.isWhole, "\(place): \(undo)")
    }

    private static func require(_ differences: [String], _ place: String) throws {
        try #require(differences.isEmpty, "\(place): \(differences.joined(separator: "; "))")
    }
}

extension UndoSummary {
    fileprivate var isWhole: Bool {
        self.missing.isEmpty
            && self.changes.allSatisfy { change in
                switch change.outcome {
                case .undone, .alreadyApplied: true
                default: false
                }
            }
            && self.labels.allSatisfy { $0.outcome == .undone || $0.outcome == .alreadyApplied }
            && self.lists.allSatisfy { $0.outcome == .undone || $0.outcome == .alreadyApplied }
    }
}

/// A store with reminders of several programs, and random operations of a user.
private struct OperationHistory {
    /// The content of a store: the text and sync state for each list and UID, the lists, and the labels with their
    /// colours.
    struct State: Equatable {
        var texts: [String: String] = [:]
        /// Reminders with a text on the server with equal or newer stamps.
        var restamped: Set<String> = []
        var sync: [String] = []
        /// Whether a text is unsent.
        var waiting: [String: Bool] = [:]
        /// Unsent reminders with the server's text, such as one that the user moved away and back.
        ///
        /// An undo near them may mark them as sent.
        var needless: Set<String> = []
        var lists: [String] = []
        var labels: [String] = []

        /// The same state with sorted lines, and without stamps and time zones.
        var withoutStamps: Self {
            var state = self
            state.texts = self.texts.mapValues(Self.withoutStamps)
            return state
        }

        /// Returns the differences of two states; the result is empty if they are equal.
        func differences(from other: State) -> [String] {
            var words: [String] = []
            for name in Set(self.texts.keys).union(other.texts.keys).sorted() {
                var pair = [self.texts[name], other.texts[name]]
                if other.restamped.contains(name) { pair = pair.map { $0.map(Self.withoutStamps) } }
                if pair[0] != pair[1] { words.append("\(name): \(pair[0] ?? "none"), not \(pair[1] ?? "none")") }
            }
            for (name, waits) in self.waiting.sorted(by: { $0.key < $1.key }) where other.waiting[name] != waits {
                if waits || !other.needless.contains(name) { words.append("\(name): waits \(waits)") }
            }
            if self.sync != other.sync { words.append("\(self.sync), not \(other.sync)") }
            if self.lists != other.lists { words.append("\(self.lists), not \(other.lists)") }
            if self.labels != other.labels { words.append("\(self.labels), not \(other.labels)") }
            return words
        }

        private static func withoutStamps(_ text: String) -> String {
            var isZone = false
            var lines: [String] = []
            for line in text.split(whereSeparator: \.isNewline) {
                if line == "BEGIN:VTIMEZONE" { isZone = true }
                if !isZone, !OperationHistory.stamps.contains(where: { line.uppercased().hasPrefix($0) }) {
                    lines.append(String(line))
                }
                if line == "END:VTIMEZONE" { isZone = false }
            }
            return lines.sorted().joined(separator: "\n")
        }
    }

    private static let words = ["errand", "Work", "home", "a,b", "日本", "Zoo"]
    private static let stamps = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]

    private var random: SeededGenerator
    private let useCases: UseCases

    init(seed: UInt64) throws {
        self.random = SeededGenerator(seed)
        self.useCases = try Workplace.open()
        let names = try Fixture.names(in: "ics", endingWith: ".ics")
        let read = self.useCases.textReading
        try self.useCases.store.write { try Self.addServer(to: $0, reading: read) }
        for list in ["Home", "Work"] {
            for name in names.shuffled(using: &self.random).prefix(5) {
                // Some files are no calendars, and some have the UID of another file.
                let source = Workplace.source(try Fixture.bytes("ics/\(name)"))
                _ = try? self.useCases.importCalendar(source, list: list, dryRun: false, progress: { _ in })
            }
            for number in 0..<3 {
                let label = Self.words.randomElement(using: &self.random) ?? ""
                let made = ReminderDraft(title: "\(number)", labels: [label], list: list)
                _ = try? self.useCases.add(made)
            }
        }
    }

    /// Adds an account with two lists; the reminders of the first list are in sync.
    private static func addServer(to transaction: StoreTransaction, reading read: TextReading) throws {
        let account = try transaction.insertAccount(
            named: "server",
            url: "https://dav.example/",
            user: "ann",
            secret: SecretReference(kind: "command", reference: "true"),
            at: 0
        )
        for name in ["Server", "Other"] {
            let list = try transaction.insertList(named: name, at: 0)
            try transaction.adoptRemote(list, RemoteList(account: account, url: "/\(name)/"))
            guard name == "Server" else { continue }
            for (number, lines) in Self.pulled.enumerated() {
                let text =
                    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:pulled-\(number)\r\n\(lines)\r\nX-KEPT:\(number)\r\n"
                    + "END:VTODO\r\nEND:VCALENDAR\r\n"
                let object = PulledObject(
                    uid: "pulled-\(number)",
                    href: Href("/Server/\(number).ics"),
                    etag: EntityTag("\"\(number)\""),
                    read(Array(text.utf8))
                )
                _ = try transaction.recordPulled(object, in: list)
            }
        }
    }

    private static let pulled = [
        "DTSTAMP:20260101T000000Z\r\nSUMMARY:plain\r\nCATEGORIES:Work,errand",
        "SUMMARY:without stamps\r\nDUE;VALUE=DATE:20261201",
        "DTSTAMP:20260101T000000Z\r\nLAST-MODIFIED:20260101T000000Z\r\nSEQUENCE:4\r\nSUMMARY:daily\r\n"
            + "DTSTART:20261101T080000Z\r\nDUE:20261101T080000Z\r\nRRULE:FREQ=DAILY",
        "DTSTAMP:20260101T000000Z\r\nSUMMARY:done\r\nSTATUS:COMPLETED\r\nCOMPLETED:20260102T000000Z",
    ]

    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self.random) == 0 }

    private mutating func reminder() throws -> ReminderView? {
        try self.useCases.reminders(matching: ReminderFilter(includesCompleted: true)).randomElement(
            using: &self.random
        )
    }

    /// Returns the name of a random list.
    private mutating func list() throws -> String? {
        try self.useCases.store.read { try $0.lists() }.randomElement(using: &self.random)?.name
    }

    /// Makes random operations first.
    mutating func shake() throws {
        for _ in 0..<Int.random(in: 0..<2, using: &self.random) {
            _ = try self.work(on: Int.random(in: 0..<7, using: &self.random))
        }
    }

    /// Runs a random undoable operation.
    ///
    /// Returns its description; `nil` without a reminder for it.
    mutating func operation() async throws -> String? {
        switch Int.random(in: 0..<5, using: &self.random) {
        case 0, 1: try self.work(on: Int.random(in: 0..<7, using: &self.random))
        case 2, 3: try self.workOnMany(Int.random(in: 0..<7, using: &self.random))
        default: try await self.workOnList(Int.random(in: 0..<4, using: &self.random))
        }
    }

    /// Runs an operation on a local list.
    private mutating func workOnList(_ which: Int) async throws -> String? {
        let new = "list \(Int.random(in: 0..<1000, using: &self.random))"
        let color = self.oneIn(4) ? nil : LabelColor(rgb: self.rgb()).hex
        if which == 0 {
            // The name may be in use.
            let made = try? await self.useCases.addList(named: new, account: nil, color: color)
            return made.map { "make-list \($0.list.name)" }
        }
        let lists = try self.useCases.store.read { try $0.lists() }.filter { $0.state == .local }
        guard let list = lists.randomElement(using: &self.random)?.name else { return nil }
        switch which {
        case 1:
            guard (try? await self.useCases.renameList(list, to: new)) != nil else { return nil }
            return "rename-list \(list) to \(new)"
        case 2:
            _ = try await self.useCases.recolorList(list, to: color)
            return "recolor-list \(list) to \(color ?? "none")"
        default:
            try await self.useCases.deleteList(list, localOnly: false)
            return "delete-list \(list)"
        }
    }

    private mutating func rgb() -> UInt32 { UInt32.random(in: 0...0xFFFFFF, using: &self.random) }

    private func names(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: " ") }

    /// Runs an operation on reminders.
    private mutating func work(on which: Int) throws -> String? {
        var ids: [Int64] = []
        for _ in 0...Int.random(in: 0..<3, using: &self.random) {
            if let id = try self.reminder()?.id, !ids.contains(id) { ids.append(id) }
        }
        guard let id = ids.first else { return nil }
        // Operations that a reminder of a fixture does not allow (several rules, a list with its UID) are skipped.
        switch which {
        case 0:
            _ = try self.useCases.perform(.delete, on: ids)
            return "delete \(self.names(ids))"
        case 1:
            _ = try self.useCases.perform(.complete(withMissed: false), on: ids)
            return "done \(self.names(ids))"
        case 2:
            _ = try self.useCases.perform(.reopen, on: ids)
            return "undone \(self.names(ids))"
        case 3:
            return (try? self.useCases.snooze(id, seconds: 300)).map { "snooze \($0.id)" }
        case 4:
            let list = try self.list()
            return (try? self.useCases.edit(id, ReminderChange(list: list))).map { "move \($0.id) to \(list ?? "")" }
        case 5:
            let edit = try self.edit()
            // An edit in an editor is based on an earlier version.
            let base = try self.oneIn(2) ? self.useCases.reminder(id) : nil
            return (try? self.useCases.edit(id, edit, since: base)).map { "edit \($0.id) \(edit)" }
        default:
            let label = Self.words.randomElement(using: &self.random) ?? ""
            let list = try self.list()
            return try "add \(self.useCases.add(ReminderDraft(title: "new", labels: [label], list: list)).id)"
        }
    }

    private mutating func edit() throws -> ReminderChange {
        let word = Self.words.randomElement(using: &self.random) ?? ""
        var edit = ReminderChange()
        if self.oneIn(2) { edit.title = "title \(word)" }
        if self.oneIn(3) { edit.notes = self.oneIn(2) ? .clear : .set("notes\n\(word)") }
        if self.oneIn(3) {
            let due = Workplace.now.adding(seconds: Int.random(in: 1...100_000, using: &self.random))
            edit.due = self.oneIn(3) ? .clear : .set(.exact(due))
        }
        if self.oneIn(4) {
            edit.recurrenceRule =
                self.oneIn(2) ? .clear : (try? RecurrenceRule(wire: "FREQ=WEEKLY")).map { .set($0) } ?? .keep
        }
        if self.oneIn(3) { edit.labels = self.oneIn(2) ? .clear : .set([word, "more"]) }
        if self.oneIn(3) { edit.priority = self.oneIn(2) ? .clear : .set(.high) }
        if self.oneIn(4) { edit.list = try self.list() }
        return edit
    }

    /// Runs an operation on all reminders with a label, or from a file.
    private mutating func workOnMany(_ which: Int) throws -> String? {
        let labels = try self.useCases.labels().map(\.name).shuffled(using: &self.random)
        switch which {
        case 0:
            guard let label = labels.first else { return nil }
            let new = "new \(Int.random(in: 0..<1000, using: &self.random))"
            // A label without reminders has no entry in the log, and the name may be in use.
            do {
                guard try self.useCases.renameLabel(label, to: new).run != nil else { return nil }
            } catch let error as UseCaseError where error.code == .labelNameTaken {
                return nil
            }
            return "rename \(label) to \(new)"
        case 1:
            guard labels.count > 1 else { return nil }
            guard try self.useCases.mergeLabel(labels[0], into: labels[1]).run != nil else { return nil }
            return "merge \(labels[0]) into \(labels[1])"
        case 2:
            let name = Self.words.randomElement(using: &self.random) ?? ""
            let color = LabelColor(rgb: self.rgb())
            // The name may be in use.
            guard let label = try? self.useCases.addLabel(named: name, color: color) else { return nil }
            return "label \(label.name)"
        case 3:
            guard let label = labels.first else { return nil }
            let color = LabelColor(rgb: self.rgb())
            _ = try self.useCases.recolorLabel(label, to: color)
            return "recolor \(label) \(color.hex)"
        case 4:
            let name = try Fixture.names(in: "ics", endingWith: ".ics").randomElement(using: &self.random) ?? ""
            let list = try self.list()
            let source = Workplace.source(try Fixture.bytes("ics/\(name)"))
            // Some files are no calendars, and some have no new reminders.
            let report = try? self.useCases.importCalendar(source, list: list, dryRun: false, progress: { _ in })
            return report?.run == nil ? nil : "import \(name)"
        case 5:
            // A file in our own format names its lists, unless the user selects one.
            let list = try self.oneIn(2) ? nil : self.list()
            let text = try self.exportedElsewhere()
            let report = try self.useCases.importCalendar(
                Workplace.source(text),
                list: list,
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

    /// Returns the JSON export of another machine, with a coloured label.
    private mutating func exportedElsewhere() throws -> [UInt8] {
        let other = try Workplace.open()
        let label = Self.words.randomElement(using: &self.random) ?? ""
        _ = try other.addLabel(
            named: label,
            color: LabelColor(rgb: self.rgb())
        )
        let list = "list \(Int.random(in: 0..<1000, using: &self.random))"
        try other.store.write { _ = try $0.insertList(named: list, color: "#112233", at: 0) }
        _ = try other.add(ReminderDraft(title: "elsewhere", labels: [label], list: list))
        var bytes: [UInt8] = []
        _ = try other.exportReminders(as: .json, words: { $0 }) { bytes += $0 }
        return bytes
    }

    /// Undoes a run; the last one if `run` is `nil`.
    func undo(_ run: Int64?) throws -> UndoSummary {
        // The user has confirmed that a list may become empty.
        try self.useCases.undo(run.map { .run($0) } ?? .last, mayEmpty: true)
    }

    func state() throws -> State {
        var state = try self.useCases.store.read { snapshot in
            var state = State()
            let names = try snapshot.listNames()
            for object in try snapshot.objects() {
                let name = "\(object.id) \(names[object.list] ?? "") \(object.uid)"
                let base = try snapshot.texts(of: object.id)?.base
                state.texts[name] = String(decoding: object.source, as: UTF8.self)
                let version = [object.href?.wire, object.etag?.wire].map { $0 ?? "" }.joined(separator: " ")
                state.sync.append("\(name) \(version) \(base.map { "\($0.count)" } ?? "")")
                state.waiting[name] = object.isDirty
                if object.isDirty, base == object.source { state.needless.insert(name) }
                if let base, base != object.source, object.source.lastChange <= base.lastChange {
                    state.restamped.insert(name)
                }
            }
            for list in try snapshot.lists() {
                state.lists.append("\(list.id) \(list.name) \(list.color ?? "")")
                for tombstone in try snapshot.syncState(of: list.id)?.tombstones ?? [] {
                    state.sync.append(
                        "\(list.name) \(tombstone.uid) \(tombstone.href.wire) \(tombstone.etag?.wire ?? "")"
                    )
                }
            }
            return state
        }
        state.labels = try self.useCases.labels().map { "\($0.name) \($0.color) \($0.open) \($0.completed)" }
        return state
    }
}

extension [UInt8] {
    /// The last change of the to-do in seconds since 1970; the lowest value without a stamp.
    fileprivate var lastChange: Int64 {
        CalendarObject(ICalendarDocument(self))?.main.lastChange?.secondsSince1970 ?? .min
    }
}
