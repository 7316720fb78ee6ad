/// Why a value could not be read.
///
/// Two errors are equal when their code and their part are.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for programs.
    public enum Code: String, Sendable {
        /// Longer than any sensible value.
        case tooLong = "the rule is too long"
        /// A part is not `NAME=value`.
        case malformedPart = "a part is not of the form NAME=value"
        /// A part that may stand once stands twice.
        case duplicatePart = "a part stands twice"
        /// FREQ is missing.
        case missingFrequency = "there is no FREQ"
        /// FREQ has a value that RFC 5545 does not know.
        case unknownFrequency = "FREQ is none of SECONDLY to YEARLY"
        /// Not a number where one belongs.
        case invalidNumber = "there is something that is not a whole number"
        /// A number that the part does not allow, such as INTERVAL=0.
        case numberOutOfRange = "there is a number outside what the part allows"
        /// A list with more items than ``RecurrenceRule/maximumListLength``.
        case listTooLong = "there are too many items in the list"
        /// Not a weekday such as `MO` or `-1FR`.
        case invalidWeekday = "there is something that is not a weekday such as MO or -1FR"
        /// SKIP has a value that RFC 7529 does not know.
        case unknownSkip = "SKIP is none of OMIT, BACKWARD and FORWARD"
        /// Not a date or a time of a day where one belongs.
        case invalidDateTime = "this is not a date such as 20261231 or 20261231T090000Z"
        /// A date that no calendar has, such as 30 February.
        case noSuchDay = "there is no such day"
        /// A time that no clock shows, such as 25:00.
        case noSuchTime = "there is no such time of a day"
        /// Neither a duration nor a time where TRIGGER needs one of them.
        case invalidTrigger = "this is neither a duration such as -PT15M nor a time such as 20261231T090000Z"
        /// Not the two numbers of GEO.
        case invalidPlace = "these are not two numbers with a semicolon between them"
        /// Not a duration where one belongs.
        case invalidDuration = "this is not a duration such as PT15M or P1D"
        /// Not a period where one belongs.
        case invalidPeriod = "this is not a period such as 20261231T090000Z/PT1H"
        /// Not a time where one belongs.
        case invalidTime = "this is not a time such as 090000"
        /// Not an offset where one belongs.
        case invalidOffset = "this is not an offset such as +0100"
        /// Not a number with or without a fraction where one belongs.
        case invalidFloat = "this is not a number such as 3.14"
        /// Not a truth value where one belongs.
        case invalidBoolean = "this is neither TRUE nor FALSE"
        /// Not base64 where it belongs.
        case invalidBinary = "this is not base64"
        /// UNTIL is neither a date nor a date with a time.
        case invalidDate = "there is something that is not a date such as 20261231 or 20261231T090000Z"
    }

    /// What is wrong.
    public let code: Code
    /// The rule part where it is wrong (`INTERVAL`), `nil` when it is the whole; at most 20 characters.
    public let part: String?

    /// A sentence for a person.
    public var description: String {
        if let part { "\(part): \(self.code.rawValue)" } else { self.code.rawValue }
    }

    /// - Parameters:
    ///   - code: what is wrong.
    ///   - part: the name of the rule part, cut to 20 characters.
    init(_ code: Code, part: String? = nil) {
        self.code = code
        self.part = part.map { String($0.prefix(20)) }
    }
}
