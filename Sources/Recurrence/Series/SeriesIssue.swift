public import RemindavICalendar

/// An error in a series or in one of its properties or components, with its line.
public struct SeriesIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of issue.
    public enum Code: Hashable, Sendable {
        /// There are rules, but neither DTSTART nor DUE.
        case missingStart
        /// The start, the due time or RECURRENCE-ID is not a date.
        case unreadableMoment
        /// A value of RDATE or EXDATE is not a date.
        case unreadableDate
        /// RRULE or EXRULE cannot be read.
        case unreadableRule(ValueError)
        /// An earlier component has the same UID and RECURRENCE-ID.
        case repeated
        /// The first RRULE or EXRULE beyond the maximum number of rules.
        case tooManyRules
        /// The first override with RANGE=THISANDFUTURE beyond the maximum number.
        case tooManyFutures
        /// The time zone of the start is unknown.
        case unknownZone
        /// The dates cannot be computed.
        case recurrence(RecurrenceError)

        var sentence: String {
            switch self {
            case .missingStart: "there is no DTSTART"
            case .unreadableMoment: "this is neither a date nor a time"
            case .unreadableDate: "this is neither a date nor a time; it is left out"
            case .unreadableRule(let error): "the rule cannot be read; it is skipped (\(error))"
            case .repeated: "an earlier component has the same UID and RECURRENCE-ID; only that one is read"
            case .tooManyRules:
                "there are more than \(Series.maximumRules) such rules; this one and all later ones are not read"
            case .tooManyFutures:
                "there are more than \(Series.maximumFutures) overrides with RANGE=THISANDFUTURE; this one and all "
                    + "later ones change only one occurrence"
            case .unknownZone: "the time zone is unknown"
            case .recurrence(let error): "\(error)"
            }
        }
    }

    /// The kind of issue.
    public let code: Code
    /// The name of the affected property or component.
    public let subject: Name
    /// The line of the affected property or component, from 1.
    public let line: Int
    /// The issue as a sentence, without the line.
    public var description: String { "\(self.subject.canonical): \(self.code.sentence)" }

    /// Creates an issue for an error in the computation of a series.
    ///
    /// - Parameter main: the component with the rules.
    public init(_ error: RecurrenceError, in main: Component) {
        self.init(.recurrence(error), main.first(.rrule) ?? main)
    }

    init(_ code: Code, _ subject: any SubjectOfIssue) {
        self.code = code
        self.subject = subject.name
        self.line = subject.line
    }
}

protocol SubjectOfIssue {
    var name: Name { get }
    var line: Int { get }
}

extension Component: SubjectOfIssue {}
extension Property: SubjectOfIssue {}
