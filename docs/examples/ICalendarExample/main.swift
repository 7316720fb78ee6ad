// Parses an iCalendar text, prints its to-dos, changes one title, lists the dates of a repeat rule, and writes a new
// text. Run it with `swift run ICalendarExample`.

import RemindavICalendar
import RemindavRecurrence

let bytes = Array(
    """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//Example Corp.//Lists 1.0//EN\r
    BEGIN:VTODO\r
    UID:1f2e\r
    SUMMARY:Buy milk\r
    DTSTART;VALUE=DATE:20261201\r
    RRULE:FREQ=MONTHLY;BYDAY=1TU,3TU\r
    X-COLOUR;SHADE=deep:blue\r
    END:VTODO\r
    END:VCALENDAR\r

    """.utf8
)

let document = ICalendarDocument(bytes)
for issue in document.issues { print("Line \(issue.line): \(issue)") }

for todo in document.all(.vtodo) {
    print(todo.first(.summary)?.text ?? "untitled", todo.first(.dtstart)?.moment?.description ?? "some day")
}

if let todo = document.all(.vtodo).first {
    var editor = ComponentEditor(todo)
    editor.set(ContentLine(.summary, text: "Buy milk, and bread"))
    let edited = document.applying(editor.edits).bytes
    print(String(decoding: edited, as: UTF8.self))
}

// The dates of the rule. A program with time zones passes the zone files of its system instead of `nil`.
if let todo = document.all(.vtodo).first, let start = todo.first(.dtstart)?.moment {
    let zones = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: nil, local: "UTC")
    let rules = todo.all(.rrule).compactMap { try? RecurrenceRule(wire: $0.value) }
    let dates = RecurrenceSet(start: start, rules: rules, resolver: zones)
    for date in try dates.first(4) { print(date) }
}

// A new file, without writing text.
let alarm = ComponentDraft(.valarm, [ContentLine(.action, value: "DISPLAY"), ContentLine(.trigger, value: "-PT15M")])
let call = ComponentDraft(
    .vtodo,
    [
        ContentLine(.uid, text: "8a31"),
        ContentLine(.summary, text: "Call Ben; ask for the key"),
        ContentLine(.due, moment: .dateTime(CalendarDateTime(utc: Instant(secondsSince1970: 1_796_115_600)))),
    ],
    [alarm]
)
let file = ComponentDraft.calendar(productID: "-//Example Corp.//Lists 1.0//EN", [call])
print(String(decoding: file.bytes(), as: UTF8.self))
