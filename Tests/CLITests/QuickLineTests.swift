import Bridge
import ICalendar
import TestSupport
import Testing

@testable import CLI

@Suite("a title that is typed as one line")
struct QuickLineTests {
    private static let lists = ["Groceries", "My list", "Work", "WORK"]

    private static func reader(_ kinds: Set<QuickLine.Kind> = Set(QuickLine.Kind.allCases)) -> QuickReader {
        QuickReader(kinds: kinds, lists: self.lists, now: .test, zone: .berlin)
    }

    /// As the third column of the table has it.
    private static func text(_ line: QuickLine) -> String {
        if line.taken.isEmpty { return "-" }
        var labels = line.labels[...]
        let parts = line.taken.map { taken in
            let meaning: String =
                switch taken.kind {
                case .due: PhraseTable.meaning(line.when?.resolved(now: .test, zone: .berlin))
                case .rule: line.rule?.wire ?? ""
                // The second spelling of a label adds none.
                case .label: labels.popFirst() ?? line.labels.last ?? ""
                case .priority: line.priority?.rawValue ?? ""
                case .list: line.list ?? ""
                }
            return "\(taken.kind)=\(meaning) < \(taken.text)"
        }
        return (parts + (line.isStart ? ["start"] : [])).joined(separator: "; ")
    }

    @Test("every row of the table is read as it says")
    func table() throws {
        let rows = try PhraseTable("cli/quick-lines.tsv", columns: 3).rows
        #expect(rows.count > 200)
        for row in rows {
            do throws(UsageError) {
                let line = try Self.reader().read(row[0])
                #expect(line.title == (line.taken.isEmpty ? row[0] : row[1]), "\(row[0])")
                #expect(Self.text(line) == row[2], "\(row[0])")
                Self.expectLaws(of: line, in: row[0])
            } catch {
                #expect(row[2].hasPrefix("! ") && error.sentence.contains(row[2].dropFirst(2)), "\(row[0]): \(error)")
            }
        }
    }

    /// No word is lost, none is there twice, and what was taken stood where it says.
    private static func expectLaws(of line: QuickLine, in text: String) {
        let words = { (text: String) in
            text.split { $0.isLineBlank || $0 == "," }.map(String.init)
        }
        let taken = line.taken.flatMap(\.words)
        let all = words(line.title) + taken.flatMap { words(String($0)) }
        #expect(all.sorted() == words(text).sorted(), "\(text)")
        #expect(taken.allSatisfy { text[$0.startIndex..<$0.endIndex] == $0 }, "\(text)")
        let again = try? Self.reader().read(line.title)
        #expect(again?.taken == [] && again?.title == line.title, "\(text): \(line.title)")
    }

    @Test(
        "what looks like a day at the end and is none is told, and what to write",
        arguments: [
            ("Call Ben 24.12.2026", "No date was taken from the title. Write '24.12.2026' as 2026-12-24."),
            ("Call Ben on 24.12.2026", "No date was taken from the title. Write '24.12.2026' as 2026-12-24."),
            ("Dentist 24.12.2026 at 10am", "No date was taken from the title. Write '24.12.2026' as 2026-12-24."),
            ("Dentist 24.12. at 10:00", "No date was taken from the title. Write '24.12.' as '24 dec'."),
            (
                "Call Ben friday 9am @nowhere",
                "No date was taken from the title. There is no list for '@nowhere', and it stands behind the date."
            ),
            ("Call Ben 03/04/2027", "No date was taken from the title. People read '03/04/2027' as different days: "),
            ("Call Ben 24.12.26", "No date was taken from the title. Write '24.12.26' as 2026-12-24."),
            ("Call Ben 26-12-24", "No date was taken from the title. People read '26-12-24' as different days: "),
            ("Call Ben 2026/12/24", "No date was taken from the title. Write '2026/12/24' as 2026-12-24."),
            ("Call Ben 24.12.", "No date was taken from the title. Write '24.12.' as '24 dec'."),
            ("Call Ben tonight!", "No date was taken from the title. 'tonight': It names no hour: 'today 20:00' does."),
            ("Call Ben tmrw #home", "No date was taken from the title. 'tmrw': Write 'tomorrow'."),
            ("Anruf morgen", "No date was taken from the title. 'morgen': Words are English: 'tomorrow'."),
            ("Call Ben this weekend", "No date was taken from the title. 'weekend': Write 'saturday'."),
            ("Call Ben tomorrow 9", "No date was taken from the title. Write 'tomorrow at 9' or 'tomorrow 9am'."),
            ("Call Ben on 24 dec 15", "No date was taken from the title. Write 'on 24 dec at 15'."),
            ("Milk ##home", "'##home' is no label; '#home' is one."),
            ("Gym every 2 days at 7am starting monday", "No date was taken from the title. 'every 2 days at 7am "),
            ("Pay bill every week on friday at 5pm starting next week", "No date was taken from the title. 'every"),
            ("Pay bill every night at 9pm", "No date was taken from the title. 'every night at 9pm' is not understood"),
            ("Pay bill every friday until christmas", "No date was taken from the title. 'every friday until"),
            ("Pay rent 1st of every month", "No date was taken from the title. 'every month' is not understood"),
            (
                "Dinner with Ben at 7",
                "No date was taken from the title. If that is a time, write 'at 7am' or 'at 7pm'."
            ),
            ("Dinner at 7", "No date was taken from the title. If that is a time, write 'at 7am' or 'at 7pm'."),
            ("Dinner at 19", "No date was taken from the title. If that is a time, write 'at 19:00'."),
            (
                "Call Ben quarter past 9 tomorrow",
                "No date was taken from the title. Write the time as 'tomorrow at 9:15'."
            ),
            ("Call Ben at quarter to 9", "No date was taken from the title. Write the time as 'at 8:45'."),
            ("Call Ben at 5 to 9 friday", "No date was taken from the title. Write the time as 'friday at 8:55'."),
            ("Milk ##home tomorrow", "'##home' is no label; '#home' is one."),
            ("Call Ben tomorow", "No date was taken from the title. 'tomorow': Write 'tomorrow'."),
            ("Call Ben tomorrow morning", "No date was taken from the title. 'morning' names no hour: 'tomorrow at 9"),
            ("Call Ben in half an hour", "No date was taken from the title. Write 'in 30 min'."),
            ("Call Ben 2026-12-01T14:00", "No date was taken from the title. Write '2026-12-01 14:00'."),
            ("Water plants biweekly", "No date was taken from the title. 'biweekly': Write 'every 2 weeks'."),
        ]
    )
    func hints(_ text: String, _ hint: String) throws {
        let line = try Self.reader().read(text)
        #expect(line.hints.count == 1)
        #expect(line.hints.first?.hasPrefix(hint) == true, "\(line.hints)")
        #expect(try Self.reader([]).read(text).hints == [])
    }

    @Test(
        "what a title is about is no reason to say anything",
        arguments: [
            "Call Ben", "Buy screws 3/4", "Invoice 24.12.2025", "Songs for tonight", "Plan the weekend",
            "Read John 3:16", "Install Swift 6.1.2", "Install macOS 10.12.6", "Invoice 24.12.25", "Install 1.2.15",
            "Invoice 2025/12/24", "Part 1-2-3",
            "Buy milk 2%", "Say good morning", "Milk #home", "Milk ##", "Read 1984", "Call Ben tomorrow",
            "Boil eggs 10", "Prepare for tomorrow 9", "tonight", "C##", "Gym every monday", "Gym daily at 7",
            "Read pages 5 to 9 tomorrow", "Walk 5 to 9 dogs", "Watch Saturday Night", "Play Every Day", "Buy 2 to 12",
        ]
    )
    func noHints(_ text: String) throws {
        #expect(try Self.reader().read(text).hints == [])
    }

    @Test("whatever words stand in a line, none is lost, and the title says nothing more", arguments: 0..<20)
    func salad(seed: Int) throws {
        let pieces = [
            "Call", "Ben", "the", "for", "and", "in", "on", "at", "by", "to", ",", "#home", "#\"two words\"", "!high",
            "!1", "@Groceries", "@work", "#1", "tomorrow", "today", "friday", "sun", "24 dec", "2026-12-01", "9am",
            "9:30", "17:30", "noon", "at 9", "in 2 hours", "in 3 days", "10 min", "next week", "end of month",
            "every day", "every monday", "every", "daily", "until 2027-06-01", "10 times", "starting", "from",
            "\"in 2 days\"", "\"", "May", "Days", "1984", "eom", "FRIDAY",
        ]
        var generator = SeededGenerator(UInt64(seed))
        var taken = 0
        for _ in 0..<150 {
            let text = (0..<Int.random(in: 1...8, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }
                .joined(separator: Bool.random(using: &generator) ? " " : "  ")
            guard let line = try? Self.reader().read(text) else { continue }
            taken += line.taken.isEmpty ? 0 : 1
            Self.expectLaws(of: line, in: text)
        }
        #expect(taken > 10)
    }

    @Test("what an option has said is not looked for", arguments: QuickLine.Kind.allCases)
    func options(kind: QuickLine.Kind) throws {
        let text = "Call Ben #home !high @Groceries tomorrow every day"
        let all = try Self.reader().read(text)
        #expect(all.title == "Call Ben" && Set(all.taken.map(\.kind)) == Set(QuickLine.Kind.allCases))
        let without = try Self.reader(Set(QuickLine.Kind.allCases).subtracting([kind])).read(text)
        #expect(!without.taken.contains { $0.kind == kind })
        Self.expectWords(without, in: text)
        #expect(try Self.reader([]).read(text) == QuickLine(title: text))
    }

    private static func expectWords(_ line: QuickLine, in text: String) {
        let words = { (text: String) in text.split(separator: " ").map(String.init).sorted() }
        let all = ([line.title] + line.taken.flatMap { $0.words.map(String.init) }).joined(separator: " ")
        #expect(words(all) == words(text))
    }

    @Test(
        "four times the words take about four times as long",
        arguments: ["#\"a ", "\"a ", "“a ", "every day ", "#a@ ", "@a@ ", "a, "]
    )
    func long(piece: String) throws {
        func time(_ count: Int) -> Duration {
            let text = (0..<count).map { piece.replacing("@", with: "\($0)") }.joined()
            return ContinuousClock().measure { _ = try? Self.reader().read("Buy \(text)milk") }
        }
        // Others work on the machine as well: once is enough. What grows with the square takes sixteen times as long.
        #expect((0..<6).contains { _ in time(16_000) < time(4_000) * 9 })
    }
}
