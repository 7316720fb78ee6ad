import Bridge
import ICalendar
import TestSupport
import Testing

@testable import CLI

/// The rows of a table of phrases: fields with a tab between, comments behind `#`.
struct PhraseTable {
    let rows: [[String]]

    init(_ path: String, columns: Int) throws {
        self.rows = try Fixture.text(path).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == columns, "a row of \(columns) fields")
            return fields
        }
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
    static func matches(_ expected: String, _ error: UsageError, of phrase: String) -> Bool {
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

extension LocalZone {
    /// A zone of `Fixtures/tz`; nothing of the machine's.
    static func fixture(_ name: String) throws -> LocalZone {
        try .system(["TZ": name, "TZDIR": "\(Fixture.folder)/tz"], now: .test)
    }
}
