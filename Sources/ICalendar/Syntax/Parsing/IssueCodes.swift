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

    /// The kind of issue, described by its ``sentence``; the raw value is printed by `ics check --json`.
    public enum Code: String, Sendable, CaseIterable {
        // Lines.
        case missingColon, badName, tornText, unclosedQuote, badParameter, lineTooLong, bareLineFeed,
            doubledReturn, bareReturn, byteOrderMark, blankLine, longLine
        // Letters.
        case notUTF8, damagedLetter, controlCharacter
        // The file.
        case notICalendar, emptyFile, wrappedCalendar, utf16, documentTooLarge, olderThanStored, oldVersion,
            oldEncoding, oldAlarm
        // Components.
        case missingEnd, fileCutShort, crossedEnds, unexpectedEnd, unexpectedText, tooDeep, componentTooLarge,
            bareComponent, misplacedComponent, unknownComponent, missingUID, duplicateUID, missingTimeZone,
            zoneWithoutObservance, relatedToItself, stateContradicted
        // Missing or surplus properties.
        case missingProperty, missingEssential, misplacedProperty, duplicateProperty, obsoleteProperty,
            severalRules, exclusiveProperties, missingCompanion, triggerWithoutAnchor
        // Values.
        case endBeforeStart, typesDiffer, zoneDiffers, unknownWord, emptyValue, emptyText, badValue,
            valueOutOfRange, oddForm, doubledColon, unescapedSeparator, badAddress, soundName, colorNotName,
            negativeDuration, durationOfHours, periodBackwards
        // Types, clocks, parameters.
        case typeContradicted, typeNotAllowed, dayWithoutTime, encodingContradicted, notUTC, emptyTimeZone,
            needlessTimeZone, parameterNotAllowed, duplicateParameter
        // Rules.
        case badRule, emptyRule, rulePartNotAllowed, unknownRulePart, countAndUntil, untilDiffers, otherCalendar

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
