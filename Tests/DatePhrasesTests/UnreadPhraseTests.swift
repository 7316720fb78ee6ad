import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

@Suite("phrases that stay in a title")
struct UnreadPhraseTests {
    private static let reader = TitleParser(
        kinds: Set(ParsedTitle.Kind.allCases),
        lists: ["Household"],
        now: .test,
        zone: .berlin
    )

    /// Phrases that are also frequent words, fractions or past dates, so that a title may contain them without a date.
    private static let ordinaryWords: Set = [
        "none", "now", "a week", "a week ago", "31/12", "24/12", "2025-01-31", "2025-01-31 09:00",
    ]

    @Test(
        "each phrase of the table inside a title is taken as a whole, reported or refused, and never passed over",
        arguments: ["Pay # with Ben", "Pay # qwerty", "Pay # @money", "Pay # about", "# pay Ben"]
    )
    func law(template: String) throws {
        let rows = try PhraseTable("phrases/habits.tsv", columns: 4).rows
        let phrases = rows.filter { ["due", "repeat"].contains($0[0]) && !$0[2].hasPrefix("REFUSED") }.map { $0[1] }
        var passedOver: [String] = []
        for phrase in phrases where !Self.ordinaryWords.contains(phrase) {
            let isRule = (try? RepeatPhrase.read(phrase)) != nil && phrase.contains("every")
            guard isRule || (try? When(phrase)) != nil else { continue }
            guard let line = try? Self.reader.read(template.replacing("#", with: phrase)) else { continue }
            let taken = line.removed.filter { $0.kind == .due || $0.kind == .rule }.flatMap(\.words).map(String.init)
            let isWhole = taken.sorted() == phrase.split(separator: " ").map(String.init).sorted()
            if !line.isUndated, line.unread == nil, !isWhole { passedOver.append(phrase) }
        }
        #expect(passedOver == [])
    }

    @Test(
        "a title with such a phrase names it",
        arguments: [
            ("Rent every 15th please", "every 15th"), ("Read daily for Ben", "daily"),
            ("Send in 3 working days", "in 3 working days"), ("Water every!2 weeks", "every!2"),
            ("Call at 24:00", "at 24:00"), ("Sleep at 25:00", "at 25:00"), ("Pay 15th the rent", "15th"),
            ("Rent monthly please", "monthly"), ("Call every day with Ben", "every day"),
            ("Dinner 8pm with Ben", "8pm"), ("Run every day except sunday", "sunday"),
            ("Ship daily except today", "today"),
            ("Pay every month, first on 5 dec", "5 dec"),
            ("Call Ben yesterday", "yesterday"), ("Buy tickets 1 nov 2026", "1 nov 2026"),
            ("Concert sun 28 nov 20:00", "28 nov 20:00"),
        ]
    )
    func named(title: String, phrase: String) throws {
        let line = try Self.reader.read(title)
        #expect(line.unread?.text == phrase, "\(line)")
        #expect(line.title == title && line.when == nil && line.rule == nil, "\(line)")
    }

    @Test(
        "no other date is assumed for a certain phrase; an adjective may have one",
        arguments: [
            ("Read daily for Ben", true), ("Call every day with Ben", true), ("Run every day except sunday", true),
            ("Send in 3 working days", true), ("Call Ben yesterday", true), ("Write weekly report", false),
            ("Buy 2nd ticket", false), ("Call Tom Miller", false),
        ]
    )
    func certainty(title: String, isUndated: Bool) throws {
        #expect(try Self.reader.read(title).isUndated == isUndated)
    }

    @Test("a past date is reported as past", arguments: ["Call Ben yesterday", "Buy tickets 1 nov 2026"])
    func past(title: String) throws { #expect(try Self.reader.read(title).unread?.isPast == true) }

    @Test("a date before the name of an unknown list is taken, and the most similar list is named")
    func unknownList() throws {
        let line = try Self.reader.read("Milk friday @Hosehold")
        #expect(line.title == "Milk @Hosehold" && line.when == .day(.weekday(.friday), .whole))
        #expect(line.unknownLists == [.init(name: "Hosehold", nearest: "Household")])
        #expect(try Self.reader.read("Rent monthly @money").rule?.wire == "FREQ=MONTHLY")
        // A time is no name.
        #expect(try Self.reader.read("Gym friday @9am").isUndated)
    }

    @Test("a repetition that stays before a date is reported")
    func phraseLeft() throws {
        let line = try Self.reader.read("Send every week report tomorrow")
        #expect(line.when == .day(.days(1), .whole) && line.unread?.text == "every week")
        #expect(try Self.reader.read("Write weekly report tomorrow").unread == nil)
    }
}
