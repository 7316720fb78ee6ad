/// Why a value could not be read.
///
/// Two errors are equal when their code and their part are.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: String, Sendable {
        /// Longer than any sensible value.
        case tooLong = "the rule is too long"
        /// A part is not `NAME=value`.
        case malformedPart = "a part is not of the form NAME=value"
        /// A repeated part that is allowed only once.
        case duplicatePart = "a part stands twice"
        /// FREQ is missing.
        case missingFrequency = "there is no FREQ"
        /// FREQ has a value that RFC 5545 does not know.
        case unknownFrequency = "FREQ is none of SECONDLY to YEARLY"
        /// Not a number where one is required.
        case invalidNumber = "there is something that is not a whole number"
        /// A number that the part does not allow, such as INTERVAL=0.
        case numberOutOfRange = "there is a number outside what the part allows"
        /// A list with more items than ``RecurrenceRule/maximumListLength``.
        case listTooLong = "there are too many items in the list"
        /// Not a weekday such as `MO` or `-1FR`.
        case invalidWeekday = "there is something that is not a weekday such as MO or -1FR"
        /// SKIP has a value that RFC 7529 does not know.
        case unknownSkip = "SKIP is none of OMIT, BACKWARD and FORWARD"
        /// Not a date or a time of day where one is required.
        case invalidDateTime = "this is not a date such as 20261231 or 20261231T090000Z"
        /// A date that no calendar has, such as 30 February.
        case noSuchDay = "there is no such day"
        /// A time that no clock shows, such as 25:00.
        case noSuchTime = "there is no such time of a day"
        /// Neither a duration nor a time, as TRIGGER requires.
        case invalidTrigger = "this is neither a duration such as -PT15M nor a time such as 20261231T090000Z"
        /// Not the two numbers of GEO.
        case invalidPlace = "these are not two numbers with a semicolon between them"
        /// Not a duration where one is required.
        case invalidDuration = "this is not a duration such as PT15M or P1D"
        /// Not a period where one is required.
        case invalidPeriod = "this is not a period such as 20261231T090000Z/PT1H"
        /// Not a time where one is required.
        case invalidTime = "this is not a time such as 090000"
        /// Not an offset where one is required.
        case invalidOffset = "this is not an offset such as +0100"
        /// Not a decimal number where one is required.
        case invalidFloat = "this is not a number such as 3.14"
        /// Not a truth value where one is required.
        case invalidBoolean = "this is neither TRUE nor FALSE"
        /// Not base64 where it is required.
        case invalidBinary = "this is not base64"
        /// UNTIL is neither a date nor a date with a time.
        case invalidDate = "there is something that is not a date such as 20261231 or 20261231T090000Z"
    }

    /// The kind of error.
    public let code: Code
    /// The rule part with the error (`INTERVAL`); `nil` for the whole value; at most 20 characters.
    public let part: String?

    /// A sentence for a person.
    public var description: String {
        if let part { "\(part): \(self.code.rawValue)" } else { self.code.rawValue }
    }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - part: the name of the rule part, cut to 20 characters.
    init(_ code: Code, part: String? = nil) {
        self.code = code
        self.part = part.map { String($0.prefix(20)) }
    }
}
