import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

@Suite("parsing of a title")
struct TitleParserTests {
    private static let lists = ["Groceries", "My list", "Work", "WORK"]

    private static func reader(_ kinds: Set<ParsedTitle.Kind> = Set(ParsedTitle.Kind.allCases)) -> TitleParser {
        TitleParser(kinds: kinds, lists: self.lists, now: .test, zone: .berlin)
    }

    /// Returns a parsed title in the form of the third column of the table.
    private static func text(_ line: ParsedTitle) -> String {
        if line.removed.isEmpty { return "-" }
        var labels = line.labels[...]
        let parts = line.removed.map { taken in
            let meaning: String =
                switch taken.kind {
                case .due: PhraseTable.meaning(line.when?.resolved(now: .test, zone: .berlin))
                case .rule: line.rule?.wire ?? ""
                // A second spelling of a label adds no label.
                case .label: labels.popFirst() ?? line.labels.last ?? ""
                case .priority: line.priority?.rawValue ?? ""
                case .list: line.list ?? ""
                case .alarm: line.alarms.map { "\($0)" } ?? ""
                }
            return "\(taken.kind)=\(meaning) < \(taken.text)"
        }
        return (parts + (line.isStart ? ["start"] : [])).joined(separator: "; ")
    }

    @Test("every row of the table is parsed as stated")
    func table() throws {
        let rows = try PhraseTable("cli/titles.tsv", columns: 3).rows
        #expect(rows.count > 200)
        for row in rows {
            do throws(PhraseError) {
                let line = try Self.reader().read(row[0])
                #expect(line.title == (line.removed.isEmpty ? row[0] : row[1]), "\(row[0])")
                #expect(Self.text(line) == row[2], "\(row[0])")
                Self.expectLaws(of: line, in: row[0])
            } catch {
                #expect(row[2].hasPrefix("! ") && error.sentence.contains(row[2].dropFirst(2)), "\(row[0]): \(error)")
            }
        }
    }

    /// Checks that no word is lost or doubled, and that the removed parts have the reported places.
    private static func expectLaws(of line: ParsedTitle, in text: String) {
        let words = { (text: String) in
            text.split { $0.isLineBlank || $0 == "," }.map(String.init)
        }
        let taken = line.removed.flatMap(\.words)
        let all = words(line.title) + taken.flatMap { words(String($0)) }
        #expect(all.sorted() == words(text).sorted(), "\(text)")
        #expect(taken.allSatisfy { text[$0.startIndex..<$0.endIndex] == $0 }, "\(text)")
        let again = try? Self.reader().read(line.title)
        #expect(again?.removed == [] && again?.title == line.title, "\(text): \(line.title)")
    }

    @Test(
        "a title that may name a date has no other one",
        arguments: [
            "Call Ben 03/04/2027", "Buy milk tom", "Check oven 10m", "Sauerbraten 25. Dezember", "Call Ben 31.2.2027",
            "Prepare for friday", "Read Man Friday", "Meet monday friday", "Trip from 2026-12-01 to 2026-12-05",
            "Clean room 12 dec", "tomorrow", "Call Ben 2026-12-05 about friday",
            "Dentist on 3/12 at 15:30", "Call Ben on 12/3 at 9am", "Meeting 03/04 9am", "Meeting 03/04 tomorrow",
            "Meeting 3/4 9am", "Meeting 3.12 9am", "Party 31.12", "Dentist 3/12",
            "Team 27.11. 9:00 to 10:00", "Meeting 03/04/2027 with Ben at 9am", "Meeting friday the 4th at 9am",
            "Lunch the 4th 12pm", "Meeting 4th at 9am", "Dentist friday the 27th", "On the 4th call Ben",
            "Meeting tomorow 9am", "Meeting tom 9am", "Meeting fryday 9am", "Call Ben fryday", "Meeting Mittwoch 9am",
            "Mittwoch Meeting 9am", "Meeting Mittwoch every week", "Meeting week 48 9am", "Meeting week 48",
            "Meeting december 9am", "weekend", "Clean up weekend", "Clean up weekend 9am", "eod",
            "Report end of the week 9am", "Report by the end of the week", "Call Ben in the morning",
            "Call Ben two weeks from now", "Call Ben two weeks from now at 9am", "Zahnarzt morgen 15 Uhr",
            "Zahnarzt morgen 9am", "Zahnarzt 15 Uhr", "Friday call Ben", "On friday call Ben at 9am",
            "On friday call Ben about the car", "Meeting 24 dec with Ben", "Meeting 25. Dezember 9am",
            "Meeting wensday 9am", "Meeting mitwoch 9am", "Meeting sept 9am", "Call Ben on 3-12 at 9am",
            "Meeting 11-27 9am", "Meeting next wk 9am", "Meeting in a fortnight", "Meeting sat morning 9",
            "Meeting 3pm with Ben", "Meeting at 15:00 with Ben", "Meeting 4th every month at 9",
            "Call Ben 26-12-24", "Anruf morgen", "Call Ben on the weekend",
            "Pay bill every friday until christmas", "Pay rent 1st of every month",
            "Call Ben quarter past 9 tomorrow", "Call Ben at quarter to 9",
            "Call Ben at 5 to 9 friday", "Call Ben tomorow", "Conference mon-wed",
            "Open 9am-5pm", "Finish the 3rd", "Notes of 2026-12-01 for Ben", "Ask where the cat sat",
            "Clean oven sat @Home", "Clean oven sat", "Clean sink sun @nowhere",
            "Run 18:00 with Ben", "Lunch 12:30 with Ben", "Read dune yesterday", "Pay every mondy",
            "Run everyday", "Call Ben after 3 days", "Buy tree christmas", "Pay tod", "Lunch noon", "Pay P3D",
            "Lunch noon tomorrow", "Gym every day ending friday", "Rent In 3 Days",
        ]
    )
    func undated(_ text: String) throws {
        let line = try Self.reader().read(text)
        #expect(line.isUndated && line.when == nil && line.title == text)
        // A field with an option is not parsed.
        #expect(try !Self.reader([]).read(text).isUndated)
    }

    @Test(
        "a title without such words may have the default date",
        arguments: [
            "Call Ben", "Invoice 2025-12-01", "Buy screws 3/4", "Read 1984", "Install 13.1.2", "Bread @Markt",
            "Call Ben tomorrow", "Call Ben 2026-12-01", "Read John 3:16", "Room 12", "Buy 2 tickets", "Chapter 3",
            "Call May", "March on", "Buy may flowers", "Buy 2nd ticket", "Call Tom", "Buy 2.5 kg flour",
            "Install Swift 6.1", "Support 24/7", "Read part 1/10", "Buy weekend ticket", "Look at night sky",
            "Plan the weekend", "Buy a sundae", "Get more sun", "Buy sun cream", "Top 10 may win prizes",
            "Buy everyday shoes", "Buy christmas gifts", "Study Psalm 9:10", "Register for the SAT", "Invite Ben +1",
            "Invoice 1 dec 2025 for Ben", "Black Friday sale", "End of year report", "Buy milk 2%", "Boil eggs 10",
            "Read \"see you friday\" again", "Mondays are long",
        ]
    )
    func dated(_ text: String) throws {
        #expect(try !Self.reader().read(text).isUndated)
    }

    @Test(
        "a clear date is used although other words could be a date",
        arguments: [
            "Prepare for friday tomorrow", "Watch Freaky Friday tomorrow", "Buy screws 3/4 tomorrow",
            "Buy 2nd ticket at 9am", "Read pages 3-4 at 9am", "Call Ben about friday party tomorrow 9am",
            "Buy 2.5 kg flour at 9am", "Report of 3/12 2026-12-01", "Send friday report every monday", "Call Tom 9am",
            "Call May at 9am",
            "Meeting 3pm with Ben tomorrow", "Flight 2026-12-01 9am to Paris",
        ]
    )
    func sure(_ text: String) throws {
        let line = try Self.reader().read(text)
        #expect(!line.removed.isEmpty && !line.isUndated)
    }

    @Test("no word of a line is lost, and the resulting title contains no phrase", arguments: 0..<Cases.count(20))
    func salad(seed: Int) throws {
        let pieces = [
            "Call", "Ben", "the", "for", "and", "in", "on", "at", "by", "to", ",", "#home", "#\"two words\"", "!high",
            "!1", "@Groceries", "@work", "#1", "tomorrow", "today", "friday", "sun", "24 dec", "2026-12-01", "9am",
            "9:30", "17:30", "noon", "at 9", "in 2 hours", "in 3 days", "10 min", "next week", "end of month",
            "every day", "every monday", "every", "daily", "tonight", "24.12.2026", "06:40", "mon wed fri", "the 1st",
            "15.30", "until 2027-06-01", "10 times", "starting", "from",
            "\"in 2 days\"", "\"", "May", "Days", "1984", "eom", "FRIDAY",
        ]
        var generator = SeededGenerator(UInt64(seed))
        var taken = 0
        for _ in 0..<150 {
            let text = (0..<Int.random(in: 1...8, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }
                .joined(separator: Bool.random(using: &generator) ? " " : "  ")
            guard let line = try? Self.reader().read(text) else { continue }
            taken += line.removed.isEmpty ? 0 : 1
            Self.expectLaws(of: line, in: text)
        }
        #expect(taken > 0)
    }

    @Test("a part with an option is not parsed in the title", arguments: ParsedTitle.Kind.allCases)
    func options(kind: ParsedTitle.Kind) throws {
        let text = "Call Ben #home !high @Groceries *15m tomorrow every day"
        let all = try Self.reader().read(text)
        #expect(all.title == "Call Ben" && Set(all.removed.map(\.kind)) == Set(ParsedTitle.Kind.allCases))
        let without = try Self.reader(Set(ParsedTitle.Kind.allCases).subtracting([kind])).read(text)
        #expect(!without.removed.contains { $0.kind == kind })
        Self.expectWords(without, in: text)
        #expect(try Self.reader([]).read(text) == ParsedTitle(title: text))
    }

    private static func expectWords(_ line: ParsedTitle, in text: String) {
        let words = { (text: String) in text.split(separator: " ").map(String.init).sorted() }
        let all = ([line.title] + line.removed.flatMap { $0.words.map(String.init) }).joined(separator: " ")
        #expect(words(all) == words(text))
    }

    @Test("rec: counts from the completion, and rec:+ and recur: from the due date")
    func recurrencePairs() throws {
        for (pair, counts) in [("rec:3d", true), ("rec:+3d", false), ("recur:3d", false)] {
            let rule = try #require(try Self.reader().read("Water the plants \(pair)").rule, "\(pair)")
            #expect(rule.wire == "FREQ=DAILY;INTERVAL=3" && rule.countsFromCompletion == counts, "\(pair)")
        }
    }

    @Test(
        "a title with four times the words takes about four times as long",
        arguments: ["#\"a ", "\"a ", "“a ", "every day ", "#a@ ", "@a@ ", "a, "]
    )
    func long(piece: String) throws {
        func time(_ count: Int) -> Duration {
            let text = (0..<count).map { piece.replacing("@", with: "\($0)") }.joined()
            return ContinuousClock().measure { _ = try? Self.reader().read("Buy \(text)milk") }
        }
        // One success is enough, because of other load on the machine. A quadratic parser would take sixteen times as
        // long.
        #expect((0..<6).contains { _ in time(8_000) < time(2_000) * 9 })
    }
}
