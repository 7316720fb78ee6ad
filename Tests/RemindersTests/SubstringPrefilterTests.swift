import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavReminders

@Suite("the prefilter of a search")
struct SubstringPrefilterTests {
    private static func mayMatch(_ words: [String], _ text: String) throws -> Bool {
        var scan = SubstringPrefilter(try #require(SearchQuery(words)))
        return scan.mayMatch(Array(text.utf8).span)
    }

    @Test(
        "texts that cannot match are distinguished from those that can",
        arguments: [
            ("milk", "SUMMARY:Buy MILK", true), ("milk", "SUMMARY:Buy m\r\n ilk", true), ("milk", "SUMMARY:mil", false),
            ("milk", "SUMMARY:m\n\tilk", true), ("milk", "SUMMARY:m ilk", false), ("a b", "SUMMARY:a\\nb", true),
            ("a b", "SUMMARY:a\\n \\Nb", true), ("a,b", "SUMMARY:a\\,b", true), ("a;b", "SUMMARY:a\\;b", true),
            ("a b", "DESCRIPTION:a\r\nb", true), ("ab", "DESCRIPTION:a\r\nb", false), ("cafe", "SUMMARY:CAFÉ", true),
            ("cafe", "SUMMARY:cafe\u{301}", true), ("café", "SUMMARY:cafe", true), ("strasse", "SUMMARY:Straße", true),
            ("straße", "SUMMARY:STRASSE", true), ("co\u{AD}op", "SUMMARY:coop", true), ("a b", "X:a\u{A0} b", true),
            ("語", "SUMMARY:日本語", true), ("語", "SUMMARY:日本", false), ("n", "X:\u{4F8F}", false),
            ("final", "SUMMARY:\u{FB01}nal", true),
            ("sst", "SUMMARY:ßt", true), ("st", "SUMMARY:ßt", true), ("st", "SUMMARY:ßa", false),
            ("ss", "SUMMARY:sß", true), ("fix", "SUMMARY:a\u{FB01}x", true), ("fix", "SUMMARY:a\u{FB01}y", false),
            ("wal", "SUMMARY:w\u{301}a\u{AD}l", true), ("wal", "SUMMARY:wa\u{301}b", false), ("wal", "X:WA", false),
            ("wal", "SUMMARY:wa\u{0}l", false), ("w1", "SUMMARY:W\u{11}", false),
            // Encoded content that is not decoded here may match anything.
            ("milk", "SUMMARY;ENCODING=QUOTED-PRINTABLE:=6D=69=6C=6B", true), ("milk", "SUMMARY:m\\ilk", true),
            ("nope", "URL:\\nope", true), ("nope", "X:1\nurl;a=b:x\nope", true),
            ("nope", "X:1\nur\n l:x\\nope", true), ("us b", "DESCRIPTION:a\r\nus\r\nb", true),
            ("mi\\lk", "SUMMARY:x", true), ("milk", "SUMMARY:mil\rk", true),
            ("nope", "X:1\nurl:x\r\nope", true), ("milk", "SUMMARY:a\\b", true), ("milk", "SUMMARY:a\rb", true),
        ]
    )
    func examples(word: String, text: String, mayMatch: Bool) throws {
        #expect(try Self.mayMatch([word], "\(text)\r\n") == mayMatch)
    }

    private static let zone = [
        "BEGIN:VTIMEZONE", "TZID:Zone", "BEGIN:STANDARD", "TZNAME:CET", "END:STANDARD", "END:VTIMEZONE", "",
    ].joined(separator: "\r\n")

    @Test("a time zone is left out only if it certainly contains no reminder")
    func zones() throws {
        let todo = "BEGIN:VTODO\r\nSUMMARY:Milk\r\nEND:VTODO\r\n"
        let zone = Self.zone
        for whole in ["\(zone)\(todo)", "\(todo)\(zone)", "\(zone)\(zone)\(todo)\(zone)"] {
            let text = "BEGIN:VCALENDAR\r\n\(whole)END:VCALENDAR\r\n"
            #expect(try Self.mayMatch(["milk"], text) && !Self.mayMatch(["cet"], text))
        }
        let odd = [
            zone.replacing("END:VTIMEZONE", with: "\(todo)END:VTIMEZONE"),
            "\(zone.replacing("END:VTIMEZONE\r\n", with: ""))\(todo)\(zone)",
            "\(zone.replacing("END:VTIMEZONE\r\n", with: "END:VTIMEZONE\n"))\(todo)\(zone)",
            "\(zone.replacing("END:VTIMEZONE", with: "end:vtimezone"))\(todo)\(zone)",
            "\(zone.replacing("END:VTIMEZONE", with: "END:VTIME\r\n ZONE"))\(todo)\(zone)",
            "\(zone.replacing("BEGIN:VTIMEZONE\r\n", with: "BEGIN:VTIMEZONE\r\n -X\r\n"))\(todo)\(zone)",
            zone.replacing("TZID:Zone", with: todo.replacing("BEGIN:VTODO", with: "BEGIN:V\r\n TODO")),
        ]
        for text in odd {
            #expect(try Self.mayMatch(["milk"], "BEGIN:VCALENDAR\r\n\(text)END:VCALENDAR\r\n"), "\(text)")
        }
    }

    @Test("a word is found at every position, alone or among others, in any combination of searches")
    func everyPlace() throws {
        for place in 0..<100 {
            let before = String(repeating: "x", count: place)
            #expect(try Self.mayMatch(["walrus"], "\(before)WalruS\(before)"))
            #expect(try Self.mayMatch(["x", "walrus"], "\(before)xwal\r\n rus"))
            #expect(try !Self.mayMatch(["x", "walrus"], "\(before)xwalru\(before)"))
            #expect(try Self.mayMatch(["walrus"], "\(before)quo\r\n ted\(before)"))
            #expect(try Self.mayMatch(["wälrus"], "\(before)WÄLRUS\(before)"))
        }
    }

    @Test("a fold may split a letter between any two of its bytes, and invalid bytes may have any value")
    func tornLetters() throws {
        var scan = SubstringPrefilter(try #require(SearchQuery(["a\u{1F600}b"])))
        func look(_ bytes: [UInt8]) -> Bool { scan.mayMatch(bytes.span) }
        let bytes = Array("SUMMARY:a\u{1F600}B".utf8)
        for fold in ["\r\n ", "\n\t"] {
            for place in 9...13 { #expect(look(bytes[..<place] + Array(fold.utf8) + bytes[place...])) }
        }
        for odd in [[0xFF], [0x80], [0xC3], [0xC3, 0x41], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            #expect(look(Array("SUMMARY:x".utf8) + odd), "\(odd)")
        }
        #expect(!look(Array("SUMMARY:x\r\n".utf8)))
        #expect(!look([]))
    }

    // The prefilter is useful only if it excludes some texts; both results are counted.
    @Test("for any text and any folds, the prefilter omits no match")
    func law() throws {
        var random = SeededGenerator(5)
        var (found, missed, passedOver) = (0, 0, 0)
        // Cached letters of other texts do not change a result.
        var worn = try ["milk", "é", "ss"].map { SubstringPrefilter(try #require(SearchQuery([$0]))) }
        for _ in 0..<6000 {
            let source = Self.source(&random)
            guard let reminder = Reminder(ICalendarDocument(source)) else { continue }
            let texts = reminder.searchTexts
            let fields = [reminder.title] + texts.map(\.text) + reminder.labels
            for _ in 0..<4 {
                let words = (0..<Int.random(in: 1...2, using: &random)).map { _ in Self.word(fields, &random) }
                guard let query = SearchQuery(words) else { continue }
                var scan = SubstringPrefilter(query)
                let mayMatch = scan.mayMatch(source.span)
                let match = query.match(title: reminder.title, labels: reminder.labels) { texts }
                if match != nil { found += 1 } else if mayMatch { missed += 1 } else { passedOver += 1 }
                let shown = String(decoding: source, as: UTF8.self).debugDescription
                #expect(match == nil || mayMatch, "\(words) in \(shown)")
            }
            for index in worn.indices {
                var fresh = SubstringPrefilter(try #require(SearchQuery([["milk", "é", "ss"][index]])))
                let (one, other) = (fresh.mayMatch(source.span), worn[index].mayMatch(source.span))
                #expect(one == other)
            }
        }
        #expect(found > 3000)
        #expect(passedOver > 2000)
    }

    private static let pieces = [
        "a", "B", "Milk", "milk", "é", "e\u{301}", "ß", "SS", "ss", "\u{FB01}", "fi", "İ", "ı", "I", "\u{AD}", "中", "ガ",
        "Ω", "ς", "\u{1F600}", "\u{A0}", "\\n", "\\N", "\\,", "\\;", "\\\\", " ", "  ", "\t", "=41", "n", ",", "u",
        "URL:",
    ]
    private static let oddPieces = ["\\x", "\\", "\r", "\n", "\r\n", "\r\n ", "\u{0}"]
    private static let names = [
        "SUMMARY", "DESCRIPTION", "DESCRIPTION;ENCODING=QUOTED-PRINTABLE", "LOCATION", "URL", "CATEGORIES", "summary",
        "COMMENT", "SUMMARY;LANGUAGE=de", "X-ONE", "STATUS", "DUE;VALUE=DATE", "COMMENT;LANGUAGE=de", "contact",
    ]

    private static func source(_ random: inout SeededGenerator) -> [UInt8] {
        let end = random.chance(12) ? "\r" : random.chance(3) ? "\n" : "\r\n"
        let isOdd = random.chance(3)
        let zone = random.chance(2) ? Self.zone(end, isOdd, &random) : ""
        var bytes = Array("BEGIN:VCALENDAR\(end)\(zone)BEGIN:VTODO\(end)UID:1\(end)".utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            var line = Array((Self.names.randomElement(using: &random) ?? "").utf8) + [UInt8(ascii: ":")]
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let pieces = isOdd && random.chance(6) ? Self.oddPieces : Self.pieces
                line += Array((pieces.randomElement(using: &random) ?? "").utf8)
                if isOdd, random.chance(40) { line.append(0xE9) }
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let fold = Array((random.chance(3) ? "\(end)\t" : "\(end) ").utf8)
                line.insert(contentsOf: fold, at: Int.random(in: 1...line.count, using: &random))
            }
            bytes += line + Array(end.utf8)
        }
        let last = random.chance(2) ? Self.zone(end, isOdd, &random) : ""
        return bytes + Array("END:VTODO\(end)\(last)END:VCALENDAR\(end)".utf8)
    }

    /// A time zone, which may lack some of its lines or have them in another form.
    private static func zone(_ end: String, _ isOdd: Bool, _ random: inout SeededGenerator) -> String {
        let lines = ["BEGIN:VTIMEZONE", "TZID:Milk", "BEGIN:STANDARD", "END:STANDARD", "END:VTIMEZONE"]
        var text = ""
        for line in lines where !(isOdd && random.chance(5)) {
            let line = isOdd && random.chance(5) ? line.lowercased() : line
            text += isOdd && random.chance(8) ? "\(line.prefix(4))\(end) \(line.dropFirst(4))\(end)" : "\(line)\(end)"
        }
        return text
    }

    /// Returns a part of a field in another form, or a random text.
    private static func word(_ fields: [String], _ random: inout SeededGenerator) -> String {
        let letters = Array((fields.filter { !$0.isEmpty }.randomElement(using: &random) ?? "").unicodeScalars)
        var word = ""
        if letters.isEmpty || random.chance(4) {
            for _ in 0..<3 { word += Self.pieces.randomElement(using: &random) ?? "" }
        } else {
            let start = Int.random(in: 0..<letters.count, using: &random)
            let end = Int.random(in: start..<Swift.min(start + 6, letters.count), using: &random)
            word.unicodeScalars.append(contentsOf: letters[start...end])
        }
        return random.chance(2) ? word.uppercased() : word
    }
}
