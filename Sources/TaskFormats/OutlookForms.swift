import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// A row of an export for Outlook.
struct OutlookRow {
    /// The row in the record; `nil` for a reminder of another origin.
    let former: JSONObject?
    let row: JSONObject
    /// The dates of the reminder as `2026-12-24`.
    let dates: JSONObject

    func isChanged(_ column: String) -> Bool { self.row[column] != self.former?[column] }
}

/// The forms of the values in the imported rows of an export, so that new values have the same forms.
///
/// Outlook writes dates, times and words in the form of its language settings.
struct OutlookForms {
    /// The order and the form of the dates; `nil` if no imported row has a date.
    private let dates: OutlookDateForm?
    /// Whether times have `AM` or `PM`.
    private let hasHalves: Bool
    /// Whether `% Complete` goes to 100 instead of 1.
    private let hasPercent: Bool
    /// The status of a completed task.
    private let completed: String

    init(_ rows: [OutlookRow]) {
        func texts(_ column: String) -> [String] { rows.compactMap { $0.former?[column]?.string } }
        self.dates = OutlookDateForm(rows)
        self.hasHalves = texts("Reminder Time").contains { $0.uppercased().hasSuffix("M") }
        self.hasPercent = texts("% Complete").contains { text in
            NumberText.digits(text.replacing("%", with: "").trimmingWhiteSpace).map { $0 > 1 } ?? false
        }
        self.completed = texts("Status").first { $0.lowercased() == "complete" } ?? "Completed"
    }

    /// The rows with new values in the forms of the former ones.
    ///
    /// If a date was edited and the dates of the file then do not show the order of day and month, all dates have the form
    /// `2026-12-24`, so that an import can read them.
    func shaped(_ rows: [OutlookRow]) -> [JSONObject] {
        let columns = OutlookField.dateColumns
        let shaped = rows.map { row in
            row.row.members.filter { row.isChanged($0.name) }.reduce(row.row) { object, member in
                object.setting(member.name, to: member.value.string.map { .string(self.shaped(member.name, $0)) })
            }
        }
        let isEdited = rows.contains { row in columns.contains { row.isChanged($0) } }
        let texts = shaped.flatMap { row in columns.compactMap { row[$0]?.string } }
        guard isEdited, let dates = self.dates, !dates.isShown(by: texts) else { return shaped }
        return shaped.map { row in
            columns.reduce(row) { object, column in
                object.setting(column, to: object[column]?.string.map { .string(dates.plain($0)) })
            }
        }
    }

    private func shaped(_ column: String, _ text: String) -> String {
        switch column {
        case _ where OutlookField.dateColumns.contains(column):
            return ImportContext.date(text).flatMap { self.dates?.text($0) } ?? text
        case "Reminder Time" where self.hasHalves:
            guard let time = ImportContext.time(text) else { return text }
            let hour = time.secondsOfDay / 3600
            return "\((hour + 11) % 12 + 1)\(time.description.dropFirst(2)) \(hour < 12 ? "AM" : "PM")"
        case "% Complete" where self.hasPercent:
            // `1` means that the task is complete.
            return OutlookShare.percent(text).map { $0 == 1 ? text : String($0) } ?? text
        case "Status": return text == "Completed" ? self.completed : text
        default: return text
        }
    }
}

/// The form of the dates of a file, such as `12/24/2026` or `24.12.2026`.
private struct OutlookDateForm {
    private let order: DateOrder
    private let separator: Character
    private let isPadded: Bool

    init?(_ rows: [OutlookRow]) {
        // The dates of the reminders show the order, also if the dates of the file do not show it.
        let dates = rows.flatMap { row in
            OutlookField.dateColumns.compactMap { column in
                row.isChanged(column) ? nil : row.former?[column]?.string.map { ($0, row.dates[column]?.string) }
            }
        }
        func matches(_ order: DateOrder) -> Int {
            dates.count { text, date in date != nil && order.date(text)?.description == date }
        }
        let orders = DateOrder.words.compactMap { DateOrder(word: $0) }
        let texts = rows.flatMap { row in OutlookField.dateColumns.compactMap { row.former?[$0]?.string } }
        guard let order = orders.max(by: { matches($0) < matches($1) }),
            let text = texts.first(where: { ImportContext.date($0) == nil && order.date($0) != nil }),
            let separator = text.first(where: { "/.-".contains($0) })
        else { return nil }
        self.order = order
        self.separator = separator
        self.isPadded = texts.contains { text in
            text.split { !$0.isNumber }.contains { $0.count == 2 && $0.first == "0" }
        }
    }

    func text(_ date: CalendarDate) -> String {
        let parts = (self.order.isDayFirst ? [date.day, date.month] : [date.month, date.day]).map { number in
            self.isPadded && number < 10 ? "0\(number)" : String(number)
        }
        return (parts + [String(date.year)]).joined(separator: String(self.separator))
    }

    /// The date as `2026-12-24`; a text that is no date stays.
    func plain(_ text: String) -> String {
        ImportContext.date(text) == nil ? self.order.date(text)?.description ?? text : text
    }

    /// Whether an import finds this order from the dates of a file.
    func isShown(by texts: [String]) -> Bool {
        guard case .order(let order) = DateOrder.finding(texts.map { (line: 1, text: $0) }) else { return false }
        return texts.allSatisfy { order.date($0) == self.order.date($0) }
    }
}
