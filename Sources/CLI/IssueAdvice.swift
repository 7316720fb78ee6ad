/// What to do about each thing that `ics check` finds.
///
/// What is wrong is said where the codes are declared.
enum IssueAdvice {
    /// One sentence, `nil` for a code that needs none.
    static func sentence(for code: String) -> String? { self.sentences[code] }

    private static let sentences: [String: String] = [
        "missingColon": "Write NAME:value, or begin the line with a space when it continues the one before.",
        "badName": "Use letters, digits and hyphens only, as in X-MY-NAME.",
        "unclosedQuote": "Close the quote before the colon.",
        "badParameter": "Write ;NAME=value before the colon.",
        "missingEnd": "Add the END line of the component.",
        "unexpectedEnd": "Take the line out, or add the BEGIN that belongs to it.",
        "unexpectedText": "Take it out, or put it between BEGIN:VCALENDAR and END:VCALENDAR.",
        "tooDeep": "Put fewer components into one another.",
        "lineTooLong": "Keep large content elsewhere and link to it, as ATTACH can.",
        "componentTooLarge": "Keep large content elsewhere and link to it, as ATTACH can.",
        "notUTF8": "Save the file as UTF-8.",
        "controlCharacter": "Take the character out; in a text write \\n for a new line.",
        "missingUID": "Add a UID line with a name that nothing else has.",
        "duplicateUID": "Give one of the two another UID, or a RECURRENCE-ID.",
        "badValue": "Write the value as RFC 5545 describes it.",
        "duplicateProperty": "Keep the one that is meant.",
        "notICalendar": "Choose a file that begins with BEGIN:VCALENDAR.",
    ]
}
