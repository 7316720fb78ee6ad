extension ParseIssue {
    /// How much an issue matters.
    public enum Severity: String, Comparable, Sendable, CaseIterable {
        /// Allowed or harmless, though some programs stumble over it.
        case info
        /// Against the standard, and read all the same with the repair that the sentence states.
        case warning
        /// Something is lost to the reader, or cannot be what was meant.
        case error

        /// From what matters least to what matters most.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.order < rhs.order }

        private var order: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
    }

    /// What is wrong; the raw value is the word that `ics check --json` prints.
    public enum Code: String, Sendable, CaseIterable {
        /// A content line without a colon.
        case missingColon
        /// A name with other characters than letters, digits and hyphens, or none.
        case badName
        /// A text that goes on in lines of its own.
        case tornText
        /// A quoted parameter value that does not end.
        case unclosedQuote
        /// A parameter without an equal sign or with a name that is none.
        case badParameter
        /// A component that is not ended.
        case missingEnd
        /// An END without its BEGIN.
        case unexpectedEnd
        /// Text outside every component.
        case unexpectedText
        /// Components nested deeper than ``ParseLimits/depth``.
        case tooDeep
        /// A line longer than ``ParseLimits/lineBytes``.
        case lineTooLong
        /// A component longer than ``ParseLimits/componentBytes``.
        case componentTooLarge
        /// A document longer than ``ParseLimits/documentBytes``.
        case documentTooLarge
        /// Bytes that are not UTF-8.
        case notUTF8
        /// A control character other than a tab.
        case controlCharacter
        /// Nothing in the stream is iCalendar.
        case notICalendar
        /// A stream in UTF-16.
        case utf16
        /// An object older than the one that is already here.
        case olderThanStored
        /// Lines that end with LF instead of CRLF.
        case bareLineFeed
        /// Lines that end with CR CR LF.
        case doubledReturn
        /// Lines that end with CR alone.
        case bareReturn
        /// A byte order mark at the start.
        case byteOrderMark
        /// A line without anything on it.
        case blankLine
        /// A physical line of more than 75 octets.
        case longLine
        /// vCalendar 1.0, which came before iCalendar.
        case oldVersion
        /// A text in quoted-printable, as vCalendar 1.0 has it.
        case oldEncoding
        /// An alarm as vCalendar 1.0 has it.
        case oldAlarm
        /// A component outside of a VCALENDAR.
        case bareComponent
        /// A component inside one where it has no meaning.
        case misplacedComponent
        /// A property that the component must have and has not.
        case missingProperty
        /// A property without which the component has no meaning.
        case missingEssential
        /// A component that needs a UID and has none.
        case missingUID
        /// A UID that another component of the same stream has.
        case duplicateUID
        /// A zone that the file names and does not define.
        case missingTimeZone
        /// A VTIMEZONE without STANDARD and DAYLIGHT.
        case zoneWithoutObservance
        /// A property in a component where it has no meaning.
        case misplacedProperty
        /// A property that may stand once and stands twice.
        case duplicateProperty
        /// A property that the standard no longer has.
        case obsoleteProperty
        /// More than one RRULE.
        case severalRules
        /// Two properties that exclude each other.
        case exclusiveProperties
        /// A property without the one that it counts on.
        case missingCompanion
        /// An end that is not after the start.
        case endBeforeStart
        /// A day beside a time where both must be of one type.
        case typesDiffer
        /// A word that the property may not have.
        case unknownWord
        /// A property without a value, whose type has no empty one.
        case emptyValue
        /// A text without letters.
        case emptyText
        /// A value that its property does not allow.
        case badValue
        /// A number that the property does not allow.
        case valueOutOfRange
        /// A rule of recurrence that cannot be read.
        case badRule
        /// COUNT beside UNTIL.
        case countAndUntil
        /// An UNTIL of another form than DTSTART asks.
        case untilDiffers
        /// A rule that counts in another calendar.
        case otherCalendar
        /// A value in a form that the standard does not have.
        case oddForm
        /// A value whose form is not what VALUE says.
        case typeContradicted
        /// A VALUE that the property may not have.
        case typeNotAllowed
        /// A time without Z where only UTC is allowed.
        case notUTC
        /// A parameter that has no meaning beside the property.
        case parameterNotAllowed
        /// A value that begins with a second colon.
        case doubledColon
        /// A comma or semicolon without a backslash in a text.
        case unescapedSeparator
        /// An address that is none.
        case badAddress

        /// How much it matters.
        public var severity: Severity { self.row.severity }

        /// One sentence about what is wrong, and how it is read all the same.
        public var sentence: String { self.row.sentence }

        /// One sentence about what to do.
        public var advice: String { self.row.advice }

        /// Whether something is lost to the reader, rather than read with a repair.
        public var isError: Bool { self.severity == .error }

        /// Whether whoever takes the reminders over is told of it: something is lost, or was chosen for them.
        public var concernsImport: Bool {
            switch self {
            case .notUTF8, .controlCharacter, .missingUID, .duplicateProperty, .unexpectedText, .olderThanStored,
                .unexpectedEnd, .tornText:
                true
            default: self.isError
            }
        }

        /// Whether the stream asks for more in length than ``ParseLimits`` allow.
        public var isBeyondLimits: Bool {
            self == .lineTooLong || self == .componentTooLarge || self == .documentTooLarge
        }

        // swift-format-ignore
        private var row: (severity: Severity, sentence: String, advice: String) {
            switch self {
            case .missingColon: (
                .error, "there is no ':' between the name and the value; the line is passed over",
                "Write NAME:value, or begin the line with a space when it continues the one before.")
            case .badName: (
                .error, "a name may hold letters, digits and hyphens only; the line is passed over",
                "Correct the name before the colon, or put the line together with the one that it belongs to.")
            case .tornText: (
                .warning, "the text goes on in a line of its own, which is read as a part of it",
                "Write \\n where the text begins a new line.")
            case .unclosedQuote: (
                .error, "a quoted parameter value is not closed; the line is passed over",
                "Add the quotation mark, or write one inside a value as ^'.")
            case .badParameter: (
                .error, "a parameter has no '=' or no name; the parameter is passed over",
                "Write the parameter as NAME=value.")
            case .missingEnd: (
                .error, "a component is not ended; it is read as far as it goes",
                "Add the END line, or fetch the file again: it may have been cut short.")
            case .unexpectedEnd: (
                .warning, "an END has no BEGIN; the line is passed over",
                "Remove the line.")
            case .unexpectedText: (
                .warning, "there is text outside of every component; it is passed over",
                "Remove the line, or move it into a component.")
            case .tooDeep: (
                .error, "components are nested more than \(ParseLimits.standard.depth) deep",
                "Flatten the components; no standard needs more than four levels.")
            case .lineTooLong: (
                .error, "the line is longer than \(ParseLimits.standard.lineBytes >> 20) MiB",
                "Put large attachments beside the file and refer to them by their address.")
            case .componentTooLarge: (
                .error, "the component is larger than \(ParseLimits.standard.componentBytes >> 20) MiB",
                "Put large attachments beside the file and refer to them by their address.")
            case .documentTooLarge: (
                .error, "the text is too large to be read at once; nothing of it has been read",
                "Cut the file into several; 'import' takes a file of any size.")
            case .notUTF8: (
                .warning, "the text is not UTF-8; it is read as Windows-1252",
                "Save the file as UTF-8.")
            case .controlCharacter: (
                .warning, "the line holds a control character",
                "Remove the character.")
            case .notICalendar: (
                .error, "this is not iCalendar",
                "Look whether it is the right file: iCalendar begins with BEGIN:VCALENDAR.")
            case .utf16: (
                .error, "the file is in UTF-16, and iCalendar is UTF-8",
                "Convert it first: iconv -f UTF-16 -t UTF-8.")
            case .olderThanStored: (
                .warning, "the reminder here is newer and was kept",
                "Nothing needs to be done.")
            case .bareLineFeed: (
                .info, "lines end with LF; the standard asks for CRLF",
                "Run ics format on the file; most programs read it as it is.")
            case .doubledReturn: (
                .warning, "lines end with CR CR LF; they are read as if they ended with CR LF",
                "Write the file in binary mode, or run remindav ics format.")
            case .bareReturn: (
                .warning, "lines end with CR alone; they are read as lines",
                "Run ics format on the file.")
            case .byteOrderMark: (
                .info, "the file begins with a byte order mark; it is passed over",
                "Save the file as UTF-8 without a byte order mark.")
            case .blankLine: (
                .info, "there is a blank line; it is passed over",
                "Run ics format on the file.")
            case .longLine: (
                .info, "a line is longer than 75 octets; the standard asks for folds",
                "Run ics format on the file.")
            case .oldVersion: (
                .warning, "this is vCalendar 1.0; what it shares with iCalendar is read",
                "Export the file as iCalendar 2.0 if the program can.")
            case .oldEncoding: (
                .warning, "the text is in quoted-printable, which iCalendar does not have; it is decoded",
                "Export the file as iCalendar 2.0 if the program can.")
            case .oldAlarm: (
                .warning, "this is an alarm of vCalendar 1.0; it is read as one that rings once at its time",
                "Export the file as iCalendar 2.0 if the program can.")
            case .bareComponent: (
                .warning, "the component stands outside of a VCALENDAR; it is read all the same",
                "Put BEGIN:VCALENDAR and END:VCALENDAR around it.")
            case .misplacedComponent: (
                .warning, "the component has no meaning in the one around it",
                "Move it to where the standard has it.")
            case .missingProperty: (
                .warning, "the property is missing, and the component must have it",
                "Add the property.")
            case .missingEssential: (
                .error, "the property is missing, and without it the component has no effect",
                "Add the property, or remove the component.")
            case .missingUID: (
                .warning, "there is no UID; one is made from the content",
                "Add a UID, so that other programs know the component again.")
            case .duplicateUID: (
                .error, "a component before it has the same UID and RECURRENCE-ID; that one is read",
                "Give one of them a UID of its own, or remove it.")
            case .missingTimeZone: (
                .warning, "the file does not define this zone; it is looked up by its name",
                "Add the VTIMEZONE: not every program knows the zone by its name.")
            case .zoneWithoutObservance: (
                .error, "the zone has neither STANDARD nor DAYLIGHT, so it says no offset",
                "Add a STANDARD with TZOFFSETFROM and TZOFFSETTO.")
            case .misplacedProperty: (
                .warning, "the property has no meaning in this component; it is kept and not read",
                "Remove it, or move it to where the standard has it.")
            case .duplicateProperty: (
                .warning, "the property may stand only once; the first one counts",
                "Remove the others.")
            case .obsoleteProperty: (
                .info, "RFC 5545 no longer has this property; few programs read it",
                "Say it with the properties that the standard has.")
            case .severalRules: (
                .info, "there is more than one RRULE; the standard advises one",
                "Say it with one rule, or with RDATE, if other programs shall read it.")
            case .exclusiveProperties: (
                .warning, "the property must not stand beside the other",
                "Remove one of the two.")
            case .missingCompanion: (
                .warning, "the property needs another one beside it",
                "Add the other property.")
            case .endBeforeStart: (
                .warning, "the end is not after the start",
                "Correct one of the two times.")
            case .typesDiffer: (
                .warning, "one is a day and the other a time of a day; they must be of one type",
                "Write both as days or both as times.")
            case .unknownWord: (
                .warning, "the word is none that the property may have here; it counts as missing",
                "Use one of the words of the standard.")
            case .emptyValue: (
                .warning, "the property has no value; it counts as missing",
                "Remove the line.")
            case .emptyText: (
                .info, "the text is empty",
                "Remove the line.")
            case .badValue: (
                .error, "the value cannot be read",
                "Correct the value.")
            case .valueOutOfRange: (
                .error, "the number is outside of what the property allows",
                "Correct the number.")
            case .badRule: (
                .error, "the rule cannot be read, so nothing repeats",
                "Correct the part that is named.")
            case .countAndUntil: (
                .warning, "COUNT and UNTIL must not stand together; whichever comes first ends the rule",
                "Remove one of the two.")
            case .untilDiffers: (
                .warning, "UNTIL must be a day beside a day, UTC beside a time with a zone, and without a zone beside one without",
                "Write UNTIL in the form that belongs to DTSTART.")
            case .otherCalendar: (
                .info, "the rule counts in another calendar than the Gregorian one; it is kept, and its dates are not computed",
                "Nothing needs to be done.")
            case .oddForm: (
                .warning, "the standard does not have this form; it is read as what is meant",
                "Write the value in the form of the standard.")
            case .typeContradicted: (
                .warning, "VALUE does not say what the value is; the form of the value counts",
                "Write VALUE=DATE beside a day and VALUE=DATE-TIME beside a time where it is not the default.")
            case .typeNotAllowed: (
                .warning, "the property may not have a value of this type",
                "Remove VALUE, or use a type that the property may have.")
            case .notUTC: (
                .warning, "the time must be in UTC; it is read as UTC",
                "Add the Z.")
            case .parameterNotAllowed: (
                .warning, "the parameter has no meaning here; it is kept and not read",
                "Remove the parameter.")
            case .doubledColon: (
                .warning, "there are two colons before the value; the second one is read as a part of it",
                "Remove one of the two colons.")
            case .unescapedSeparator: (
                .warning, "a comma or semicolon has no backslash; it is read as a part of the text",
                "Write it as \\, or \\;.")
            case .badAddress: (
                .warning, "the address has no scheme such as https: or mailto:",
                "Write the address in full.")
            }
        }
    }
}
