/// The reason why the occurrences of a series cannot be computed.
public struct RecurrenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; its raw value is a sentence for users.
    public enum Code: String, Sendable {
        /// The search needs more steps than ``RecurrenceSet/maximumSteps`` or the ``StepBudget`` allows.
        case budgetExceeded = "the repeat rule has no occurrence within reach"
        case unknownZone = "the time zone of the repeat is not known"
        /// The rule uses another calendar than the Gregorian one (RSCALE of RFC 7529).
        case unsupportedCalendar = "the repeat rule counts in a calendar that is not supported"
        case severalRules = "it has more than one repeat rule, and only a reminder with one can advance or be changed"
        case tooManyDates = "it has more exceptions and added dates than are supported"
        case unreadableRule = "the rule cannot be read, or there is no date to count from"
    }

    /// The kind of error.
    public let code: Code
    /// A sentence for users.
    public var description: String { self.code.rawValue }
    /// An error with ``Code/budgetExceeded``.
    public static let budgetExceeded = RecurrenceError(code: .budgetExceeded)
    /// An error with ``Code/unknownZone``.
    public static let unknownZone = RecurrenceError(code: .unknownZone)
    /// An error with ``Code/unsupportedCalendar``.
    public static let unsupportedCalendar = RecurrenceError(code: .unsupportedCalendar)
    /// The component has more than one RRULE, or an EXRULE.
    public static let severalRules = RecurrenceError(code: .severalRules)
    /// The component has more dates of EXDATE and RDATE than are supported.
    public static let tooManyDates = RecurrenceError(code: .tooManyDates)
    /// An error with ``Code/unreadableRule``.
    public static let unreadableRule = RecurrenceError(code: .unreadableRule)
}
