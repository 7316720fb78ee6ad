/// Something in a stream that could not be read as RFC 5545 asks.
///
/// A stream with a bad line is not refused: the line stays in the bytes, this says where it is, and the rest is read.
public struct ParseIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; the raw value is the word that `ics check --json` prints.
    public enum Code: String, Sendable, CaseIterable {
        /// A content line without a colon.
        case missingColon
        /// A name with other characters than letters, digits and hyphens, or none.
        case badName
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
        /// Bytes that are not UTF-8.
        case notUTF8
        /// A control character other than a tab.
        case controlCharacter
        /// A component that needs a UID and has none.
        case missingUID
        /// A UID that another component of the same stream has.
        case duplicateUID
        /// A value that its property does not allow.
        case badValue
        /// A property that may stand once and stands twice.
        case duplicateProperty
        /// Nothing in the stream is iCalendar.
        case notICalendar
        /// An object older than the one that is already here.
        case olderThanStored

        /// One sentence about what is wrong.
        public var sentence: String {
            switch self {
            case .missingColon: "there is no ':' between the name and the value"
            case .badName: "a name may hold letters, digits and hyphens only"
            case .unclosedQuote: "a quoted parameter value is not closed"
            case .badParameter: "a parameter has no '=' or no name"
            case .missingEnd: "a component is not ended"
            case .unexpectedEnd: "an END has no BEGIN"
            case .unexpectedText: "there is text outside of every component"
            case .tooDeep: "components are nested more than \(ParseLimits.standard.depth) deep"
            case .lineTooLong: "the line is longer than \(ParseLimits.standard.lineBytes >> 20) MiB"
            case .componentTooLarge: "the component is larger than \(ParseLimits.standard.componentBytes >> 20) MiB"
            case .notUTF8: "the text is not UTF-8; it is read as Windows-1252"
            case .controlCharacter: "the line holds a control character"
            case .missingUID: "the to-do has no UID; one was made from its content"
            case .duplicateUID: "another to-do of the same file has this UID; this one was left out"
            case .badValue: "the value cannot be read"
            case .duplicateProperty: "the property may stand only once; the first one counts"
            case .notICalendar: "this is not iCalendar"
            case .olderThanStored: "the reminder here is newer and was kept"
            }
        }

        /// Whether the stream asks for more in length than ``ParseLimits`` allow.
        public var isBeyondLimits: Bool {
            switch self {
            case .lineTooLong, .componentTooLarge: true
            default: false
            }
        }

        /// Whether something was lost to the reader, rather than read with a repair.
        public var isError: Bool {
            switch self {
            case .notUTF8, .controlCharacter, .missingUID, .duplicateProperty, .unexpectedText,
                .olderThanStored, .unexpectedEnd:
                false
            default: true
            }
        }
    }

    /// What is wrong.
    public let code: Code
    /// Counted from 1, in the stream as it was received; a folded line counts by its first physical line.
    public let line: Int
    /// The name of the property or component that it is about, in capitals; `nil` when none is known.
    public let subject: String?

    /// An issue at a line.
    public init(_ code: Code, line: Int, subject: String? = nil) {
        self.code = code
        self.line = line
        self.subject = subject
    }

    /// What is wrong, in words, without the line.
    public var message: String {
        guard let subject = self.subject else { return self.code.sentence }
        return "\(subject): \(self.code.sentence)"
    }

    /// The line and what is wrong there, in words.
    public var description: String { "line \(self.line): \(self.message)" }
}

/// What one reading accepts from a stranger.
public struct ParseLimits: Hashable, Sendable {
    /// Nested components.
    ///
    /// RFC 5545 needs 3 (VCALENDAR, VTODO, VALARM), RFC 9073 one more.
    public var depth: Int
    /// Bytes of one unfolded line.
    ///
    /// A picture in an ATTACH is the only reason for more than a few thousand.
    public var lineBytes: Int
    /// Bytes of one top-level component of a streamed file.
    ///
    /// It is held in memory whole: room for a to-do with several pictures, and for a zone with all its history.
    public var componentBytes: Int
    /// Issues kept for one document; a hostile file could hold one per line.
    public var issues: Int

    /// Limits of your own.
    public init(depth: Int, lineBytes: Int, componentBytes: Int, issues: Int) {
        self.depth = depth
        self.lineBytes = lineBytes
        self.componentBytes = componentBytes
        self.issues = issues
    }

    /// 16 levels, 1 MiB a line, 16 MiB a component, 1,000 issues.
    public static let standard = Self(
        depth: 16,
        lineBytes: 1 << 20,
        componentBytes: 1 << 24,
        issues: 1000
    )
}
