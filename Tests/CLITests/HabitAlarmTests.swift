import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavCLI

@Suite("alarm phrases that people know from other programs")
struct HabitAlarmTests {
    /// Friday, 20 November 2026, 18:05 in Berlin.
    private static let now = Instant(secondsSince1970: 1_795_194_300)

    @Test("--alarm accepts each phrase of the table with the expected alarms, or refuses it with the expected advice")
    func alarms() throws {
        let rows = try Fixture.rows("phrases/habits.tsv").filter { $0[0] == "alarm" }
        #expect(rows.count > 10)
        for row in rows { #expect(Self.outcome(row[1], expected: row[2]) == row[2], "\(row[1])") }
    }

    /// Returns `expected` if the phrase is refused as stated, and else the message.
    private static func outcome(_ phrase: String, expected: String) -> String {
        do throws(UsageError) {
            guard case .set(let phrases) = try ArgumentValues.alarmChange([phrase]) else { return "none" }
            var texts: [String] = []
            for phrase in phrases { texts.append(try self.text(phrase)) }
            return texts.joined(separator: " ")
        } catch {
            if expected == "PAST" { return error.code == .mustBeInFuture ? "PAST" : error.sentence }
            let text = expected.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
            return expected.hasPrefix("REFUSED") && error.sentence.contains(text) ? expected : error.sentence
        }
    }

    private static func text(_ phrase: AlarmPhrase) throws(UsageError) -> String {
        let nine = ClockTime(secondsOfDay: 9 * 3600)
        let choice = try UsageError.phrase { () throws(PhraseError) in
            try phrase.choice(now: self.now, zone: .berlin, dayTime: nine)
        }
        switch choice {
        case .atDue: return "PT0S"
        case .beforeDue(let duration): return "-\(duration)"
        case .at(let instant): return "at \(LocalZone.berlin.text(instant))"
        case .existing(let trigger): return "\(trigger)"
        case nil: return "none"
        }
    }
}
