import RemindavHTML

/// The keys, the phrases and the symbols.
struct HelpScreen: Part {
    /// Whether the person can use the commands of remindav on the machine.
    let hasCommands: Bool

    typealias Row = (term: String, meaning: String)

    static let keys: [Row] = [
        ("j or ↓, k or ↑", "next, previous row"), ("Enter", "open the row"),
        ("c", "complete or uncomplete the focused row"), ("s", "its snooze choices"),
        ("d", "delete it, after a question"), ("m, menu key, Shift+F10", "its menu"), ("n", "New Reminder"),
        ("q", "the line for a new reminder"), ("/", "search"), ("u", "undo the operation in the status line"),
        ("g then r, l, s, o, t", "Reminders, Labels, Sync, Log, Trash"),
        ("?, Escape", "Help; closes a menu and a question"),
    ]

    static let dates: [Row] = [
        ("today, tomorrow, friday, next monday", "that day"),
        ("2026-12-01, 31.12., 24 dec", "that day; with dots, the day is before the month"),
        ("9am, 17:30, noon, half past 9 pm", "the next such time"),
        ("tomorrow 9am, friday @ 2pm", "that day at that time"),
        ("tomorrow morning, this evening", "morning is 09:00, afternoon 15:00, evening 19:00"),
        ("in 2 hours, in 3 days, 45m", "that long after now"),
    ]

    static let repeats: [Row] = [
        ("daily, weekly, monthly, yearly", "on the day of the due date"),
        ("every 3 months, every other week", "with this distance"),
        ("every weekday, every mon and thu", "on these days of the week"),
        ("every 15th, every last day", "on these days of the month"),
        ("every last friday", "on this weekday of the month"),
        ("every 3 days after done", "that long after the completion"),
        ("every friday until 2026-12-24", "with a last date"),
    ]

    static let line: [Row] = [
        ("#home", "the label home"), ("!high", "the priority high"),
        ("a date or a repeat phrase at the end", "the due time and the repetition"),
    ]

    static let symbols: [Row] = [
        ("◯", "an open reminder; the round button completes it"),
        ("a filled circle", "a completed reminder; the button reopens it"), ("⋯", "more actions for the reminder"),
        ("a dot", "the colour of a label; its name is beside it"), ("#", "a label of a reminder"),
        ("a number at Reminders", "reminders with an unacknowledged alarm"),
    ]

    var body: some HTML {
        h1 { "Help" }
        h2 { "Keys" }
        p {
            "Every function works with Tab and Enter. Single keys need the script of the pages, and are off in fields."
        }
        // Without the script there are no single keys; page.js shows and keeps the state of the box.
        label(.class("choice")) {
            input(.type(.checkbox), .id("keys"), .isChecked)
            " Single keys in this browser"
        }
        Terms(rows: Self.keys)
        h2 { "Dates" }
        Terms(rows: Self.dates)
        h2 { "Repetition" }
        Terms(rows: Self.repeats)
        h2 { "The line for a new reminder" }
        p { "A line such as \"Call Ben tomorrow 9am #home !high\" has all parts of a reminder." }
        Terms(rows: Self.line)
        h2 { "Symbols" }
        Terms(rows: Self.symbols)
        if self.hasCommands {
            h2 { "More" }
            p { "The commands 'remindav help' and 'man remindav' describe all other functions." }
        }
    }
}

/// Terms with their meanings.
private struct Terms: Part {
    let rows: [HelpScreen.Row]

    var body: some HTML {
        dl(.class("terms card")) {
            Each(self.rows) { row in
                div {
                    dt { row.term }
                    dd { row.meaning }
                }
            }
        }
    }
}
