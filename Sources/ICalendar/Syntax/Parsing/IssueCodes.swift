extension ParseIssue {
    /// The severity of an issue.
    public enum Severity: String, Comparable, Sendable, CaseIterable {
        /// Allowed or harmless, but a problem for some programs.
        case info
        /// A violation of the standard that is parsed with the repair in the sentence.
        case warning
        /// Data is lost, or the value cannot be the intended one.
        case error

        /// Orders by importance, the least important first.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.order < rhs.order }

        private var order: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
    }

    /// The kind of issue; the raw value is printed by `ics check --json`.
    public enum Code: String, Sendable, CaseIterable {
        /// A content line without a colon.
        case missingColon
        /// A missing name, or a name with characters other than letters, digits and hyphens.
        case badName
        /// A text that continues in separate lines.
        case tornText
        /// A quoted parameter value that does not end.
        case unclosedQuote
        /// A parameter without an equal sign or with an invalid name.
        case badParameter
        /// A component without an END.
        case missingEnd
        /// A stream that ends in the middle of a component.
        case fileCutShort
        /// A component with an END after that of the surrounding component.
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
        /// A damaged character in a UTF-8 stream.
        case damagedLetter
        /// A control character other than a tab.
        case controlCharacter
        /// Nothing in the stream is iCalendar.
        case notICalendar
        /// An empty stream.
        case emptyFile
        /// iCalendar inside another format: quoted, indented, in base64.
        case wrappedCalendar
        /// A stream in UTF-16.
        case utf16
        /// An object older than the existing one.
        case olderThanStored
        /// Lines that end with LF instead of CRLF.
        case bareLineFeed
        /// Lines that end with CR CR LF.
        case doubledReturn
        /// Lines that end with CR alone.
        case bareReturn
        /// A byte order mark at the start.
        case byteOrderMark
        /// A blank line.
        case blankLine
        /// A physical line of more than 75 octets.
        case longLine
        /// vCalendar 1.0, the predecessor of iCalendar.
        case oldVersion
        /// A text in quoted-printable, as in vCalendar 1.0.
        case oldEncoding
        /// An alarm in vCalendar 1.0 form.
        case oldAlarm
        /// A component outside of a VCALENDAR.
        case bareComponent
        /// A component inside a component where it has no meaning.
        case misplacedComponent
        /// A component that no standard names.
        case unknownComponent
        /// A missing required property.
        case missingProperty
        /// A missing property that the component needs to have a meaning.
        case missingEssential
        /// A component without its required UID.
        case missingUID
        /// A UID of another component in the same stream.
        case duplicateUID
        /// A zone that the file uses and does not define.
        case missingTimeZone
        /// A TZID without a name.
        case emptyTimeZone
        /// A TZID with a time in UTC or a day.
        case needlessTimeZone
        /// A VTIMEZONE without STANDARD and DAYLIGHT.
        case zoneWithoutObservance
        /// A property in a component where it has no meaning.
        case misplacedProperty
        /// A repeated property that is allowed only once.
        case duplicateProperty
        /// A property that the standard no longer has.
        case obsoleteProperty
        /// More than one RRULE.
        case severalRules
        /// Two properties that exclude each other.
        case exclusiveProperties
        /// A property without the property that it depends on.
        case missingCompanion
        /// A relative TRIGGER without its reference time.
        case triggerWithoutAnchor
        /// An end that is not after the start.
        case endBeforeStart
        /// A day and a time where both must have the same type.
        case typesDiffer
        /// A time without a zone and a time with a zone where both must be alike.
        case zoneDiffers
        /// STATUS, COMPLETED and PERCENT-COMPLETE that do not agree.
        case stateContradicted
        /// A component that is related to itself.
        case relatedToItself
        /// A value that the property does not allow.
        case unknownWord
        /// A property with an empty value that its type does not allow.
        case emptyValue
        /// A text without letters.
        case emptyText
        /// A value that its property does not allow.
        case badValue
        /// A number that the property does not allow.
        case valueOutOfRange
        /// A negative duration where only a positive one has a meaning.
        case negativeDuration
        /// A duration in hours with a whole day.
        case durationOfHours
        /// A period that ends before it begins.
        case periodBackwards
        /// A rule of recurrence that cannot be read.
        case badRule
        /// A forbidden part of a rule.
        case rulePartNotAllowed
        /// A nonstandard part of a rule.
        case unknownRulePart
        /// A rule that never matches.
        case emptyRule
        /// COUNT beside UNTIL.
        case countAndUntil
        /// An UNTIL in another form than DTSTART requires.
        case untilDiffers
        /// A rule in another calendar system.
        case otherCalendar
        /// A value in a nonstandard form.
        case oddForm
        /// A value in another form than VALUE states.
        case typeContradicted
        /// A VALUE that the property does not allow.
        case typeNotAllowed
        /// A day where only a time has a meaning.
        case dayWithoutTime
        /// VALUE=BINARY without ENCODING=BASE64, or the other way round.
        case encodingContradicted
        /// A time without Z where only UTC is allowed.
        case notUTC
        /// A parameter that has no meaning for the property.
        case parameterNotAllowed
        /// A repeated parameter, or a repeated value of one, that is allowed only once.
        case duplicateParameter
        /// A value that begins with a second colon.
        case doubledColon
        /// A comma or semicolon without a backslash in a text.
        case unescapedSeparator
        /// An invalid address.
        case badAddress
        /// The name of a sound instead of an address.
        case soundName
        /// A colour that is not a CSS name.
        case colorNotName

        /// The severity.
        public var severity: Severity { self.words.severity }

        /// One sentence about the problem and its interpretation.
        public var sentence: String { self.words.sentence.filled(nil) }

        /// One sentence of advice.
        public var advice: String { self.words.advice.filled(nil) }

        /// Whether data is lost, instead of parsed with a repair.
        public var isError: Bool { self.severity == .error }

        /// Whether an import reports it to the user: data was lost, or an interpretation was chosen.
        public var concernsImport: Bool {
            switch self {
            case .notUTF8, .damagedLetter, .controlCharacter, .badParameter, .missingUID, .duplicateProperty,
                .unexpectedText, .unexpectedEnd, .crossedEnds, .olderThanStored, .tornText:
                true
            default: self.isError
            }
        }

        /// Whether the stream exceeds the length limits of ``ParseLimits``.
        public var isBeyondLimits: Bool {
            self == .lineTooLong || self == .componentTooLarge || self == .documentTooLarge
        }
    }
}
