private import Synchronization

/// A calendar system in which a rule with RSCALE is computed (RFC 7529); each year is computed once.
public final class CalendarSystem: Sendable {
    /// The largest number of cached years; a year has about 400 bytes.
    static let maximumCached = 1024
    /// The numbers of the years of all calendars that contain a day of ``CalendarDate``: Persian years begin at -620, and
    /// Chinese ones end at 12,636.
    static let yearNumbers = -2000...20_000
    /// The steps of a ``StepBudget`` that the computation of one year costs: a Chinese year takes ICU 0.5 ms.
    static let stepsPerYear = 500
    private let load: @Sendable (Int) -> CalendarYear?
    private let number: @Sendable (Int) -> Int?
    private let years = SharedCache<Int, CalendarYear>(limit: CalendarSystem.maximumCached)

    /// - Parameters:
    ///   - year: returns the year with a number from -2000 to 20,000; `nil` if it cannot be computed.
    ///   - yearNumber: returns the number of the year that contains a day, given as days since 1970-01-01.
    public init(
        year: @escaping @Sendable (_ number: Int) -> CalendarYear?,
        yearNumber: @escaping @Sendable (_ day: Int) -> Int?
    ) {
        self.load = year
        self.number = yearNumber
    }

    func year(_ number: Int, whenLoaded charge: () -> Void) -> CalendarYear? {
        guard Self.yearNumbers.contains(number) else { return nil }
        return self.years.value(of: number) {
            charge()
            return self.load(number)
        }
    }

    func yearNumber(of day: Int) -> Int? { self.number(day) }
}

extension CalendarSystem {
    /// The Gregorian calendar, for rules with a leap month, which it does not have.
    static let gregorian = CalendarSystem { number in
        CalendarYear(
            number: number,
            months: (1...12).map { index in
                let month = RemindavRecurrence.Month(year: number, number: index)
                return CalendarYear.Month(number: index, firstDay: month.firstDay, length: month.length)
            }
        )
    } yearNumber: {
        DateParts(dayNumber: $0).year
    }
}
