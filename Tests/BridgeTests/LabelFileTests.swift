import RemindavICalendar
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavBridge

@Suite("labels in files")
struct LabelFileTests {
    private let useCases: UseCases

    init() throws { self.useCases = try Workplace.open() }

    private static let todo = "BEGIN:VTODO\r\nUID:u\r\nSUMMARY:One\r\nCATEGORIES:Work\r\nEND:VTODO\r\n"

    private func labelLines(_ bytes: [UInt8]) -> [String] {
        let document = ICalendarDocument(bytes)
        return document.components.flatMap { $0.all(.label) }.map { String(decoding: $0.content, as: UTF8.self) }
    }

    private func export(list: String? = nil, labels: [String] = []) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let filter = ReminderFilter(lists: list.map { [$0] } ?? [], labels: labels, includesCompleted: true)
        _ = try self.useCases.exportCalendar(matching: filter, style: .todo) { bytes += $0 }
        return bytes
    }

    @Test("without label colours a file has no label entry")
    func none() throws {
        try Workplace.load("BEGIN:VCALENDAR\r\n\(Self.todo)END:VCALENDAR\r\n", into: self.useCases)
        let text = String(decoding: try self.export(), as: UTF8.self)
        #expect(!text.contains("X-REMINDAV") && text.contains(Self.todo))
    }

    @Test("a file contains the label colours beside the to-dos, and another store reads them")
    func thereAndBack() throws {
        try Workplace.load("BEGIN:VCALENDAR\r\n\(Self.todo)END:VCALENDAR\r\n", into: self.useCases)
        let work = try self.useCases.recolorLabel("Work", to: LabelColor(rgb: 0x4CAF50))
        let odd = try self.useCases.addLabel(named: "a,b;c\\d 🏠", color: nil)
        let bytes = try self.export()
        #expect(
            self.labelLines(bytes) == [
                "X-REMINDAV-LABEL;X-COLOR=#FF5722;X-ID=\(odd.id ?? "");X-UPDATED=20261120T200000Z:a\\,b\\;c\\\\d 🏠",
                "X-REMINDAV-LABEL;X-COLOR=#4CAF50;X-ID=\(work.id ?? "");X-UPDATED=20261120T200000Z:Work",
            ]
        )
        #expect(String(decoding: bytes, as: UTF8.self).contains(Self.todo))

        let other = try Workplace.open()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try Workplace.load(text, into: other).labels == 2)
        #expect(try other.labels() == self.useCases.labels())
        #expect(try Workplace.export(other) == bytes)
        #expect(try Workplace.load(text, into: other).labels == 0)
        let stored = try other.store.read { snapshot in try snapshot.objects().map(\.source) }
        #expect(stored.allSatisfy { self.labelLines($0).isEmpty })
    }

    @Test("an export of some reminders contains only their labels")
    func part() throws {
        try Workplace.load("BEGIN:VCALENDAR\r\n\(Self.todo)END:VCALENDAR\r\n", into: self.useCases, list: "A")
        let secret = Self.todo.replacing("UID:u", with: "UID:v").replacing("Work", with: "Private")
        try Workplace.load("BEGIN:VCALENDAR\r\n\(secret)END:VCALENDAR\r\n", into: self.useCases, list: "B")
        for name in ["Work", "Private", "Unused"] { _ = try self.useCases.addLabel(named: name, color: nil) }
        #expect(self.labelLines(try self.export()).count == 3)
        for bytes in try [self.export(list: "A"), self.export(labels: ["WORK"])] {
            let lines = self.labelLines(bytes)
            #expect(lines.count == 1 && lines[0].hasSuffix(":Work"))
        }
    }

    /// A line of a file, and the result on a store that has the label Work in black since noon of that day.
    static let cases: [(line: String, hex: String, count: Int)] = [
        ("X-REMINDAV-LABEL;X-COLOR=#00FF00;X-UPDATED=20261121T120000Z:WORK", "#00FF00", 1),
        ("X-REMINDAV-LABEL;X-COLOR=#00FF00;X-UPDATED=20261119T120000Z:Work", "#000000", 0),
        ("X-REMINDAV-LABEL;X-COLOR=odd;X-UPDATED=20261121T120000Z:Work", "#000000", 0),
        ("X-REMINDAV-LABEL;X-COLOR=#00FF00:Work", "#000000", 0),
        ("X-REMINDAV-LABEL;X-COLOR=#00FF00;X-UPDATED=20261121:Work", "#000000", 0),
        ("X-REMINDAV-LABEL;X-COLOR=#00FF00;X-UPDATED=20261121T120000Z:", "#000000", 0),
    ]

    @Test("the later colour counts, and an unreadable line has no effect", arguments: cases.indices)
    func merging(index: Int) throws {
        let (line, hex, count) = Self.cases[index]
        let label = try self.useCases.addLabel(named: "Work", color: LabelColor(rgb: 0))
        let text = "BEGIN:VCALENDAR\r\n\(line)\r\n\(Self.todo)END:VCALENDAR\r\n"
        let report = try Workplace.load(text, into: self.useCases)
        #expect(report.labels == count && report.added == 1)
        let labels = try self.useCases.labels()
        #expect(labels.map(\.color.hex) == [hex] && labels.map(\.id) == [label.id])
    }

    @Test("a deleted label comes back with its file, and a dry run adds nothing")
    func broughtBack() throws {
        _ = try self.useCases.addLabel(named: "Work", color: LabelColor(rgb: 1))
        let bytes = try self.export()
        _ = try self.useCases.deleteLabel("Work")
        let plan = try self.useCases.importCalendar(
            Workplace.source(bytes + Array(Self.todo.utf8)),
            list: nil,
            dryRun: true,
            progress: { _ in }
        )
        #expect(try plan.labels == 1 && self.useCases.labels().isEmpty)
        let text = String(decoding: bytes, as: UTF8.self).replacing("END:VCALENDAR", with: "\(Self.todo)END:VCALENDAR")
        #expect(try Workplace.load(text, into: self.useCases).labels == 1)
        #expect(try self.useCases.labels().map(\.color.hex) == ["#000001"])
    }

    @Test("of a file with too many labels or with invalid numbers only valid labels are read, up to the limit")
    func hostile() throws {
        let lines = (0..<3000).map { number in
            "X-REMINDAV-LABEL;X-COLOR=#00FF00;X-ID=\"; DROP\";X-UPDATED=20261121T120000Z:Label \(number)\r\n"
        }
        let text = "BEGIN:VCALENDAR\r\n\(lines.joined())\(Self.todo)END:VCALENDAR\r\n"
        #expect(try Workplace.load(text, into: self.useCases).labels == LabelUpdates.limit)
        let ids = try self.useCases.labels().compactMap(\.id)
        #expect(Set(ids).count == LabelUpdates.limit && ids.allSatisfy { $0.utf8.count == 36 })
    }
}
