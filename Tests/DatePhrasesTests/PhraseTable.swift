import RemindavICalendar
import RemindavReminders
import RemindavTestSupport
import Testing

@testable import RemindavDatePhrases

/// The rows of a table of phrases: fields are separated by tabs, and comments begin with `#`.
struct PhraseTable {
    let rows: [[String]]

    init(_ path: String, columns: Int) throws {
        self.rows = try Fixture.rows(path)
        try #require(self.rows.allSatisfy { $0.count == columns }, "rows of \(columns) fields")
    }

    /// Returns a due time in the form of the table.
    static func meaning(_ due: DueChoice?) -> String {
        switch due {
        case nil: "none"
        case .date(let date): "date \(date)"
        case .local(let date, let time): "local \(date) \(time.hoursAndMinutes)"
        case .exact(let instant): "exact \(instant)"
        }
    }

    /// Whether an error is the expected one of a row: `? word`, `...` or `! text`.
    static func matches(_ expected: String, _ error: PhraseError, of phrase: String) -> Bool {
        let text = String(expected.dropFirst(2))
        let place = text == phrase ? "" : " in '\(phrase)'"
        return switch expected.first {
        case "?": error.sentence.hasPrefix("'\(text)'\(place) is not understood.")
        case "!": error.sentence.contains(text)
        case ".": error.sentence.hasPrefix("Something is missing after '\(phrase)'.")
        default: false
        }
    }
}
