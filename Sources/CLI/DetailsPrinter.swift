import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// Prints one field per line; a field with several values has one line for each value.
struct DetailsPrinter: Sendable {
    let text: LocalText
    /// The width of the terminal; without one, no line is broken.
    var columns = Int.max

    /// The maximum number of printed columns of a text property; `export` writes the whole text.
    private static let valueColumns = 60
    /// The maximum number of printed values of one field; `--json` prints more.
    private static let maximumValues = 20

    func details(_ details: ReminderDetails) -> StyledText {
        let reminder = details.reminder
        var result = StyledText(Sanitizer.title(reminder.title), .heading)
        let words = DetailsText(self.text) { DisplayWidth.fit(Sanitizer.line($0), into: Self.valueColumns) }
        for (name, values) in words.fields(details) {
            let values = values.filter { !$0.isEmpty }
            for (index, value) in values.prefix(Self.maximumValues).enumerated() {
                result += StyledText("\n  \(DisplayWidth.pad(index == 0 ? name : "", to: Self.nameColumns))")
                result += self.broken(Sanitizer.line(value))
            }
            if values.count > Self.maximumValues {
                result += StyledText("\n  " + String(repeating: " ", count: Self.nameColumns))
                result += StyledText("and \(values.count - Self.maximumValues) more")
            }
        }
        if let notes = reminder.notes {
            let lines = notes.split(separator: "\n", omittingEmptySubsequences: false)
            result += "\n"
            for line in lines {
                result += "\n"
                result += StyledText("  " + line.filter { $0 != "\r" }).wrapped(into: self.columns, indent: 0)
            }
        }
        return result
    }

    /// A value, broken between words, with the other lines below the first.
    private func broken(_ value: String) -> StyledText {
        let room = max(self.columns - Self.nameColumns - 2, Self.minimumValueColumns)
        let lines = StyledText(value).wrapped(into: room, indent: 0).rendered(inColor: false)
        return StyledText(lines.replacing("\n", with: "\n" + String(repeating: " ", count: Self.nameColumns + 2)))
    }

    /// The width of values on a very narrow terminal.
    private static let minimumValueColumns = 12

    private static let nameColumns = 12
}
