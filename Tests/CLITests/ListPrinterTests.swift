import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders
import Testing

@testable import RemindavCLI

extension ReminderView {
    /// A reminder with all fields.
    static let sample = {
        var view = ReminderView(id: 12, uid: "3f2c-sample", list: "Work", title: "Call Ben", group: .today)
        view.notes = "About the \"offer\"\nRoom 5"
        view.due = "2026-11-20T09:00:00+01:00"
        view.dueZone = "Europe/Berlin"
        view.start = "2026-11-19T09:00:00+01:00"
        view.repeatRule = "FREQ=WEEKLY"
        view.status = .inProgress
        view.priority = .high
        view.labels = ["work", "phone"]
        view.alarms = ["-PT15M"]
        view.overdue = true
        view.createdAt = "2026-11-01T08:00:00Z"
        view.updatedAt = "2026-11-02T08:00:00Z"
        view.dueInstant = .utc(2026, 11, 20, 8, 0)
        return view
    }()

    /// A reminder with only a title.
    static let bare = ReminderView(id: 3, uid: "bare", list: "Inbox", title: "Learn to juggle", group: .undated)

    /// Creates a reminder of the table below.
    static func row(
        _ id: Int64,
        _ title: String,
        _ group: ListGroup,
        at instant: Instant? = nil,
        _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        var view = Self(id: id, uid: "uid-\(id)", list: "Inbox", title: title, group: group)
        view.dueInstant = instant
        change(&view)
        return view
    }
}

extension ListPrinter {
    /// The whole list as one text.
    fileprivate func list(_ reminders: [ReminderView], hasHeadings: Bool = true) -> StyledText {
        StyledText(self.pieces(reminders, hasHeadings: hasHeadings), between: "\n")
    }

    fileprivate func pieces(_ reminders: [ReminderView], hasHeadings: Bool = true) -> [StyledText] {
        var pieces: [StyledText] = []
        self.list(reminders, hasHeadings: hasHeadings) { piece in pieces.append(piece) }
        return pieces
    }
}

@Suite("list")
struct ListPrinterTests {
    @Test("a long list is passed in pieces of whole rows, the first one before the last rows exist")
    func pieces() {
        let reminders = (1...3000).map { number in
            ReminderView.row(Int64(number), "Reminder \(number)", number <= 1500 ? .undated : .completed)
        }
        let pieces = Self.printer.pieces(reminders).map { $0.rendered(inColor: false) }
        #expect(pieces.count > 2)
        #expect(pieces.allSatisfy { $0.utf8.count < 20_000 && !$0.hasSuffix("\n") })
        let rows = pieces.joined(separator: "\n").split(separator: "\n")
        #expect(rows.count { $0.contains("Reminder ") } == 3000)
        #expect(rows.count { $0 == "Completed" } == 1)
        let flat = Self.printer.pieces(reminders, hasHeadings: false).map { $0.rendered(inColor: false) }
        #expect(flat.count > 2)
        #expect(flat.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false).count == 3000)
    }

    @Test("a row marks a repeat, notes, alarms, a link and open subtasks; in ASCII if the locale is not UTF-8")
    func marks() {
        let view = ReminderView.row(3, "Milk", .undated) { view in
            view.repeatRule = ""
            view.marks = [.notes, .alarms, .link]
            view.hasOpenSubtasks = true
            view.labels = ["shop"]
        }
        var printer = Self.printer
        #expect(
            printer.list([view], hasHeadings: false).rendered(inColor: false)
                == "  3  Milk \u{21BB} \u{270E} \u{25F7} \u{21AA} \u{229E}  #shop"
        )
        printer.hasASCIIMarks = true
        #expect(printer.list([view], hasHeadings: false).rendered(inColor: false) == "  3  Milk % = @ ^ +  #shop")
        for mark in RowMark.allCases { #expect(DisplayWidth.columns(mark.symbol(isASCII: false)) == 1) }
    }

    @Test(
        "marks are ASCII only if a locale is set that is not UTF-8",
        arguments: [
            ([:], false), (["LANG": "en_US.UTF-8"], false), (["LC_ALL": "C.utf8"], false), (["LC_ALL": "C"], true),
            (["LC_ALL": "", "LC_CTYPE": "POSIX"], true), (["LC_ALL": "C", "LANG": "en_US.UTF-8"], true),
        ] as [([String: String], Bool)]
    )
    func locale(environment: [String: String], isOther: Bool) {
        #expect(environment.hasOtherLocaleThanUTF8 == isOther)
    }

    private static let printer = ListPrinter(text: LocalText(zone: .berlin, now: .test), columns: 200)

    private static let reminders: [ReminderView] = [
        .sample,
        .row(4, "Wash the car", .today, at: .utc(2026, 11, 19, 23, 0)) { view in
            view.allDay = true
            view.dueDay = CalendarDate(year: 2026, month: 11, day: 20)
        },
        .row(104, "日本語を勉強する", .today, at: .utc(2026, 11, 20, 20, 0)) { $0.priority = .low },
        .row(7, "Snoozed one", .today, at: .utc(2026, 11, 20, 8, 0)) { view in
            view.snoozedInstant = .utc(2026, 11, 20, 17, 20)
            view.isSnoozed = true
        },
        .row(8, "\u{1B}]0;evil\u{07}\nsecond line", .thisWeek, at: .utc(2026, 11, 25, 9, 30)) { view in
            view.labels = ["a", "b", "c", "d", "e", "f", "g"]
            view.priority = .medium
        },
        .row(9, "", .later, at: .utc(2027, 7, 1, 10, 0)),
        .bare,
        .row(1, "Buy milk", .completed) { view in
            view.status = .completed
            view.completedInstant = .utc(2026, 11, 18, 7, 15)
        },
        .row(2, "Never mind", .completed) { $0.status = .cancelled },
    ]

    @Test("sections, marks and columns equal those in the fixture")
    func wide() {
        let text = Self.printer.list(Self.reminders.sorted(by: ReminderView.inListOrder))
        expectSnapshot(text.rendered(inColor: false) + "\n", "list.txt")
        expectSnapshot(text.rendered(inColor: true) + "\n", "list-color.txt")
    }

    /// Reminders with wide, combining, right-to-left and long texts, and tails of every length.
    private static let varied: [ReminderView] =
        reminders + [
            .row(20, "wake up tomorrow, and open the window", .today, at: .utc(2026, 11, 20, 8, 0)) { view in
                view.overdue = true
            },
            .row(21, String(repeating: "語", count: 60), .today, at: .utc(2026, 11, 20, 9, 0)) { view in
                view.labels = ["日本語の勉強", "a label with a very long name indeed"]
                view.repeatRule = ""
            },
            .row(22, "👩‍👩‍👧‍👦 e\u{301}te\u{301} 🎂", .tomorrow, at: .utc(2026, 11, 21, 9, 0)) { view in
                view.priority = .high
                view.list = "Geburtstage und andere Feste"
            },
            .row(23, "שלום לכולם", .later, at: .utc(2026, 12, 24, 9, 0)) { $0.labels = ["בית", "home"] },
            .row(24, "Renew the passport", .today, at: .utc(2021, 3, 5, 23, 0)) { view in
                view.dueDay = CalendarDate(year: 2021, month: 3, day: 6)
                view.overdue = true
                view.status = .inProgress
                view.labels = ["papers", "travel", "later"]
            },
        ]

    private static func rendered(_ reminders: [ReminderView], columns: Int) -> String {
        ListPrinter(text: LocalText(zone: .berlin, now: .test), columns: columns)
            .list(reminders.sorted(by: ReminderView.inListOrder)).rendered(inColor: false)
    }

    @Test("the layout at several widths equals that in the fixture")
    func widths() {
        let pages = [20, 40, 60, 80, 200].map { "[\($0)]\n" + Self.rendered(Self.varied, columns: $0) + "\n" }
        expectSnapshot(pages.joined(separator: "\n"), "list-widths.txt")
    }

    @Test("no line is wider than the terminal, and no label, state or list is broken or omitted", arguments: 20...120)
    func everyWidth(columns: Int) {
        let text = Self.rendered(Self.varied, columns: columns)
        for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(String(line)) <= columns, "\(line)") }
        let words = text.split { $0 == " " || $0 == "\n" }
        for (word, count) in ["overdue": 3, "snoozed": 1, "#papers": 1, "#travel": 1, "#home": 1, "(Work)": 1] {
            #expect(words.count { $0 == word } == count, "\(word)")
        }
    }

    @Test("a title has at least two thirds of its room, or the whole room")
    func titleFirst() {
        let title = String(repeating: "x", count: 200)
        let row = { (labels: [String]) in
            Self.rendered([.row(5, title, .undated) { $0.labels = labels }], columns: 70)
        }
        #expect(row(["home"]) == "Upcoming\n  No date\n  5  \(String(repeating: "x", count: 57))…  #home")
        #expect(
            row(["home", "garden", "errands"])
                == "Upcoming\n  No date\n  5  \(String(repeating: "x", count: 64))…\n     #home #garden #errands"
        )
    }

    @Test("a list of one section has one heading; list names, dates and priorities appear only where there are some")
    func oneSection() {
        let text = Self.printer.list([.bare]).rendered(inColor: false)
        #expect(text == "Upcoming\n  No date\n  3  Learn to juggle")
    }

    @Test(
        "the mark of a label has its colour, its name is as legible as the rest; without colours there is no difference"
    )
    func labels() {
        var view = ReminderView.row(5, "Call", .today) { $0.labels = ["Home", "other", "WORK"] }
        var printer = Self.printer
        let plain = printer.list([view]).rendered(inColor: false)
        printer.labelStyles = [
            LabelKey("home"): TextStyle(code: "38;5;71"), LabelKey("work"): TextStyle(code: "38;5;32"),
        ]
        #expect(printer.list([view]).rendered(inColor: false) == plain)
        #expect(
            printer.list([view]).rendered(inColor: true).hasSuffix(
                "Call  \u{1B}[38;5;71m#\u{1B}[0mHome #other \u{1B}[38;5;32m#\u{1B}[0mWORK"
            )
        )
        view.labels = []
        #expect(printer.list([view]).rendered(inColor: true).hasSuffix("Call"))
    }

    @Test("the page of a reminder has all of its fields")
    func details() {
        let printer = DetailsPrinter(text: LocalText(zone: .berlin, now: .test))
        expectSnapshot(printer.details(ReminderDetails(.sample)).rendered(inColor: false) + "\n", "show.txt")
        expectSnapshot(printer.details(ReminderDetails(.bare)).rendered(inColor: false) + "\n", "show-bare.txt")
    }

    @Test("on a narrow terminal, values and notes are broken between words")
    func narrowDetails() {
        var view = ReminderView.bare
        view.labels = ["garden", "errands", "weekend"]
        view.notes = "First the tools, then the seeds.\nNo more."
        let printer = DetailsPrinter(text: LocalText(zone: .berlin, now: .test), columns: 32)
        #expect(
            printer.details(ReminderDetails(view)).rendered(inColor: false) == """
                Learn to juggle
                  Number      3
                  List        Inbox
                  Labels      garden, errands,
                              weekend
                  Status      open
                  UID         bare

                  First the tools, then the
                  seeds.
                  No more.
                """
        )
    }

    @Test(
        "the distance is counted in local days",
        arguments: [
            (Instant.utc(2026, 11, 20, 22, 59), "Fri 2026-11-20 23:59, today"),
            (.utc(2026, 11, 20, 23, 0), "Sat 2026-11-21 00:00, tomorrow"),
            (.utc(2026, 11, 19, 22, 59), "Thu 2026-11-19 23:59, yesterday"),
            (.utc(2026, 11, 27, 8, 0), "Fri 2026-11-27 09:00, in 7 days"),
            (.utc(2026, 11, 10, 8, 0), "Tue 2026-11-10 09:00, 10 days ago"),
            (.utc(2026, 12, 4, 8, 0), "Fri 2026-12-04 09:00, in 14 days"),
            (.utc(2026, 12, 5, 8, 0), "Sat 2026-12-05 09:00, in 2 weeks"),
            (.utc(2027, 1, 16, 8, 0), "Sat 2027-01-16 09:00, in 8 weeks"),
            (.utc(2027, 2, 28, 8, 0), "Sun 2027-02-28 09:00, in 3 months"),
            (.utc(2027, 7, 1, 7, 0), "Thu 2027-07-01 09:00, in 7 months"),
            (.utc(2024, 11, 20, 8, 0), "Wed 2024-11-20 09:00, 2 years ago"),
        ]
    )
    func distance(instant: Instant, expected: String) {
        #expect(LocalText(zone: .berlin, now: .test).long(instant) == expected)
    }

    @Test("the order is total: the result does not depend on the order before")
    func order() {
        let sorted = Self.reminders.sorted(by: ReminderView.inListOrder)
        #expect(sorted.map(\.id) == [4, 12, 7, 104, 8, 9, 3, 1, 2])
        for shift in Self.reminders.indices {
            let turned = Array(Self.reminders[shift...] + Self.reminders[..<shift])
            #expect(turned.sorted(by: ReminderView.inListOrder) == sorted)
            #expect(Array(turned.reversed()).sorted(by: ReminderView.inListOrder) == sorted)
            var quickly = turned
            quickly.sortInListOrder()
            #expect(quickly == sorted)
        }
    }
}
