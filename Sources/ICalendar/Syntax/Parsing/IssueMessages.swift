extension ParseIssue.Code {
    /// The detail of an issue replaces the words in brackets; after a sentence without brackets, it is in parentheses.
    typealias Words = (severity: ParseIssue.Severity, sentence: String, advice: String)

    // swift-format-ignore
    var words: Words {
        switch self {
        case .missingColon: (.error, "there is no ':' between the name and the value; the line is skipped",
            "Write NAME:value, or begin the line with a space if it continues the previous line.")
        case .badName: (.error, "a name may contain only letters, digits and hyphens; the line is skipped",
            "Correct the name before the colon, or join the line with the line that it continues.")
        case .tornText: (.warning, "the text continues in another line; that line is read as a part of it",
            "Write \\n for a line break in the text.")
        case .unclosedQuote: (.error, "a quoted parameter value is not closed; the line is skipped",
            "Add the quotation mark. Write a quotation mark inside a value as ^'.")
        case .badParameter: (.warning, "a parameter has no '=' or no name; the parameter is skipped",
            "Write the parameter as NAME=value.")
        case .lineTooLong: (.error, "the line is longer than \(ParseLimits.standard.lineBytes >> 20) MiB",
            "Store large attachments outside of the file and refer to them by their address.")
        case .bareLineFeed: (.info, "[lines] end with LF; the standard requires CRLF",
            "Run 'remindav ics format FILE'. Most programs also read the file without this.")
        case .doubledReturn: (.error, "lines end with CR CR LF; a program on Windows probably added the second CR",
            "Download or export the file again, or remove the second CR: sed -i 's/\\r*$/\\r/' FILE.")
        case .bareReturn: (.warning, "lines end with CR alone; they are read as lines",
            "Run 'remindav ics format FILE'.")
        case .byteOrderMark: (.info, "the file begins with a byte order mark; it is skipped",
            "Save the file as UTF-8 without a byte order mark.")
        case .blankLine: (.info, "there is a blank line; it is skipped", "Run 'remindav ics format FILE'.")
        case .longLine: (.info, "a line is longer than 75 bytes; the standard recommends folds",
            "Run 'remindav ics format FILE'.")
        case .notUTF8: (.warning, "the text is not UTF-8; it is read as Windows-1252", "Save the file as UTF-8.")
        case .damagedLetter: (.warning, "a letter is damaged; the value is read as Windows-1252",
            "Write the letter again.")
        case .controlCharacter: (.warning, "the line contains [a control character], which is not changed",
            "Remove the character.")
        case .notICalendar: (.error, "this is [not iCalendar]",
            "Check the file: iCalendar begins with BEGIN:VCALENDAR.")
        case .emptyFile: (.error, "the file is empty", "Download or export it again.")
        case .wrappedCalendar: (.error, "the file contains a calendar, but [it also contains other text]",
            "Save only the calendar, as it was attached or exported.")
        case .utf16: (.error, "the file is in [UTF-16], but iCalendar must be in UTF-8",
            "Convert it first: iconv -f [UTF-16] -t UTF-8.")
        case .documentTooLarge: (.error, "the text is too large and was not read",
            "Split the file. 'remindav import FILE' has no such limit.")
        case .olderThanStored: (.warning, "the local reminder is newer and was not changed", "No action is necessary.")
        case .oldVersion: (.warning, "this is vCalendar 1.0; only its common parts with iCalendar are read",
            "Export the file as iCalendar 2.0 if the program can.")
        case .oldEncoding: (.warning, "the text is in quoted-printable, which iCalendar does not allow; it is decoded",
            "Export the file as iCalendar 2.0 if the program can.")
        case .oldAlarm: (.warning, "this is an alarm of vCalendar 1.0; it is read as an alarm that fires once at its time",
            "Export the file as iCalendar 2.0 if the program can.")
        case .missingEnd: (.error, "a component has no END; it is read up to its last line",
            "Add the END line, or download the file again: it may be incomplete.")
        case .fileCutShort: (.error, "the file ends before the END of the component; all its lines are read",
            "Download the file again, or add the missing lines up to END:VCALENDAR.")
        case .crossedEnds: (.warning, "its END comes after the END of [another one]; it already ends there",
            "Move the line before the other END.")
        case .unexpectedEnd: (.warning, "an END has no BEGIN; the line is skipped", "Remove the line.")
        case .unexpectedText: (.warning, "there is text outside of all components; it is skipped",
            "Remove the line, or move it into a component.")
        case .tooDeep: (.error, "components are nested more than \(ParseLimits.standard.depth) deep; inner components are not read, and an import leaves out the outermost one",
            "Flatten the components; no standard needs more than four levels.")
        case .componentTooLarge: (.error, "the component is larger than \(ParseLimits.standard.componentBytes >> 20) MiB",
            "Store large attachments outside of the file and refer to them by their address.")
        case .bareComponent: (.warning, "the component is outside of a VCALENDAR; it is read anyway",
            "Put BEGIN:VCALENDAR and END:VCALENDAR around it.")
        case .misplacedComponent: (.warning, "the component is not allowed in [the surrounding component]",
            "Move it to a component in which the standard allows it.")
        case .unknownComponent: (.info, "no standard defines a component with this name; it is kept but ignored",
            "No action is necessary if another program uses it.")
        case .missingUID: (.warning, "there is no UID; one is derived from the content",
            "Add a UID, so that other programs can identify the component.")
        case .duplicateUID: (.error, "an earlier component has the same UID and RECURRENCE-ID; [that one] is read",
            "Give one of them another UID, or remove it.")
        case .missingTimeZone: (.warning, "the file does not define this zone; it is looked up by its name",
            "Add the VTIMEZONE: not every program knows the zone by its name.")
        case .zoneWithoutObservance: (.error, "the zone has neither STANDARD nor DAYLIGHT, so it has no offset",
            "Add a STANDARD with TZOFFSETFROM and TZOFFSETTO.")
        case .relatedToItself: (.info, "the component is related to itself", "Remove the line.")
        case .stateContradicted: (.info, "[it contradicts the other properties about the completion]",
            "Correct the one that is wrong; other programs may interpret it differently.")
        case .missingProperty: (.warning, "[a property that it must have] is missing", "Add [the property].")
        case .missingEssential: (.error, "[a property] is missing, and without it the component has no effect",
            "Add [the property], or remove the component.")
        case .misplacedProperty: (.warning, "the property is not allowed in [this component]; it is kept but ignored",
            "Remove it, or move it to a component in which the standard allows it.")
        case .duplicateProperty: (.warning, "the property may occur only once; the first one with a value is used",
            "Remove the others.")
        case .obsoleteProperty: (.info, "RFC 5545 no longer defines this property; few programs read it",
            "Use the properties of the standard.")
        case .severalRules: (.info, "there is more than one RRULE; the standard recommends only one",
            "Use one rule, or RDATE, for other programs.")
        case .exclusiveProperties: (.warning, "the property is not allowed together with [the other], which is used",
            "Remove the line.")
        case .missingCompanion: (.warning, "there is no [other property, which it needs]",
            "Add what is missing, or remove the line.")
        case .triggerWithoutAnchor: (.warning, "there is no [time that it counts from], so the alarm never fires",
            "Add what is missing, or write the time of the alarm with VALUE=DATE-TIME.")
        case .endBeforeStart: (.warning, "[the end is not after the start]", "Correct one of the two times.")
        case .typesDiffer: (.warning, "[one is a day and the other a time]; they must be of one type",
            "Write both as days or both as times.")
        case .zoneDiffers: (.warning, "[one has a zone and the other has none]",
            "Write both with a zone, or both without.")
        case .unknownWord: (.warning, "the standard does not allow [the value] here; it is ignored",
            "Use one of the values of the standard.")
        case .emptyValue: (.warning, "the property has no value; it is ignored", "Remove the line.")
        case .emptyText: (.info, "the text is empty", "Remove the line.")
        case .badValue: (.error, "the value cannot be read", "Correct the value.")
        case .valueOutOfRange: (.error, "the number must be [in the range of the property]; it is ignored",
            "Correct the number.")
        case .oddForm: (.warning, "the standard does not allow this form; it is read as [the intended form]",
            "Write [it in the form of the standard].")
        case .doubledColon: (.info, "there are two colons before the text; the second one is read as a part of it",
            "Remove one of the two colons if it is a mistake.")
        case .unescapedSeparator: (.warning, "[a comma or semicolon] has no backslash; it is read as a part of the text",
            "Write it as \\, or \\;.")
        case .badAddress: (.warning, "the address has no scheme such as https: or mailto:",
            "Write the address in full.")
        case .soundName: (.info, "this is the name of a sound, not an address; other programs may not know it",
            "No action is necessary.")
        case .colorNotName: (.info, "the standard requires a CSS name such as red; not every program reads other forms",
            "Write the name of the nearest colour.")
        case .negativeDuration: (.warning, "the length must be positive; it is counted backwards",
            "Correct the length.")
        case .durationOfHours: (.warning, "DTSTART is a day, so the length must be in days or weeks; hours may be lost",
            "Write days or weeks, or add a time to DTSTART.")
        case .periodBackwards: (.warning, "a period ends before it begins", "Correct one of the two times.")
        case .typeContradicted: (.warning, "[VALUE contradicts the value]; the value is read by its form",
            "Write VALUE=DATE for a day, and VALUE=DATE-TIME for a time if it is not the default.")
        case .typeNotAllowed: (.warning, "the property may not have [a value of this type]",
            "Remove VALUE, or use a type that the property may have.")
        case .dayWithoutTime: (.warning, "this is a day, but it must be a time; it is read as midnight in UTC",
            "Write a time in UTC, such as 20261231T090000Z.")
        case .encodingContradicted: (.warning, "VALUE=BINARY and ENCODING=BASE64 must be used together; it is read as base64",
            "Write both.")
        case .notUTC: (.warning, "the time must be in UTC; it is read as UTC", "Add the Z.")
        case .emptyTimeZone: (.warning, "TZID is empty; the time is read without a zone",
            "Name the zone, or remove TZID.")
        case .needlessTimeZone: (.warning, "TZID is not allowed for [a day or a time in UTC]; it is ignored",
            "Remove TZID.")
        case .parameterNotAllowed: (.warning, "[the parameter] is not allowed here; it is kept but ignored",
            "Remove the parameter.")
        case .duplicateParameter: (.warning, "[a parameter] may occur only once; the first one is used",
            "Remove the others.")
        case .badRule: (.error, "the rule cannot be read; it is skipped", "Correct the part that the message names.")
        case .emptyRule: (.error, "the rule has no date: [there is no such date]", "Correct the rule, or remove it.")
        case .rulePartNotAllowed: (.warning, "[the rule has a part that it must not have]",
            "Remove the part, or use another FREQ.")
        case .unknownRulePart: (.warning, "no standard defines [this part]; it is ignored, and the dates may be wrong",
            "Use the parts of RFC 5545 if possible.")
        case .countAndUntil: (.warning, "COUNT and UNTIL must not be used together; the earlier one ends the rule",
            "Remove one of the two.")
        case .untilDiffers: (.warning, "[UNTIL is of another form than DTSTART]",
            "Write UNTIL as a day if DTSTART is a day, with a Z if DTSTART has a zone, and else without a Z.")
        case .startNotInRule: (.warning, "the rule has no date at DTSTART, so programs differ in the dates that they show",
            "Move DTSTART to the first date of the rule.")
        case .otherCalendar: (.info, "the rule uses a calendar other than Gregorian, so many programs do not show its dates",
            "No action is necessary.")
        }
    }
}

extension String {
    func filled(_ detail: String?) -> String {
        guard let open = self.utf8.firstIndex(of: UInt8(ascii: "[")),
            let close = self.utf8.lastIndex(of: UInt8(ascii: "]"))
        else { return self }
        let inner = self[self.utf8.index(after: open)..<close]
        return self[..<open] + (detail ?? String(inner)) + self[self.utf8.index(after: close)...]
    }
}
