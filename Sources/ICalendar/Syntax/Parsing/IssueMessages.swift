extension ParseIssue.Code {
    /// The detail of an issue replaces the words in brackets, or follows the sentence in parentheses.
    typealias Words = (severity: ParseIssue.Severity, sentence: String, advice: String)

    // swift-format-ignore
    var words: Words {
        switch self {
        case .missingColon: (.error, "there is no ':' between the name and the value; the line is skipped",
            "Write NAME:value, or begin the line with a space when it continues the one before.")
        case .badName: (.error, "a name may hold letters, digits and hyphens only; the line is skipped",
            "Correct the name before the colon, or put the line together with the one that it belongs to.")
        case .tornText: (.warning, "the text continues in another line, which is read as a part of it",
            "Write \\n where the text begins a new line.")
        case .unclosedQuote: (.error, "a quoted parameter value is not closed; the line is skipped",
            "Add the quotation mark, or write one inside a value as ^'.")
        case .badParameter: (.warning, "a parameter has no '=' or no name; the parameter is skipped",
            "Write the parameter as NAME=value.")
        case .lineTooLong: (.error, "the line is longer than \(ParseLimits.standard.lineBytes >> 20) MiB",
            "Put large attachments beside the file and refer to them by their address.")
        case .bareLineFeed: (.info, "[lines] end with LF; the standard asks for CRLF",
            "Run ics format on the file; most programs read it as it is.")
        case .doubledReturn: (.error, "lines end with CR CR LF, as a program writes them that lets Windows add a second CR",
            "Fetch or export the file again, or take the second CR away: sed -i 's/\\r*$/\\r/' FILE.")
        case .bareReturn: (.warning, "lines end with CR alone; they are read as lines", "Run ics format on the file.")
        case .byteOrderMark: (.info, "the file begins with a byte order mark; it is skipped",
            "Save the file as UTF-8 without a byte order mark.")
        case .blankLine: (.info, "there is a blank line; it is skipped", "Run ics format on the file.")
        case .longLine: (.info, "a line is longer than 75 octets; the standard asks for folds",
            "Run ics format on the file.")
        case .notUTF8: (.warning, "the text is not UTF-8; it is read as Windows-1252", "Save the file as UTF-8.")
        case .damagedLetter: (.warning, "a letter is damaged; the value is read as Windows-1252",
            "Write the letter again.")
        case .controlCharacter: (.warning, "the line holds [a control character], which is kept as it is",
            "Remove the character.")
        case .notICalendar: (.error, "this is [not iCalendar]",
            "Check the file: iCalendar begins with BEGIN:VCALENDAR.")
        case .emptyFile: (.error, "the file is empty", "Fetch or export it again.")
        case .wrappedCalendar: (.error, "there is a calendar in it, and [something is around it]",
            "Save the calendar itself, as it was attached or exported.")
        case .utf16: (.error, "the file is in [UTF-16], and iCalendar is UTF-8",
            "Convert it first: iconv -f [UTF-16] -t UTF-8.")
        case .documentTooLarge: (.error, "the text is too large to be read at once; it was not read",
            "Cut the file into several; 'import' takes a file of any size.")
        case .olderThanStored: (.warning, "the reminder here is newer and was kept", "Nothing needs to be done.")
        case .oldVersion: (.warning, "this is vCalendar 1.0; what it shares with iCalendar is read",
            "Export the file as iCalendar 2.0 if the program can.")
        case .oldEncoding: (.warning, "the text is in quoted-printable, which iCalendar does not have; it is decoded",
            "Export the file as iCalendar 2.0 if the program can.")
        case .oldAlarm: (.warning, "this is an alarm of vCalendar 1.0; it is read as an alarm that fires once at its time",
            "Export the file as iCalendar 2.0 if the program can.")
        case .missingEnd: (.error, "a component has no END; it is read up to its last line",
            "Add the END line, or fetch the file again: it may have been cut short.")
        case .fileCutShort: (.error, "the file ends in the middle of it; it is read up to the end of the file",
            "Fetch the file again, or add what is missing up to END:VCALENDAR.")
        case .crossedEnds: (.warning, "its END comes after the END of [the surrounding component], which ends it too",
            "Move the line before the other END.")
        case .unexpectedEnd: (.warning, "an END has no BEGIN; the line is skipped", "Remove the line.")
        case .unexpectedText: (.warning, "there is text outside of every component; it is skipped",
            "Remove the line, or move it into a component.")
        case .tooDeep: (.error, "components are nested more than \(ParseLimits.standard.depth) deep; inner components are not read, and an import leaves out the outermost one",
            "Flatten the components; no standard needs more than four levels.")
        case .componentTooLarge: (.error, "the component is larger than \(ParseLimits.standard.componentBytes >> 20) MiB",
            "Put large attachments beside the file and refer to them by their address.")
        case .bareComponent: (.warning, "the component is outside of a VCALENDAR; it is read anyway",
            "Put BEGIN:VCALENDAR and END:VCALENDAR around it.")
        case .misplacedComponent: (.warning, "the component has no meaning in [the one around it]",
            "Move it to where the standard has it.")
        case .unknownComponent: (.info, "no standard has a component of this name; it is kept and not read",
            "Nothing needs to be done, if the program that wrote it knows it.")
        case .missingUID: (.warning, "there is no UID; one is derived from the content",
            "Add a UID, so that other programs can identify the component.")
        case .duplicateUID: (.error, "another component before it has the same UID and RECURRENCE-ID; [that one] is read",
            "Give one of them another UID, or remove it.")
        case .missingTimeZone: (.warning, "the file does not define this zone; it is looked up by its name",
            "Add the VTIMEZONE: not every program knows the zone by its name.")
        case .zoneWithoutObservance: (.error, "the zone has neither STANDARD nor DAYLIGHT, so it has no offset",
            "Add a STANDARD with TZOFFSETFROM and TZOFFSETTO.")
        case .relatedToItself: (.info, "the component is related to itself", "Remove the line.")
        case .stateContradicted: (.info, "[it contradicts the other properties about the completion of the to-do]",
            "Correct the one that is wrong; other programs may interpret it differently.")
        case .missingProperty: (.warning, "[a property that it must have] is missing", "Add [the property].")
        case .missingEssential: (.error, "[a property] is missing, and without it the component has no effect",
            "Add [the property], or remove the component.")
        case .misplacedProperty: (.warning, "the property has no meaning in [this component]; it is kept and not read",
            "Remove it, or move it to where the standard has it.")
        case .duplicateProperty: (.warning, "the property may stand only once; the first that has a value counts",
            "Remove the others.")
        case .obsoleteProperty: (.info, "RFC 5545 no longer has this property; few programs read it",
            "Use the properties of the standard.")
        case .severalRules: (.info, "there is more than one RRULE; the standard advises one",
            "Use one rule, or RDATE, for other programs.")
        case .exclusiveProperties: (.warning, "the property is not allowed beside [the other], which counts",
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
        case .unknownWord: (.warning, "[the value] is not allowed by the standard here; it counts as missing",
            "Use one of the values of the standard.")
        case .emptyValue: (.warning, "the property has no value; it counts as missing", "Remove the line.")
        case .emptyText: (.info, "the text is empty", "Remove the line.")
        case .badValue: (.error, "the value cannot be read", "Correct the value.")
        case .valueOutOfRange: (.error, "the number must be [in the range of the property]; it counts as missing",
            "Correct the number.")
        case .oddForm: (.warning, "the standard does not have this form; it is read as [the intended form]",
            "Write [it in the form of the standard].")
        case .doubledColon: (.info, "there are two colons before the text; the second one is read as a part of it",
            "Remove one of the two colons if it is a mistake.")
        case .unescapedSeparator: (.warning, "[a comma or semicolon] has no backslash; it is read as a part of the text",
            "Write it as \\, or \\;.")
        case .badAddress: (.warning, "the address has no scheme such as https: or mailto:",
            "Write the address in full.")
        case .soundName: (.info, "this is the name of a sound and no address; other programs may not know it",
            "Nothing needs to be done.")
        case .colorNotName: (.info, "the standard asks for a name of CSS such as red; not every program reads another form",
            "Write the name of the nearest colour.")
        case .negativeDuration: (.warning, "the length must be positive; it is counted backwards",
            "Correct the length.")
        case .durationOfHours: (.warning, "with a day it must be in days or weeks; hours that are not whole days may be lost",
            "Write days or weeks, or a time of a day as DTSTART.")
        case .periodBackwards: (.warning, "a period ends before it begins", "Correct one of the two times.")
        case .typeContradicted: (.warning, "[VALUE contradicts the value]; the form of the value counts",
            "Write VALUE=DATE beside a day and VALUE=DATE-TIME beside a time where it is not the default.")
        case .typeNotAllowed: (.warning, "the property may not have [a value of this type]",
            "Remove VALUE, or use a type that the property may have.")
        case .dayWithoutTime: (.warning, "this is a day where a time belongs; it is read as midnight in UTC",
            "Write a time in UTC, such as 20261231T090000Z.")
        case .encodingContradicted: (.warning, "VALUE=BINARY and ENCODING=BASE64 must stand together; it is read as base64",
            "Write both.")
        case .notUTC: (.warning, "the time must be in UTC; it is read as UTC", "Add the Z.")
        case .emptyTimeZone: (.warning, "TZID is empty; the time is read as one without a zone",
            "Name the zone, or remove TZID.")
        case .needlessTimeZone: (.warning, "TZID must not stand beside [a day or a time in UTC]; it is not read",
            "Remove TZID.")
        case .parameterNotAllowed: (.warning, "[the parameter] has no meaning here; it is kept and not read",
            "Remove the parameter.")
        case .duplicateParameter: (.warning, "[a parameter] may stand only once; the first one counts",
            "Remove the others.")
        case .badRule: (.error, "the rule cannot be read; it is skipped", "Correct the part that is named.")
        case .emptyRule: (.error, "the rule has no date: [there is no such date]", "Correct the rule, or remove it.")
        case .rulePartNotAllowed: (.warning, "[the rule has a part that it must not have]",
            "Remove the part, or use another FREQ.")
        case .unknownRulePart: (.warning, "[there] is a part that no standard has; it is not read, and the dates may differ from the intended ones",
            "Use the parts of RFC 5545 if possible.")
        case .countAndUntil: (.warning, "COUNT and UNTIL must not be used together; the earlier one ends the rule",
            "Remove one of the two.")
        case .untilDiffers: (.warning, "[UNTIL is of another form than DTSTART]",
            "Write UNTIL as a day beside a day, with a Z beside a time with a zone, and without beside one without.")
        case .otherCalendar: (.info, "the rule counts in another calendar than the Gregorian one; it is kept, and its dates are not computed",
            "Nothing needs to be done.")
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
