import RemindavICalendar
import RemindavReminders
import Testing

@Suite("the colour of a label")
struct LabelColorTests {
    @Test(
        "six digits, eight digits and the names of CSS are read",
        arguments: [
            ("#FF5722", "#FF5722"), ("ff5722", "#FF5722"), (" \t#4caf50\n", "#4CAF50"), ("#4CAF5080", "#4CAF50"),
            ("00000000", "#000000"), ("Tomato", "#FF6347"), ("lightgoldenrodyellow", "#FAFAD2"), ("GREY", "#808080"),
            ("rebeccapurple", "#663399"),
        ]
    )
    func read(text: String, hex: String) { #expect(LabelColor(text)?.hex == hex) }

    @Test(
        "a name of the palette is a colour, and takes precedence over CSS",
        arguments: [
            ("red", "#F44336"), ("Light Blue", "#03A9F4"), ("light-blue", "#03A9F4"), ("lightblue", "#03A9F4"),
            ("DEEP ORANGE", "#FF5722"), (" amber ", "#FFC107"), ("Tomato", "#FF6347"), ("dark-red", "#8B0000"),
            ("#4caf50", "#4CAF50"),
        ]
    )
    func paletteName(text: String, hex: String) { #expect(LabelColor(argument: text)?.hex == hex) }

    @Test("every name of the palette is read as its colour, and every other name is refused")
    func wholePalette() {
        for swatch in LabelColor.palette { #expect(LabelColor(argument: swatch.name) == swatch.color) }
        for text in ["", "-", "reddish", "#red", "#4c-af-50"] { #expect(LabelColor(argument: text) == nil) }
    }

    @Test(
        "anything else is no colour",
        arguments: [
            "", " ", "#", "none", "##FF5722", "#tomato", "#FF57 22", "0xFF5722", "-F5722", "+F5722", "#GG5722",
            "#FF572\u{0662}", "ＦＦ５７２２", "rgb(255,87,34)",
        ]
    )
    func unread(text: String) { #expect(LabelColor(text) == nil) }

    @Test("of 0 to 10 digits 6 and 8 are a colour, for any digits", arguments: 0...10)
    func lengths(count: Int) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let digits = (0..<count).compactMap { _ in "0123456789abcdefABCDEF".randomElement(using: &generator) }
            for text in [String(digits), "#" + digits] {
                let expected = count == 6 || count == 8 ? "#" + String(digits.prefix(6)).uppercased() : nil
                #expect(LabelColor(text)?.hex == expected, "\(text)")
            }
        }
    }

    @Test("a written colour is read as the same colour: the palette, and every 97th of all")
    func identity() {
        for swatch in LabelColor.palette { #expect(LabelColor(swatch.color.hex) == swatch.color) }
        for rgb in stride(from: UInt32(0), through: 0xFF_FFFF, by: 97) {
            let color = LabelColor(rgb: rgb)
            #expect(LabelColor(color.hex) == color && color.hex.utf8.count == 7)
        }
    }

    @Test("the palette has these sixteen colours in this order, each with a name of its own")
    func palette() {
        let expected = [
            "#F44336", "#E91E63", "#9C27B0", "#673AB7", "#3F51B5", "#2196F3", "#03A9F4", "#00BCD4", "#009688",
            "#4CAF50", "#8BC34A", "#CDDC39", "#FFEB3B", "#FFC107", "#FF9800", "#FF5722",
        ]
        #expect(LabelColor.palette.map(\.color.hex) == expected)
        #expect(
            LabelColor.palette.map(\.name) == [
                "red", "pink", "purple", "deep purple", "indigo", "blue", "light blue", "cyan", "teal", "green",
                "light green", "lime", "yellow", "amber", "orange", "deep orange",
            ]
        )
        #expect(LabelColor.standard.hex == "#FF5722")
        #expect(LabelColor.standard.paletteName == "deep orange")
        #expect(LabelColor(rgb: 0x123456).paletteName == nil)
    }

    /// The contrasts of white and black on each colour of the palette.
    static let contrasts: [(white: Double, black: Double)] = [
        (3.68, 5.70), (4.35, 4.83), (6.30, 3.33), (7.33, 2.87), (6.87, 3.06), (3.12, 6.72), (2.63, 7.99),
        (2.30, 9.14), (3.67, 5.72), (2.78, 7.56), (2.10, 10.00), (1.51, 13.89), (1.22, 17.20), (1.63, 12.88),
        (2.16, 9.74), (3.16, 6.64),
    ]

    @Test("the check mark is black or white, the one with the higher contrast, and at least 3 to 1")
    func checkMark() {
        let (white, black) = (LabelColor(rgb: 0xFFFFFF), LabelColor(rgb: 0))
        #expect(abs(white.contrast(with: black) - 21) < 0.001)
        for (swatch, measured) in zip(LabelColor.palette, Self.contrasts) {
            #expect(abs(swatch.color.contrast(with: white) - measured.white) < 0.006, "\(swatch.name)")
            #expect(abs(swatch.color.contrast(with: black) - measured.black) < 0.006, "\(swatch.name)")
            #expect((swatch.color.checkMark == .white) == (measured.white > measured.black), "\(swatch.name)")
        }
        for rgb in stride(from: UInt32(0), through: 0xFF_FFFF, by: 4099) {
            let color = LabelColor(rgb: rgb)
            #expect(color.contrast(with: color.checkMark == .white ? white : black) >= 3)
        }
    }
}

@Suite("the name of a label")
struct LabelNameTests {
    @Test(
        "spellings of one label have one key",
        arguments: [
            ("work", "WORK"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"), ("caf\u{E9}", "CAFE\u{301}"),
            ("Kelvin", "\u{212A}elvin"),
            ("ﬁle", "FILE"), (" work ", "work"), ("\u{1E9E}", "ss"), ("🏠 Home", "🏠 HOME"),
        ]
    )
    func same(one: String, other: String) { #expect(LabelKey(one) == LabelKey(other)) }

    @Test(
        "other labels have other keys",
        arguments: [("work", "works"), ("ı", "i"), ("é", "e"), ("a b", "ab"), ("🏠", "🏡")]
    )
    func different(one: String, other: String) { #expect(LabelKey(one) != LabelKey(other)) }

    @Test(
        "a name is trimmed and on one line",
        arguments: [
            (" Work ", "Work"), ("a\r\nb\tc", "a b c"), ("a\u{7}b", "ab"), ("\u{2003}x\u{A0}", "x"), ("👩‍👧", "👩‍👧"),
        ]
    )
    func checked(text: String, name: String) throws { #expect(try Label.checked(name: text) == name) }

    @Test(
        "a name without visible characters is refused",
        arguments: ["", " \n", "\u{200B}", "\u{2060}\u{FE0F}", "\u{1}"]
    )
    func required(text: String) {
        #expect(throws: LabelNameError.nameRequired) { try Label.checked(name: text) }
    }

    @Test("200 letters are a name, 201 are too many, and a letter may have several marks")
    func length() throws {
        let letter = "e\u{301}\u{323}"
        #expect(try Label.checked(name: String(repeating: letter, count: 200)).count == 200)
        #expect(throws: LabelNameError.nameTooLong) { try Label.checked(name: String(repeating: letter, count: 201)) }
    }

    @Test("a name whose key is too long for an index is refused")
    func bytes() throws {
        let letter = "e" + String(repeating: "\u{301}", count: 16)
        #expect(try Label.checked(name: String(repeating: letter, count: 31)).utf8.count == 1023)
        #expect(throws: LabelNameError.nameTooLong) { try Label.checked(name: String(repeating: letter, count: 32)) }
    }

    @Test("an edit keeps number and start time, and writes the time only if a value changes")
    func edit() throws {
        let later = Instant(secondsSince1970: now.secondsSince1970 + 60)
        let label = try Label(id: "1", name: " Work ", at: now)
        #expect((label.name, label.color, label.createdAt, label.updatedAt) == ("Work", .standard, now, now))
        #expect(try label.edited(name: "Work", color: .standard, at: later) == label)
        let edited = try label.edited(name: "Office", color: LabelColor(rgb: 1), at: later)
        #expect((edited.id, edited.name, edited.color.hex) == ("1", "Office", "#000001"))
        #expect((edited.createdAt, edited.updatedAt) == (now, later))
        #expect(throws: LabelNameError.nameRequired) { try label.edited(name: " ", at: later) }
    }
}

@Suite("the labels of a reminder")
struct RelabelingTests {
    @Test("the label is the first known one, and the others stay")
    func first() throws {
        let found = try #require(reminder("CATEGORIES:Odd,work,Home"))
        let known = try ["HOME", "Work"].map { try Label(id: $0, name: $0, at: now) }
        let table = Dictionary(uniqueKeysWithValues: known.map { ($0.key, $0) })
        #expect(found.label(among: table)?.name == "Work")
        #expect(found.label(among: [:]) == nil)
        #expect(found.labels == ["Odd", "work", "Home"])
    }

    /// Lines before, label, new name, lines after.
    static let cases: [(before: [String], label: String, name: String?, after: [String])] = [
        (["CATEGORIES:Work"], "work", "Job", ["CATEGORIES:Job"]),
        (["CATEGORIES:a, WORK ,c"], "Work", "Job", ["CATEGORIES:a, Job,c"]),
        (["CATEGORIES:Work"], "work", "a,b;c\\d", ["CATEGORIES:a\\,b\\;c\\\\d"]),
        (["CATEGORIES:a\\,b,x\\;y,C:\\temp"], "A,B", "Z", ["CATEGORIES:Z,x\\;y,C:\\temp"]),
        (["CATEGORIES:Work,job"], "work", "Job", ["CATEGORIES:job"]),
        (["CATEGORIES:Work", "CATEGORIES:job"], "work", "Job", ["CATEGORIES:job"]),
        (["CATEGORIES:Work,WORK"], "work", "Job", ["CATEGORIES:Job"]),
        (["CATEGORIES:work,Home"], "WORK", "Work", ["CATEGORIES:Work,Home"]),
        (["categories;LANGUAGE=\"en\";X-A=1:Work,Home"], "work", "Job", ["categories;LANGUAGE=\"en\";X-A=1:Job,Home"]),
        (["CATEGORIES:Work,Home"], "work", nil, ["CATEGORIES:Home"]),
        (["SUMMARY:Work", "CATEGORIES:Work", "X-B:Work"], "work", nil, ["SUMMARY:Work", "X-B:Work"]),
        (["CATEGORIES:Work,"], "work", nil, []),
        (["CATEGORIES:Workshop,Homework"], "work", "Job", ["CATEGORIES:Workshop,Homework"]),
        (["CATEGORIES:Straße"], "STRASSE", "Road", ["CATEGORIES:Road"]),
    ]

    @Test("only the value of the label is written again", arguments: cases.indices)
    func replaced(index: Int) throws {
        let (before, label, name, after) = Self.cases[index]
        let text = before.map { $0 + "\r\n" }.joined()
        let document = ICalendarDocument(
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:u\r\n\(text)END:VTODO\r\nEND:VCALENDAR\r\n"
        )
        let old = try #require(Reminder(document))
        let new = old.replacing(LabelKey(label), with: name, in: context)
        #expect(new.lines == after + (before == after ? [] : stamps))
        #expect(old.has(LabelKey(label)) == (before != after))
        #expect(new.has(LabelKey(label)) == (before != after && name.map { LabelKey($0) == LabelKey(label) } ?? false))
        if before == after { #expect(new.object.document.bytes == old.object.document.bytes) }
    }

    /// A series with an override, and an alarm with a text that equals the label.
    static let series = """
        BEGIN:VCALENDAR
        VERSION:2.0
        X-WR-CALNAME:Work
        BEGIN:VTODO
        UID:u
        SUMMARY:Work
        RRULE:FREQ=DAILY
        DTSTART:20261120T090000Z
        DUE:20261120T090000Z
        CATEGORIES:Work,Home
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:Work
        TRIGGER:-PT5M
        END:VALARM
        END:VTODO
        BEGIN:VTODO
        UID:u
        RECURRENCE-ID:20261121T090000Z
        DUE:20261121T100000Z
        CATEGORIES;X-A=1:Odd,work
        END:VTODO
        BEGIN:VTODO
        UID:u
        RECURRENCE-ID:20261122T090000Z
        DUE:20261122T100000Z
        CATEGORIES:Odd
        END:VTODO
        END:VCALENDAR

        """

    @Test("the overrides of a series get the new label, and no other line changes", arguments: ["Job", nil])
    func seriesFollows(name: String?) throws {
        let old = try #require(Reminder(ICalendarDocument(Self.series.replacing("\n", with: "\r\n"))))
        let new = old.replacing(LabelKey("work"), with: name, in: context)
        let differences = ComponentDifference.between(old.object.document, new.object.document)
        #expect(differences.count == 2)
        for difference in differences {
            #expect(Set(difference.properties.map(\.name)) == ["CATEGORIES", "LAST-MODIFIED"])
            #expect(difference.components.isEmpty)
        }
        let values = new.object.todos.map { $0.all(.categories).map(\.value) }
        let job = name.map { ",\($0)" } ?? ""
        #expect(values == [[name.map { "\($0),Home" } ?? "Home"], ["Odd\(job)"], ["Odd"]])
    }

    @Test("replacing a label and replacing it back changes the stamps only")
    func thereAndBack() throws {
        let old = try #require(
            reminder("CATEGORIES:a\\,b,Work,🏠 long long long long long long long long long long long")
        )
        let new = old.replacing(LabelKey("work"), with: "Job", in: context)
            .replacing(LabelKey("job"), with: "Work", in: context)
        #expect(new.object.todos[0].all(.categories).map(\.value) == old.object.todos[0].all(.categories).map(\.value))
    }
}
