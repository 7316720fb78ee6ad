/// The reason why the occurrences of a series cannot be computed.
public struct RecurrenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; its raw value is a sentence for users.
    public enum Code: String, Sendable {
        /// The search needs more steps than ``RecurrenceSet/maximumSteps`` or the ``StepBudget`` allows.
        case budgetExceeded = "no occurrence of the repeat rule was found"
        /// The time zone of the repetition is unknown.
        case unknownZone = "the time zone of the repetition is unknown"
        /// The rule uses another calendar than the Gregorian one (RSCALE of RFC 7529).
        case unsupportedCalendar = "the repeat rule uses a calendar that is not supported"
        /// The reminder has more than one repeat rule, so remindav cannot change its dates.
        case severalRules = "the reminder has more than one repeat rule, so remindav cannot change its dates"
        /// The reminder has more excluded and added dates than remindav supports.
        case tooManyDates = "the reminder has more excluded and added dates than remindav supports"
        /// The repeat rule cannot be read, or there is no start date.
        case unreadableRule = "the repeat rule cannot be read, or there is no start date"
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
