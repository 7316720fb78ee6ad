/// A day of the week; the raw values count from Sunday, which is 0 (RFC 5545 §3.3.10, `weekday`).
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    /// The first day in the order of the raw values.
    case sunday = 0
    /// The days from 1 to 6.
    case monday, tuesday, wednesday, thursday, friday, saturday
    private static let wires = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    private static let keys = Self.wires.map { WordKey.of(Array($0.utf8)[...]) }

    /// The two letters of the wire form: `SU` to `SA`.
    public var wire: String { Self.wires[self.rawValue] }

    /// Parses `SU` to `SA`; case is ignored.
    public init?(wire: String) { self.init(Array(wire.utf8)[...]) }

    init?(_ wire: ArraySlice<UInt8>) {
        guard let key = WordKey.of(wire), let number = Self.keys.firstIndex(of: key) else { return nil }
        self.init(rawValue: number)
    }

    /// The number of days from the weekday `first` to this weekday, 0 to 6.
    public func days(after first: Weekday) -> Int { (self.rawValue - first.rawValue + 7) % 7 }
}

/// An existing day of the Gregorian calendar in the years 1 to 9999 (RFC 5545 §3.3.4).
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The ``dayNumber`` of 0001-01-01.
    public static let firstDayNumber = -719_162
    /// The ``dayNumber`` of 9999-12-31.
    public static let lastDayNumber = 2_932_896

    // Year, month and day in one number, for fast comparison and hashing. Later dates have greater numbers.
    private let packed: Int32

    /// The year, 1 to 9999.
    public var year: Int { Int(self.packed >> 9) }
    /// The month, 1 to 12.
    public var month: Int { Int(self.packed >> 5) & 15 }
    /// The day of the month, 1 to 31.
    public var day: Int { Int(self.packed) & 31 }

    /// Creates a date; `nil` for a day that does not exist, such as 30 February, or for a year outside 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysInMonth(month, year: year)
        else { return nil }
        self.init(checkedYear: year, month: month, day: day)
    }

    /// The day that is `dayNumber` days after 1970-01-01, limited to ``firstDayNumber`` and ``lastDayNumber``.
    public init(dayNumber: Int) {
        // Days are counted from 1 March of year 0, so that a leap day is the last day of its year. An era has 400
        // years, which are 146,097 days.
        let shifted = Swift.min(Swift.max(dayNumber, Self.firstDayNumber), Self.lastDayNumber) + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            checkedYear: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private init(checkedYear year: Int, month: Int, day: Int) {
        self.packed = Int32(truncatingIfNeeded: year << 9 | month << 5 | day)
    }

    /// The number of days since 1970-01-01; negative for an earlier date.
    public var dayNumber: Int { Self.dayNumber(year: self.year, month: self.month, day: self.day) }

    /// The day of the week.
    public var weekday: Weekday { Self.weekday(dayNumber: self.dayNumber) }

    /// The date `days` later, or earlier if `days` is negative; limited to the years 1 to 9999.
    public func adding(days: Int) -> CalendarDate {
        let (sum, overflow) = self.dayNumber.addingReportingOverflow(days)
        return CalendarDate(dayNumber: overflow ? (days < 0 ? Self.firstDayNumber : Self.lastDayNumber) : sum)
    }

    /// The same day a number of months later, or the last day of a shorter month; at most the end of the year 9999.
    package func adding(months: Int) -> CalendarDate {
        let count = self.year * 12 + self.month - 1 + months
        let (year, month) = (count / 12, count % 12 + 1)
        let day = min(self.day, Self.daysInMonth(month, year: year))
        return CalendarDate(year: year, month: month, day: day) ?? CalendarDate(dayNumber: Self.lastDayNumber)
    }

    /// Chronological order.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.packed < rhs.packed }

    /// The date in the form `2026-11-20`.
    public var description: String { "\(self.year.padded(4))-\(self.month.padded(2))-\(self.day.padded(2))" }
}

extension CalendarDate {
    /// Parses the form `20261120`; `nil` for any other text.
    public init?(wire: String) {
        let bytes = Array(wire.utf8)
        guard bytes.count == Self.wireLength else { return nil }
        self.init(bytes.span, at: 0)
    }

    static let wireLength = 8

    // date-value    = 4DIGIT 2DIGIT 2DIGIT
    init?(_ bytes: Span<UInt8>, at start: Int) {
        self.init(
            year: bytes.digits(4, at: start),
            month: bytes.digits(2, at: start + 4),
            day: bytes.digits(2, at: start + 6)
        )
    }

    /// The wire form: `20261120`.
    public var wire: String { self.year.padded(4) + self.month.padded(2) + self.day.padded(2) }

    /// Whether `year` has a 29 February.
    public static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The number of days in a month: 28 to 31 for a `month` of 1 to 12.
    public static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: self.isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.flooredQuotient(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The weekday of the date with this ``dayNumber``; 1970-01-01 was a Thursday.
    package static func weekday(dayNumber: Int) -> Weekday {
        Weekday(rawValue: (dayNumber + 4).flooredRemainder(by: 7)) ?? .sunday
    }
}
