/// The reason why the occurrences of a series cannot be computed.
public struct RecurrenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; its raw value is a sentence for users.
    public enum Code: String, Sendable {
        /// The search needs more steps than ``RecurrenceSet/maximumSteps`` or the ``StepBudget`` allows.
        case budgetExceeded = "no occurrence of the repeat rule was found"
        /// The time zone of the repetition is unknown.
        case unknownZone = "the time zone of the repetition is unknown"
        /// RSCALE names no known calendar system (RFC 7529).
        case unsupportedCalendar = "the repeat rule uses a calendar that is not supported"
        /// The library that computes the calendar of the rule is missing.
        case missingCalendarLibrary = "the repeat rule uses a calendar that needs the library libicu"
        /// The rule has BYWEEKNO in another calendar than the Gregorian one.
        case unsupportedWeekNumbers = "the repeat rule has week numbers in a calendar that does not number its weeks"
        /// The reminder has more than one repeat rule, so remindav cannot change its dates.
        case severalRules = "the reminder has more than one repeat rule, so remindav cannot change its dates"
        /// The reminder has more excluded and added dates than remindav supports.
        case tooManyDates = "the reminder has more excluded and added dates than remindav supports"
        /// The repeat rule cannot be read, or there is no start date.
        case unreadableRule = "the repeat rule cannot be read, or there is no start date"
    }

    /// The kind of error.
    public let code: Code
    /// The name of the calendar, in capitals and shortened; `nil` for an error of another kind.
    public let calendar: String?
    /// A sentence for users.
    public var description: String { self.code.rawValue + (self.calendar.map { " (\($0))" } ?? "") }
    /// An error with ``Code/budgetExceeded``.
    public static let budgetExceeded = RecurrenceError(.budgetExceeded)
    /// An error with ``Code/unknownZone``.
    public static let unknownZone = RecurrenceError(.unknownZone)
    /// The component has more than one RRULE, or an EXRULE.
    public static let severalRules = RecurrenceError(.severalRules)
    /// The component has more dates of EXDATE and RDATE than are supported.
    public static let tooManyDates = RecurrenceError(.tooManyDates)
    /// An error with ``Code/unreadableRule``.
    public static let unreadableRule = RecurrenceError(.unreadableRule)

    /// An error with ``Code/unsupportedCalendar``.
    public static func unsupportedCalendar(_ name: String) -> Self { Self(.unsupportedCalendar, calendar: name) }
    /// An error with ``Code/missingCalendarLibrary``.
    public static func missingCalendarLibrary(_ name: String) -> Self { Self(.missingCalendarLibrary, calendar: name) }
    /// An error with ``Code/unsupportedWeekNumbers``.
    static func unsupportedWeekNumbers(_ name: String?) -> Self { Self(.unsupportedWeekNumbers, calendar: name) }

    /// The largest number of characters of a shown name; the longest name of a calendar has 19.
    private static let maximumNameLength = 40

    private init(_ code: Code, calendar: String? = nil) {
        self.code = code
        self.calendar = calendar.map { String($0.prefix(Self.maximumNameLength)) }
    }
}
