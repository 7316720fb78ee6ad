import ICalendar
import Reminders
import TestSupport
import Testing

@testable import DatePhrases

/// The rows of a table of phrases: fields with a tab between, comments behind `#`.
struct PhraseTable {
    let rows: [[String]]

    init(_ path: String, columns: Int) throws {
        self.rows = try Fixture.rows(path)
        try #require(self.rows.allSatisfy { $0.count == columns }, "rows of \(columns) fields")
    }

    /// A due time as a row has it.
    static func meaning(_ due: DueChoice?) -> String {
        switch due {
        case nil: "none"
        case .date(let date): "date \(date)"
        case .local(let date, let time): "local \(date) \(time.hoursAndMinutes)"
        case .exact(let instant): "exact \(instant)"
        }
    }

    /// Whether a refusal is the one that a row expects: `? word`, `...` or `! text`.
    static func matches(_ expected: String, _ error: PhraseError, of phrase: String) -> Bool {
        let text = String(expected.dropFirst(2))
        let place = text == phrase ? "" : " in '\(phrase)'"
        return switch expected.first {
        case "?": error.sentence.hasPrefix("remindav does not understand '\(text)'\(place).")
        case "!": error.sentence.contains(text)
        case ".": error.sentence.hasPrefix("Something is missing behind '\(phrase)'.")
        default: false
        }
    }
}
