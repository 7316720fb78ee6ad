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
        /// A stream that ends in the middle of a component.
        case fileCutShort
        /// A component whose END stands behind that of the component around it.
        case crossedEnds
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
        /// A letter that is not UTF-8 in a stream that is.
        case damagedLetter
        /// A control character other than a tab.
        case controlCharacter
        /// Nothing in the stream is iCalendar.
        case notICalendar
        /// A stream without anything in it.
        case emptyFile
        /// iCalendar inside of something else: quoted, indented, in base64.
        case wrappedCalendar
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
        /// A component that no standard names.
        case unknownComponent
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
        /// A TZID without a name.
        case emptyTimeZone
        /// A TZID beside a time in UTC or a day.
        case needlessTimeZone
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
        /// A relative TRIGGER without the time that it counts from.
        case triggerWithoutAnchor
        /// An end that is not after the start.
        case endBeforeStart
        /// A day beside a time where both must be of one type.
        case typesDiffer
        /// A time without a zone beside one with a zone where both must be alike.
        case zoneDiffers
        /// STATUS, COMPLETED and PERCENT-COMPLETE that do not agree.
        case stateContradicted
        /// A component that is related to itself.
        case relatedToItself
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
        /// A length of time below zero where only one above it has a meaning.
        case negativeDuration
        /// A length of hours beside a whole day.
        case durationOfHours
        /// A period that ends before it begins.
        case periodBackwards
        /// A rule of recurrence that cannot be read.
        case badRule
        /// A part that the rule must not have.
        case rulePartNotAllowed
        /// A part of a rule that no standard names.
        case unknownRulePart
        /// A rule that names no date at all.
        case emptyRule
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
        /// A day where only a time has a meaning.
        case dayWithoutTime
        /// VALUE=BINARY without ENCODING=BASE64, or the other way round.
        case encodingContradicted
        /// A time without Z where only UTC is allowed.
        case notUTC
        /// A parameter that has no meaning beside the property.
        case parameterNotAllowed
        /// A parameter, or a value of one, that may stand once and stands twice.
        case duplicateParameter
        /// A value that begins with a second colon.
        case doubledColon
        /// A comma or semicolon without a backslash in a text.
        case unescapedSeparator
        /// An address that is none.
        case badAddress
        /// The name of a sound where an address belongs.
        case soundName
        /// A colour that is no name of CSS.
        case colorNotName

        /// How much it matters.
        public var severity: Severity { self.words.severity }

        /// One sentence about what is wrong, and how it is read all the same.
        public var sentence: String { self.words.sentence.filled(nil) }

        /// One sentence about what to do.
        public var advice: String { self.words.advice.filled(nil) }

        /// Whether something is lost to the reader, rather than read with a repair.
        public var isError: Bool { self.severity == .error }

        /// Whether whoever takes the reminders over is told of it: something is lost, or was chosen for them.
        public var concernsImport: Bool {
            switch self {
            case .notUTF8, .damagedLetter, .controlCharacter, .badParameter, .missingUID, .duplicateProperty,
                .unexpectedText, .unexpectedEnd, .crossedEnds, .olderThanStored, .tornText:
                true
            default: self.isError
            }
        }

        /// Whether the stream asks for more in length than ``ParseLimits`` allow.
        public var isBeyondLimits: Bool {
            self == .lineTooLong || self == .componentTooLarge || self == .documentTooLarge
        }
    }
}
