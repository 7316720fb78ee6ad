import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

@Suite("phrases for WHEN")
struct WhenPhraseTests {
    /// One row of `Fixtures/cli/when-phrases.tsv`.
    private struct Row {
        let phrase: String
        let now: Instant
        let zone: LocalZone
        let expected: String
    }

    private static func rows() throws -> [Row] {
        var zones: [String: LocalZone] = [:]
        return try PhraseTable("cli/when-phrases.tsv", columns: 4).rows.map { fields in
            let zone = try zones[fields[2]] ?? LocalZone.fixture(fields[2])
            zones[fields[2]] = zone
            let now = try #require(RFC3339.parse(fields[1])).instant
            return Row(phrase: fields[0], now: now, zone: zone, expected: fields[3])
        }
    }

    @Test("every row of the table is parsed or an error, as stated")
    func table() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 1200)
        for row in rows {
            do throws(PhraseError) {
                let due = try When(row.phrase).resolved(now: row.now, zone: row.zone)?
                    .checkedToBeInFuture(now: row.now, zone: row.zone)
                #expect(PhraseTable.meaning(due) == row.expected, "\(row.phrase) at \(row.now) in \(row.zone.name)")
            } catch {
                let isExpected =
                    switch error.code {
                    case .mustBeInFuture: row.expected == "past"
                    default: PhraseTable.matches(row.expected, error, of: row.phrase)
                    }
                #expect(isExpected, "\(row.phrase) at \(row.now) in \(row.zone.name): \(row.expected) and not \(error)")
            }
        }
    }

    @Test("a phrase without a year is never past, at any time")
    func neverPast() throws {
        var phrases: Set<String> = []
        for row in try Self.rows() where !"?!.pn".contains(row.expected.prefix(1)) {
            // A year is four digits; a day counted from today may be today.
            let hasYear = row.phrase.split { !$0.isNumber }.contains { $0.count == 4 }
            let isOfToday = ["today", "tonight", "end of", "eom"].contains { row.phrase.lowercased().contains($0) }
            if !hasYear, !isOfToday { phrases.insert(row.phrase) }
        }
        #expect(phrases.count > 250)
        let names = ["Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]
        let zones = try names.map { try LocalZone.fixture($0) }
        var generator = SeededGenerator(1)
        for phrase in phrases.sorted() {
            let when = try When(phrase)
            if when.mayBePast { continue }
            for _ in 0..<40 {
                // 1990 to 2100, to the second
                let now = Instant(secondsSince1970: Int64.random(in: 631_152_000..<4_102_444_800, using: &generator))
                let zone = zones[Int.random(in: zones.indices, using: &generator)]
                let due = try #require(when.resolved(now: now, zone: zone))
                #expect(throws: Never.self, "\(phrase) at \(now) in \(zone.name)") {
                    try due.checkedToBeInFuture(now: now, zone: zone)
                }
            }
        }
    }

    @Test("case and blanks make no difference")
    func spelling() throws {
        for row in try Self.rows() where !"?!.".contains(row.expected.prefix(1)) {
            let spread = row.phrase.split(separator: " ").joined(separator: " \t ")
            #expect(try When(" \(spread.uppercased()) ") == When(row.phrase), "\(row.phrase)")
        }
    }

    @Test("the times in lists and confirmations are valid input", arguments: 0..<400)
    func shown(day: Int) throws {
        let now = Instant(secondsSince1970: Instant.test.secondsSince1970 + Int64(day) * 86_400)
        let due = try #require(try When("in 3 days at 14:25").resolved(now: now, zone: .berlin))
        guard case .local(let date, let time) = due else { throw PhraseError(.badWhen, "not a time on the wall") }
        let shown = LocalZone.berlin.text(LocalZone.berlin.instant(date, time))
        #expect(try When(shown).resolved(now: now, zone: .berlin) == due)
    }
}
