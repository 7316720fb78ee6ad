import RemindavICalendar

/// A month of the Gregorian calendar in the years 0 to 10,000.
struct Month: Sendable {
    let year: Int
    /// The number of the month, 1 to 12.
    let number: Int
    let firstDay: Int
    let length: Int

    init(year: Int, number: Int) {
        self.year = year
        self.number = number
        let isLeap = Self.isLeap(year)
        // The days before the month if February had 30 days, minus the days that February lacks.
        let before = (367 * number - 362) / 12 - (number <= 2 ? 0 : isLeap ? 1 : 2)
        self.firstDay = Self.firstDay(of: year) + before
        self.length = number == 2 ? (isLeap ? 29 : 28) : 30 + (number + number >> 3) & 1
    }

    init(containing day: Int) {
        let date = DateParts(dayNumber: day)
        self.init(year: date.year, number: date.month)
    }

    var next: Month {
        self.number == 12 ? Month(year: self.year + 1, number: 1) : Month(year: self.year, number: self.number + 1)
    }

    var firstWeekday: Int { Self.weekday(of: self.firstDay) }
    var mask: UInt64 { .lowBits(self.length) }

    static func isLeap(_ year: Int) -> Bool { year & 3 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The day number of 1 January of a year.
    static func firstDay(of year: Int) -> Int {
        // The years are counted from -400, to avoid negative numbers.
        let years = year + 399
        return 365 * years + years / 4 - years / 100 + years / 400 - 865_259
    }

    /// The weekday of a day number in the years 0 and later; 0 is Sunday.
    static func weekday(of day: Int) -> Int { (day + 700_000_000 + 4) % 7 }
}

/// Year, month and day of a day number in the years 0 to 10,000, or slightly outside.
struct DateParts {
    let year: Int
    let month: Int
    let day: Int

    // Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022): years begin
    // on 1 March, and multiplications replace divisions.
    init(dayNumber: Int) {
        let quarters = 4 * (UInt64(bitPattern: Int64(dayNumber)) &+ 719_468 &+ 146_097) + 3
        let century = quarters / 146_097
        let dayOfCentury = quarters % 146_097 | 3
        let product = 2_939_745 * dayOfCentury
        let dayOfYear = (product & 0xFFFF_FFFF) / 11_758_980
        let parts = 2141 * dayOfYear + 197_913
        let isNextYear = dayOfYear >= 306
        self.year = Int(century) * 100 + Int(product >> 32) - 400 + (isNextYear ? 1 : 0)
        self.month = Int(parts >> 16) - (isNextYear ? 12 : 0)
        self.day = Int((parts & 0xFFFF) / 2141) + 1
    }
}
