import RemindavBridge
import RemindavReminders

/// A symbol after the title in a row of a listing.
enum RowMark: CaseIterable {
    case repeats, notes, alarms, link, subtasks

    /// The symbol, which has one column; ASCII for a terminal whose locale is not UTF-8.
    func symbol(isASCII: Bool) -> String {
        switch self {
        case .repeats: isASCII ? "%" : "\u{21BB}"
        case .notes: isASCII ? "=" : "\u{270E}"
        case .alarms: isASCII ? "@" : "\u{25F7}"
        case .link: isASCII ? "^" : "\u{21AA}"
        case .subtasks: isASCII ? "+" : "\u{229E}"
        }
    }

    /// The meaning, for the help page.
    var meaning: String {
        switch self {
        case .repeats: "repeats"
        case .notes: "notes"
        case .alarms: "alarm at another time than the due time"
        case .link: "link"
        case .subtasks: "open subtasks"
        }
    }

    func applies(to reminder: borrowing ReminderView) -> Bool {
        switch self {
        case .repeats: reminder.repeatRule != nil
        case .notes: reminder.marks.contains(.notes)
        case .alarms: reminder.marks.contains(.alarms)
        case .link: reminder.marks.contains(.link)
        case .subtasks: reminder.hasOpenSubtasks
        }
    }

    /// The paragraph of a help page: a line for each mark.
    static let help =
        Self.allCases.map { "  \($0.symbol(isASCII: false)) (\($0.symbol(isASCII: true)))  \($0.meaning)" }
        .joined(separator: "\n")
}
