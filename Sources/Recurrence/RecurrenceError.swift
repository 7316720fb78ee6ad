/// Why the occurrences of a series cannot be told.
///
/// Two errors are equal when their codes are.
public struct RecurrenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for programs.
    public enum Code: String, Sendable {
        /// The search for the next occurrence was given up after ``RecurrenceSet/maximumSteps`` steps.
        case budgetExceeded = "the repeat rule has no occurrence within reach"
        /// A time in a zone that nobody knows has to be compared with another.
        case unknownZone = "the time zone of the repeat is not known"
        /// RSCALE or SKIP of RFC 7529 ask for what is not computed here.
        case unsupportedCalendar = "the repeat rule counts in a calendar that is not supported"
        /// The next date is one that RDATE adds to a rule: the rule would count from there if the series moved on to it.
        case extraDate = "the next date is an extra one beside the rule, and moving on to it would change the rule"
        /// The RRULE's text is no rule, or there is no date to count from.
        case unreadableRule = "the rule cannot be read, or there is no date to count from"
    }

    /// What is wrong.
    public let code: Code

    /// A sentence for a person.
    public var description: String { self.code.rawValue }

    /// The search went on for too long.
    public static let budgetExceeded = RecurrenceError(code: .budgetExceeded)
    /// A zone is not known.
    public static let unknownZone = RecurrenceError(code: .unknownZone)
    /// A calendar other than the Gregorian one.
    public static let unsupportedCalendar = RecurrenceError(code: .unsupportedCalendar)
    /// The next date is one that RDATE adds to a rule.
    public static let extraDate = RecurrenceError(code: .extraDate)
    /// The RRULE's text is no rule, or there is no date to count from.
    public static let unreadableRule = RecurrenceError(code: .unreadableRule)
}
