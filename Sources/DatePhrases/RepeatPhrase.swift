package import ICalendar
import Reminders

/// Reads the value of `--repeat`.
package enum RepeatPhrase {
    /// The rule in words or as the text of an RRULE; `nil` for `none` and `never`.
    package static func rule(_ text: String) throws(PhraseError) -> RecurrenceRule? {
        let text = text.trimmingWhiteSpace
        if ["none", "never"].contains(text.lowercased()) { return nil }
        let hasPrefix = text.uppercased().hasPrefix("RRULE:")
        guard hasPrefix || text.contains("=") else {
            var parser = RepeatParser(text)
            return try parser.parse()
        }
        guard let rule = try? RecurrenceRule(wire: hasPrefix ? String(text.dropFirst(6)) : text) else {
            throw PhraseError(.badValue, "'\(text)' is not a rule that remindav understands. \(Self.forms)")
        }
        return rule
    }

    /// The end of each error message.
    static let forms = """
        '--repeat' is none, words such as 'every 2 weeks on mon,thu', 'every weekday' or \
        'monthly on the 15th until 2027-06-01', or a rule such as 'FREQ=WEEKLY;BYDAY=MO,TH'.
        """
}
