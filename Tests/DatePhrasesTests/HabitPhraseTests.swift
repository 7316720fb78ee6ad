import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

@Suite("phrases that people know from other programs")
struct HabitPhraseTests {
    private struct Row: CustomStringConvertible {
        let place: String
        let phrase: String
        let expected: String
        var description: String { "\(self.place): \(self.phrase)" }
    }

    private static func rows(_ places: Set<String>) throws -> [Row] {
        try PhraseTable("phrases/habits.tsv", columns: 4).rows
            .map { Row(place: $0[0], phrase: $0[1], expected: $0[2]) }
            .filter { places.contains($0.place) }
    }

    @Test("the table has at least 300 phrases of todoman, taskwarrior, Todoist and Org mode")
    func size() throws {
        let rows = try PhraseTable("phrases/habits.tsv", columns: 4).rows
        #expect(rows.count >= 300)
        #expect(Set(rows.map { $0[3] }) == ["todoman", "taskwarrior", "Todoist", "Org mode"])
        #expect(Set(rows.map { $0[0...1].joined(separator: "\t") }).count == rows.count)
    }

    @Test("--due and snooze accept each phrase with the expected meaning, or refuse it with the expected advice")
    func due() throws {
        for row in try Self.rows(["due", "snooze"]) {
            let found = Self.outcome(row) { () throws(PhraseError) in
                let when = try When(row.phrase)
                let due = when.resolved(now: .test, zone: .berlin)
                if when.mayBePast || when == .later(seconds: 0) { return PhraseTable.meaning(due) }
                return PhraseTable.meaning(try due?.checkedToBeInFuture(now: .test, zone: .berlin))
            }
            #expect(found == row.expected, "\(row)")
        }
    }

    @Test("--repeat accepts each phrase with the expected rule and time, or refuses it with the expected advice")
    func repeats() throws {
        for row in try Self.rows(["repeat"]) {
            let found = Self.outcome(row) { () throws(PhraseError) in
                guard let phrase = try RepeatPhrase.read(row.phrase) else { return "none" }
                return Self.text(try phrase.ended(from: nil, now: .test, zone: .berlin)) + Self.text(phrase.when)
            }
            #expect(found == row.expected, "\(row)")
        }
    }

    @Test("a title accepts each phrase with the expected date, or refuses it with the expected advice")
    func titles() throws {
        let reader = TitleParser(kinds: Set(ParsedTitle.Kind.allCases), lists: [], now: .test, zone: .berlin)
        for row in try Self.rows(["title"]) {
            let found = Self.outcome(row) { () throws(PhraseError) in
                let line = try reader.read(row.phrase)
                let due = line.when.map { PhraseTable.meaning($0.resolved(now: .test, zone: .berlin)) }
                let isUsual = due == nil && line.rule == nil
                let phrase = line.rule.map { RepeatPhrase(rule: $0, end: line.end) }
                let rule = try phrase?.ended(from: nil, now: .test, zone: .berlin)
                let parts = [
                    due.map { line.isStart ? "start \($0)" : $0 }, rule.map(Self.text),
                    line.isUndated ? "undated" : isUsual ? "default" : nil,
                ]
                return ([line.title] + parts.compactMap(\.self)).joined(separator: " | ")
            }
            #expect(found == row.expected, "\(row)")
        }
    }

    private static func text(_ rule: RecurrenceRule) -> String {
        rule.wire + (rule.countsFromCompletion ? " from completion" : "")
    }

    /// Returns `row.expected` if the phrase is refused as stated, and else the message.
    private static func outcome(_ row: Row, _ body: () throws(PhraseError) -> String) -> String {
        do throws(PhraseError) { return try body() } catch {
            if row.expected == "PAST" { return error.code == .mustBeInFuture ? "PAST" : error.sentence }
            let text = row.expected.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
            return row.expected.hasPrefix("REFUSED") && error.sentence.contains(text) ? row.expected : error.sentence
        }
    }

    /// Returns the due time of a repetition: ` at 09:00`, ` from 2026-12-01` or ` from 2026-12-01 09:00`.
    private static func text(_ when: When?) -> String {
        guard let when else { return "" }
        if case .day(.soonest, .clock(let clock)) = when { return " at \(clock.hoursAndMinutes)" }
        return switch when.resolved(now: .test, zone: .berlin) {
        case .date(let date)?: " from \(date)"
        case .local(let date, let time)?: " from \(date) \(time.hoursAndMinutes)"
        case .exact?, nil: " from ?"
        }
    }
}
