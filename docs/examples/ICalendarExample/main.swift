// Reads an iCalendar text, prints the due date of each to-do, edits a title and writes the text back with every other
// byte unchanged. Run it with `swift run ICalendarExample`.

import RemindavICalendar

let text = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//Example Corp.//Lists 1.0//EN\r
    BEGIN:VTODO\r
    UID:1f2e\r
    SUMMARY:Buy milk\r
    DUE;VALUE=DATE:20261201\r
    X-COLOUR;SHADE=deep:blue\r
    END:VTODO\r
    END:VCALENDAR\r

    """

let document = ICalendarDocument(text)
for issue in document.issues { print("Cannot be read: \(issue)") }

for todo in document.all(.vtodo) {
    let title = todo.first(.summary)?.text ?? "untitled"
    let due = todo.first(.due)?.moment.map(\.description) ?? "some day"
    print("\(title): \(due)")
}

if let todo = document.all(.vtodo).first {
    var editor = ComponentEditor(todo)
    editor.set(ContentLine(.summary, text: "Buy milk, and bread"))
    print(String(decoding: document.applying(editor.edits).bytes, as: UTF8.self))
}
