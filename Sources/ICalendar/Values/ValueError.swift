/// The reason why a value cannot be read.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; the raw value is a sentence for the user.
    public enum Code: String, Sendable {
        /// The rule is too long.
        case tooLong = "the rule is too long"
        /// A part is not of the form NAME=value.
        case malformedPart = "a part is not of the form NAME=value"
        /// A part occurs twice.
        case duplicatePart = "a part occurs twice"
        /// There is no FREQ.
        case missingFrequency = "there is no FREQ"
        /// FREQ must be one of SECONDLY to YEARLY.
        case unknownFrequency = "FREQ must be one of SECONDLY to YEARLY"
        /// A value is not a whole number.
        case invalidNumber = "a value is not a whole number"
        /// A number is outside the range of its part.
        case numberOutOfRange = "a number is outside the range of its part"
        /// There are too many items in the list.
        case listTooLong = "there are too many items in the list"
        /// A value is not a weekday such as MO or -1FR.
        case invalidWeekday = "a value is not a weekday such as MO or -1FR"
        /// SKIP must be one of OMIT, BACKWARD and FORWARD.
        case unknownSkip = "SKIP must be one of OMIT, BACKWARD and FORWARD"
        /// This is not a date such as 20261231 or 20261231T090000Z.
        case invalidDateTime = "this is not a date such as 20261231 or 20261231T090000Z"
        /// There is no such day.
        case noSuchDay = "there is no such day"
        /// There is no such time of a day.
        case noSuchTime = "there is no such time of a day"
        /// This is neither a duration such as -PT15M nor a time such as 20261231T090000Z.
        case invalidTrigger = "this is neither a duration such as -PT15M nor a time such as 20261231T090000Z"
        /// This is not two numbers separated by a semicolon.
        case invalidPlace = "this is not two numbers separated by a semicolon"
        /// This is not a duration such as PT15M or P1D.
        case invalidDuration = "this is not a duration such as PT15M or P1D"
        /// This is not a period such as 20261231T090000Z/PT1H.
        case invalidPeriod = "this is not a period such as 20261231T090000Z/PT1H"
        /// This is not a time such as 090000.
        case invalidTime = "this is not a time such as 090000"
        /// This is not an offset such as +0100.
        case invalidOffset = "this is not an offset such as +0100"
        /// This is not a number such as 3.14.
        case invalidFloat = "this is not a number such as 3.14"
        /// This is neither TRUE nor FALSE.
        case invalidBoolean = "this is neither TRUE nor FALSE"
        /// This is not base64.
        case invalidBinary = "this is not base64"
        /// A value is not a date such as 20261231 or 20261231T090000Z.
        case invalidDate = "a value is not a date such as 20261231 or 20261231T090000Z"
    }

    /// The kind of error.
    public let code: Code
    /// The rule part with the error, such as `INTERVAL`, at most 20 characters; `nil` for the whole value.
    public let part: String?

    /// A sentence for the user.
    public var description: String {
        if let part { "\(part): \(self.code.rawValue)" } else { self.code.rawValue }
    }

    init(_ code: Code, part: String? = nil) {
        self.code = code
        self.part = part.map { String($0.prefix(20)) }
    }
}
