public import ICalendar

/// What keeps a series, or something of it, from being told, and where it stands.
public struct SeriesIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Hashable, Sendable {
        /// An event without DTSTART.
        case missingStart
        /// A DTSTART, DUE or RECURRENCE-ID that is neither a day nor a time.
        case unreadableMoment
        /// A value of RDATE or EXDATE that is neither a day nor a time.
        case unreadableDate
        /// An RRULE or EXRULE that is none, and why.
        case unreadableRule(ValueError)
        /// A component that says of itself that it is another one, before it.
        case repeated
        /// The first RRULE or EXRULE beyond as many as are read.
        case tooManyRules
        /// The first override with RANGE=THISANDFUTURE beyond as many as are read so.
        case tooManyFutures
        /// The zone of the start is not known.
        case unknownZone
        /// The dates of the rule cannot be told.
        case recurrence(RecurrenceError)

        /// What is wrong, in words.
        var sentence: String {
            switch self {
            case .missingStart: "there is no DTSTART"
            case .unreadableMoment: "this is no date and no time"
            case .unreadableDate: "this is no date and no time; it is left out"
            case .unreadableRule(let error): "the rule cannot be read; it is passed over (\(error))"
            case .repeated: "a component before it has the same UID and RECURRENCE-ID; that one is read"
            case .tooManyRules:
                "there are more than \(Series.maximumRules) such rules; this one and all after it are not read"
            case .tooManyFutures:
                "it is one of more than \(Series.maximumFutures) overrides with RANGE=THISANDFUTURE; those from here on are"
                    + " read as changes of one occurrence each"
            case .unknownZone: "the time zone is not known"
            case .recurrence(let error): "\(error)"
            }
        }
    }

    /// What is wrong.
    public let code: Code
    /// The name of the property or component that it is about.
    public let subject: Name
    /// Its line, from 1.
    public let line: Int

    /// What is wrong, in words, without the line.
    public var description: String { "\(self.subject.canonical): \(self.code.sentence)" }

    /// What is wrong when the dates of a series cannot be told any further.
    ///
    /// - Parameter main: the component with the rules.
    public init(_ error: RecurrenceError, in main: Component) {
        if let rule = main.first(.rrule) {
            self.init(.recurrence(error), rule)
        } else {
            self.init(.recurrence(error), main)
        }
    }

    init(_ code: Code, _ property: Property) {
        self.code = code
        self.subject = property.name
        self.line = property.line
    }

    init(_ code: Code, _ component: Component) {
        self.code = code
        self.subject = component.name
        self.line = component.line
    }
}
