import RemindavICalendar
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("listing and resolving conflicts")
struct ConflictUseCaseTests {
    private let useCases: UseCases
    private let reminder: Int64

    init() throws {
        self.useCases = try Workplace.open()
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\nSUMMARY:from there\nX-ODD:1\nEND:VTODO\nEND:VCALENDAR\n"
        try Workplace.load(text, into: self.useCases)
        self.reminder = try #require(try self.useCases.reminders(matching: ReminderFilter()).first?.id)
        let reminder = ObjectID(self.reminder)
        try self.useCases.store.write { transaction in
            guard let object = try transaction.object(reminder) else { return }
            for lines in ["SUMMARY:from here\n", nil] {
                let note = ConflictNote(
                    object: object.id,
                    uid: "u",
                    property: "SUMMARY",
                    losingText: "from here",
                    winningText: "from there",
                    losingSide: .local,
                    component: ["VTODO\n"],
                    losingLines: lines.map { Array($0.utf8) }
                )
                try transaction.recordConflict(note, in: object.list, at: 0)
            }
        }
    }

    private var title: String { get throws { try self.useCases.reminder(self.reminder).title } }

    @Test("a conflict has a number, the display name of the property, both values and the losing side")
    func view() throws {
        let conflict = try #require(try self.useCases.conflicts().last)
        #expect(conflict.number == 1 && conflict.reminder == self.reminder && conflict.title == "from there")
        #expect(conflict.field == "title" && conflict.property == "SUMMARY" && conflict.occurrence == nil)
        #expect(conflict.kept == "from there" && conflict.lost == "from here" && conflict.lostSide == "here")
    }

    @Test("lines of a conflict are read as a reminder, with the time zones of its object")
    func reading() throws {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Nowhere
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0200
            END:STANDARD
            END:VTIMEZONE
            """
        let text =
            "BEGIN:VCALENDAR\n\(zone)\nBEGIN:VTODO\nUID:z\nSUMMARY:z\nDUE;TZID=Nowhere:20261201T100000\n"
            + "END:VTODO\nEND:VCALENDAR\n"
        try Workplace.load(text, into: self.useCases)
        let all = try self.useCases.reminders(matching: ReminderFilter())
        let number = try #require(all.first { $0.uid == "z" }?.id)
        let record = try self.useCases.store.read { snapshot throws(DatabaseError) in
            try snapshot.object(ObjectID(number))
        }
        let lines = "DUE;TZID=Nowhere:20261201T090000\nDTSTART;TZID=Nowhere:20261201T080000"
        let view = self.useCases.reader.view(ofLines: lines, of: record)
        #expect(view?.due == "2026-12-01T09:00:00+02:00" && view?.start == "2026-12-01T08:00:00+02:00")
        for other in ["", "from here", "END:VTODO\nEND:VCALENDAR"] {
            #expect(self.useCases.reader.view(ofLines: other, of: record) == nil, "\(other)")
        }
    }

    @Test("the losing value is restored as an edit that can be undone, and the conflict is resolved")
    func restore() throws {
        let (conflict, run) = try self.useCases.restoreConflict(1)
        #expect(conflict.number == 1)
        #expect(try self.title == "from here")
        #expect(try self.useCases.conflicts().map(\.number) == [2])
        #expect(try self.useCases.conflicts(includingSettled: true).map { $0.settledAt != nil } == [false, true])
        #expect(try self.useCases.restoreConflict(1).run == nil, "twice is nothing")
        let operation = try #require(run)
        #expect(try self.useCases.log(run: operation).changes.map(\.fields) == [["title"]])
        #expect(try self.useCases.undo(.last).undone == operation)
        #expect(try self.title == "from there")
    }

    @Test("with the restored due time, the alarm at the due time moves too")
    func restoreDue() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTODO
            UID:due
            SUMMARY:Lunch
            DUE:20261202T110000Z
            X-REMINDAV-DUE-ALARM:20261202T110000Z
            BEGIN:VALARM
            UID:alarm
            ACTION:DISPLAY
            TRIGGER;VALUE=DATE-TIME:20261202T110000Z
            END:VALARM
            BEGIN:VALARM
            UID:other
            ACTION:DISPLAY
            TRIGGER;VALUE=DATE-TIME:20261202T100000Z
            END:VALARM
            END:VTODO
            END:VCALENDAR

            """
        try Workplace.load(text, into: self.useCases)
        let reminders = try self.useCases.reminders(matching: ReminderFilter())
        let reminder = try #require(reminders.first { $0.uid == "due" })
        let conflict = try self.useCases.store.write { transaction throws(DatabaseError) -> ConflictID? in
            guard let object = try transaction.object(ObjectID(reminder.id)) else { return nil }
            let note = ConflictNote(
                object: object.id,
                uid: "due",
                property: "DUE",
                losingText: "20261203T120000Z",
                winningText: "20261202T110000Z",
                losingSide: .local,
                component: ["VTODO\n"],
                losingLines: Array("DUE:20261203T120000Z\n".utf8)
            )
            return try transaction.recordConflict(note, in: object.list, at: 0)
        }
        _ = try self.useCases.restoreConflict(#require(conflict).rawValue)
        let stored = String(decoding: try Workplace.export(self.useCases), as: UTF8.self)
        for line in [
            "DUE:20261203T120000Z", "X-REMINDAV-DUE-ALARM:20261203T120000Z",
            "TRIGGER;VALUE=DATE-TIME:20261203T120000Z", "TRIGGER;VALUE=DATE-TIME:20261202T100000Z",
        ] {
            #expect(stored.contains(line), "\(line)")
        }
        #expect(!stored.contains("20261202T110000Z"))
    }

    @Test("a value that was not stored completely is not restored, and the error says so")
    func oldNote() throws {
        #expect(throws: UseCaseError(.losingLinesUnknown)) { try self.useCases.restoreConflict(2) }
        #expect(try self.useCases.conflicts().count == 2)
    }

    @Test("one conflict is dismissed, and all of them")
    func dismiss() throws {
        #expect(try self.useCases.dismissConflict(2))
        #expect(try !self.useCases.dismissConflict(2), "it is settled already")
        #expect(try self.useCases.conflicts().map(\.number) == [1])
        #expect(try self.useCases.dismissAllConflicts() == 1)
        #expect(try self.useCases.conflicts().isEmpty)
        #expect(throws: UseCaseError(.conflictNotFound)) { _ = try self.useCases.dismissConflict(9) }
        #expect(throws: UseCaseError(.conflictNotFound)) { try self.useCases.restoreConflict(9) }
        #expect(try self.title == "from there")
    }

    @Test("a conflict of a deleted reminder cannot be restored")
    func gone() throws {
        try self.useCases.delete(self.reminder)
        #expect(throws: UseCaseError(.changedReminderGone)) { try self.useCases.restoreConflict(1) }
        #expect(try self.useCases.conflicts().allSatisfy { $0.reminder == nil })
        _ = try self.useCases.undo(.last)
        _ = try self.useCases.restoreConflict(1)
        #expect(try self.title == "from here")
    }
}
