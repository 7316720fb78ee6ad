import RemindavBridge
import RemindavICalendar
import RemindavReminders
import RemindavStore

// Actions of a user on one of our machines, through the use cases of the program.
extension World {
    func person(_ machine: Machine, _ value: String, _ random: inout SeededGenerator) {
        guard let objects = try? machine.objects() else { return }
        var copy = random
        defer { random = copy }
        // An empty list shows few faults.
        let choice = objects.count < 2 ? copy.below(2) * 9 : copy.below(100)
        if choice < 10 { return self.add(machine, value, &copy) }
        guard let object = copy.pick(objects) else { return }
        let what = Self.doings.first { choice < $0.upTo }?.what ?? .title
        let by = "\(value) of \(machine.name)"
        self.log("\(value) on \(machine.name): \(what.rawValue) \(object.uid.prefix(8))")
        let draw = copy
        self.act(on: machine, by: by) {
            var draw = draw
            try self.do(what, object, machine, value, &draw)
        }
    }

    private enum Doing: String {
        case title, notes, clearNotes, due, clearDue, priority, addLabel, removeLabel, repeats, repeatsNoMore
        case complete, reopen, snooze, delete, move, addAlarm, changeAlarm, removeAlarm, deleteMany
        case copy
    }

    private static let doings: [(upTo: Int, what: Doing)] = [
        (20, .title), (26, .notes), (29, .clearNotes), (36, .due), (38, .clearDue), (44, .priority), (53, .addLabel),
        (58, .removeLabel), (61, .repeats), (62, .repeatsNoMore), (71, .complete), (73, .reopen), (77, .snooze),
        (83, .delete), (88, .move), (92, .addAlarm), (95, .changeAlarm), (97, .removeAlarm), (98, .deleteMany),
        (99, .copy),
    ]

    private func add(_ machine: Machine, _ value: String, _ random: inout SeededGenerator) {
        // Sometimes a dozen, so that the deletion guard has a case.
        let count = random.oneIn(200) ? 12 + random.below(12) : 1
        let draw = random
        self.log("\(value) on \(machine.name): add \(count)")
        self.act(on: machine, by: "\(value) of \(machine.name)") {
            var draw = draw
            for number in 0..<count {
                var new = ReminderDraft(title: count == 1 ? value : "\(value)n\(number)n")
                if draw.oneIn(3) { new.notes = "notes \(value)" }
                if draw.oneIn(2) { new.due = self.due(value, &draw) }
                if new.due != nil, draw.oneIn(3) { new.recurrenceRule = try? RecurrenceRule(wire: "FREQ=DAILY") }
                if draw.oneIn(3) { new.labels = ["l\(value)", "common"] }
                if draw.oneIn(4) { new.priority = .high }
                new.list = try machine.store.read { try $0.lists() }.filter { $0.state == .synced && !$0.isReadOnly }
                    .map(\.name).sorted().randomElement(using: &draw)
                _ = try machine.useCases.add(new)
            }
        }
    }

    private func due(_ value: String, _ random: inout SeededGenerator) -> CalendarDateOrDateTime {
        let number = Int64(value.utf8.reduce(0) { ($0 * 31 + Int($1)) % 50_000 })
        let instant = Instant(secondsSince1970: 1_795_204_800 + number * 60)
        guard random.oneIn(3) else { return .dateTime(CalendarDateTime(utc: instant)) }
        return .date(CalendarDate(dayNumber: 20_777 + Int(number)))
    }

    private func `do`(
        _ what: Doing,
        _ object: ObjectRecord,
        _ machine: Machine,
        _ value: String,
        _ random: inout SeededGenerator
    ) throws {
        let id = object.id.rawValue
        let cases = machine.useCases
        func labels() throws -> [String] { try cases.reminder(id).labels }
        switch what {
        case .title: _ = try cases.edit(id, ReminderChange(title: value))
        case .notes: _ = try cases.edit(id, ReminderChange(notes: .set("notes \(value)")))
        case .clearNotes: _ = try cases.edit(id, ReminderChange(notes: .clear))
        case .due: _ = try cases.edit(id, ReminderChange(due: .set(self.due(value, &random))))
        case .clearDue: _ = try cases.edit(id, ReminderChange(due: .clear))
        case .priority:
            let priority = random.pick([Priority.high, .medium, .low]) ?? .low
            _ = try cases.edit(id, ReminderChange(priority: .set(priority)))
        case .addLabel: _ = try cases.edit(id, ReminderChange(labels: .set(try labels() + ["l\(value)"])))
        case .removeLabel:
            var rest = try labels()
            guard !rest.isEmpty else { return }
            rest.remove(at: random.below(rest.count))
            _ = try cases.edit(id, ReminderChange(labels: rest.isEmpty ? .clear : .set(rest)))
        case .repeats:
            guard let rule = try? RecurrenceRule(wire: "FREQ=DAILY;INTERVAL=\(2 + random.below(50))") else { return }
            _ = try cases.edit(id, ReminderChange(recurrenceRule: .set(rule)))
        case .repeatsNoMore: _ = try cases.edit(id, ReminderChange(recurrenceRule: .clear))
        case .complete: _ = try cases.complete(id)
        case .reopen: _ = try cases.reopen(id)
        case .snooze: _ = try cases.snooze(id, seconds: Int64(600 + random.below(6000)))
        case .delete:
            // A drop that the user has not seen is an edit, and an edit overrides a deletion.
            self.server.countDropped()
            try cases.delete(id)
        case .deleteMany:
            for (number, other) in try machine.objects().enumerated() where !number.isMultiple(of: 3) {
                try cases.delete(other.id.rawValue)
            }
        case .move:
            let lists = try machine.store.read { try $0.lists() }.filter { $0.state == .synced && $0.id != object.list }
            guard let list = random.pick(lists.map(\.name).sorted()) else { return }
            _ = try cases.edit(id, ReminderChange(list: list))
        case .copy: try self.copy(object, machine)
        case .addAlarm, .changeAlarm, .removeAlarm: try self.changeAlarm(what, object, machine, value, &random)
        }
    }

    /// Imports a reminder into another list, where it has the same UID.
    private func copy(_ object: ObjectRecord, _ machine: Machine) throws {
        let lists = try machine.store.read { try $0.lists() }.filter { $0.state == .synced && $0.id != object.list }
        guard let list = lists.first?.name else { return }
        // The values of the one count for the other.
        self.ledger.unwatch(object.uid)
        var options = ImportOptions()
        options.copies = true
        let rest = Rest(object.source)
        let source = ByteSource(name: "file.ics") { _ in rest.take() }
        _ = try machine.useCases.importCalendar(source, list: list, dryRun: false, options: options, progress: { _ in })
    }

    /// These have no use case yet; an embedding program does the same.
    private func changeAlarm(
        _ what: Doing,
        _ object: ObjectRecord,
        _ machine: Machine,
        _ value: String,
        _ random: inout SeededGenerator
    ) throws {
        guard let calendar = CalendarObject(ICalendarDocument(object.source)) else { return }
        var editor = ComponentEditor(calendar.main)
        let minutes = 1 + value.utf8.reduce(0) { ($0 * 31 + Int($1)) % 5000 }
        if what == .addAlarm {
            let uid = [ContentLine(.uid, text: "alarm-\(value)")]
            editor.add(
                component: [ContentLine(.begin, value: "VALARM")] + (random.oneIn(2) ? uid : []) + [
                    ContentLine(.action, value: "DISPLAY"),
                    ContentLine(.description, text: value),
                    ContentLine(.trigger, value: "-PT\(minutes)M"),
                    ContentLine(.end, value: "VALARM"),
                ]
            )
        } else {
            guard let alarm = random.pick(calendar.main.components(.valarm)) else { return }
            if what == .removeAlarm {
                editor.remove(alarm)
            } else {
                editor.edit(alarm) { $0.set(ContentLine(.trigger, value: "-PT\(minutes)M")) }
            }
        }
        let source = calendar.document.applying(editor.edits).bytes
        try machine.store.write { try $0.update(object.id, StoredObject(source: source, index: object.index)) }
    }
}
