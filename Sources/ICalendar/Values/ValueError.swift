/// The reason why a value cannot be read.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; the raw value is a sentence for the user.
    public enum Code: String, Sendable {
        case tooLong = "the rule is too long"
        case malformedPart = "a part is not of the form NAME=value"
        case duplicatePart = "a part occurs twice"
        case missingFrequency = "there is no FREQ"
        case unknownFrequency = "FREQ must be one of SECONDLY to YEARLY"
        case invalidNumber = "a value is not a whole number"
        case numberOutOfRange = "a number is outside the range of its part"
        case listTooLong = "there are too many items in the list"
        case invalidWeekday = "a value is not a weekday such as MO or -1FR"
        case unknownSkip = "SKIP must be one of OMIT, BACKWARD and FORWARD"
        case invalidDateTime = "this is not a date such as 20261231 or 20261231T090000Z"
        case noSuchDay = "there is no such day"
        case noSuchTime = "there is no such time of a day"
        case invalidTrigger = "this is neither a duration such as -PT15M nor a time such as 20261231T090000Z"
        case invalidPlace = "this is not two numbers separated by a semicolon"
        case invalidDuration = "this is not a duration such as PT15M or P1D"
        case invalidPeriod = "this is not a period such as 20261231T090000Z/PT1H"
        case invalidTime = "this is not a time such as 090000"
        case invalidOffset = "this is not an offset such as +0100"
        case invalidFloat = "this is not a number such as 3.14"
        case invalidBoolean = "this is neither TRUE nor FALSE"
        case invalidBinary = "this is not base64"
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
