extension ParseIssue {
    /// The severity of an issue.
    public enum Severity: String, Comparable, Sendable, CaseIterable {
        /// Allowed or harmless, but a problem for some programs.
        case info
        /// A violation of the standard; the data is read all the same, and the sentence of the issue states how.
        case warning
        /// Data is lost, or the value is certainly not the intended one.
        case error

        /// Orders by importance: `info` before `warning` before `error`.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.order < rhs.order }

        private var order: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
    }

    /// The kind of issue, described by its ``sentence``; `ics check --json` prints the raw value.
    public enum Code: String, Sendable, CaseIterable {
        /// An issue of a content line (RFC 5545 §3.1); see ``sentence``.
        case missingColon, badName, tornText, unclosedQuote, badParameter, lineTooLong, bareLineFeed,
            doubledReturn, bareReturn, byteOrderMark, blankLine, longLine
        /// An issue of the characters; see ``sentence``.
        case notUTF8, damagedLetter, controlCharacter
        /// An issue of the file as a whole; see ``sentence``.
        case notICalendar, emptyFile, wrappedCalendar, utf16, documentTooLarge, olderThanStored, oldVersion,
            oldEncoding, oldAlarm
        /// An issue of a component (RFC 5545 §3.6); see ``sentence``.
        case missingEnd, fileCutShort, crossedEnds, unexpectedEnd, unexpectedText, tooDeep, componentTooLarge,
            bareComponent, misplacedComponent, unknownComponent, missingUID, duplicateUID, missingTimeZone,
            zoneWithoutObservance, relatedToItself, stateContradicted
        /// A missing or surplus property; see ``sentence``.
        case missingProperty, missingEssential, misplacedProperty, duplicateProperty, obsoleteProperty,
            severalRules, exclusiveProperties, missingCompanion, triggerWithoutAnchor
        /// An issue of a value (RFC 5545 §3.3); see ``sentence``.
        case endBeforeStart, typesDiffer, zoneDiffers, unknownWord, emptyValue, emptyText, badValue,
            valueOutOfRange, oddForm, doubledColon, unescapedSeparator, badAddress, soundName, colorNotName,
            negativeDuration, durationOfHours, periodBackwards
        /// An issue of a type, a time zone or a parameter (RFC 5545 §3.2); see ``sentence``.
        case typeContradicted, typeNotAllowed, dayWithoutTime, encodingContradicted, notUTC, emptyTimeZone,
            needlessTimeZone, parameterNotAllowed, duplicateParameter
        /// An issue of a repeat rule (RFC 5545 §3.3.10); see ``sentence``.
        case badRule, emptyRule, rulePartNotAllowed, unknownRulePart, countAndUntil, untilDiffers, startNotInRule,
            otherCalendar

        /// The severity of all issues with this code.
        public var severity: Severity { self.words.severity }

        /// One sentence that states the problem and how the data is interpreted.
        public var sentence: String { self.words.sentence.filled(nil) }

        /// One sentence of advice.
        public var advice: String { self.words.advice.filled(nil) }

        /// Whether the severity is ``Severity/error``.
        public var isError: Bool { self.severity == .error }

        /// Whether an import reports the issue to the user: data was lost, or the meaning is uncertain.
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
