internal import RemindavCICU
internal import RemindavRecurrence
private import Synchronization

/// A calendar of ICU; the days and months are those of its fields, in UTC.
final class ICUCalendar: Sendable {
    /// The calendars of RSCALE (the keys of CLDR, RFC 7529 §4) and their names in ICU.
    static let names = [
        "CHINESE": "chinese", "COPTIC": "coptic", "DANGI": "dangi", "ETHIOAA": "ethiopic-amete-alem",
        "ETHIOPIC": "ethiopic", "ETHIOPIC-AMETE-ALEM": "ethiopic-amete-alem", "HEBREW": "hebrew", "INDIAN": "indian",
        "ISLAMIC": "islamic", "ISLAMIC-CIVIL": "islamic-civil", "ISLAMIC-TBLA": "islamic-tbla",
        "ISLAMIC-UMALQURA": "islamic-umalqura", "ISLAMICC": "islamic-civil", "PERSIAN": "persian",
    ]
    private static let millisecondsPerDay = 86_400_000.0
    /// The days that ICU is asked for: those of the years 0 to 10,000 in all calendars, with a margin.
    private static let days = -2_000_000...5_000_000
    /// In the Hebrew calendar, ICU numbers Adar I, the leap month, as the month after Shevat, which only leap years have.
    private let numbersLeapMonth: Bool
    private let icu: RemindavICU
    // An ICU calendar may be used by one thread at a time.
    private let calendar: Mutex<Handle>

    private struct Handle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    /// - Parameter name: the name in ICU; `nil` if this version of ICU does not know the calendar.
    init?(_ name: String, of library: ICULibrary) {
        let icu = library.functions
        var status: Int32 = 0
        guard let pointer = icu.open(Array("Etc/UTC".utf16), 7, "en@calendar=\(name)", 0, &status) else { return nil }
        // ICU uses the Gregorian calendar instead of an unknown one.
        guard status <= 0, let type = icu.getType(pointer, &status), String(cString: type) == name else {
            icu.close(pointer)
            return nil
        }
        self.icu = icu
        self.numbersLeapMonth = name == "hebrew"
        self.calendar = Mutex(Handle(pointer: pointer))
    }

    deinit {
        let icu = self.icu
        self.calendar.withLock { icu.close($0.pointer) }
    }

    func yearNumber(of day: Int) -> Int? {
        self.calendar.withLock { handle in
            var status: Int32 = 0
            return self.fields(of: day, handle.pointer, &status).flatMap { status <= 0 ? $0.year : nil }
        }
    }

    func year(_ number: Int) -> CalendarYear? {
        self.calendar.withLock { handle in
            let calendar = handle.pointer
            var status: Int32 = 0
            self.icu.clear(calendar)
            self.icu.set(calendar, Self.yearField, Int32(number))
            self.icu.set(calendar, Self.monthField, 0)
            self.icu.set(calendar, Self.dateField, 1)
            var firstDay = Int((self.icu.getMillis(calendar, &status) / Self.millisecondsPerDay).rounded(.down))
            var months: [CalendarYear.Month] = []
            guard var fields = self.fields(of: firstDay, calendar, &status) else { return nil }
            while fields.year == number, fields.day == 1, months.count <= 13 {
                // This day is in the next month: a month has at most 31 days, and two months have at least 35.
                let day = firstDay + 32
                guard let next = self.fields(of: day, calendar, &status) else { return nil }
                let nextDay = day - (next.day - 1)
                months.append(self.month(fields, firstDay: firstDay, length: nextDay - firstDay))
                firstDay = nextDay
                fields = next
                fields.day = 1
            }
            guard status <= 0, fields.year == number + 1 else { return nil }
            return CalendarYear(number: number, months: months)
        }
    }

    /// The month with the number that BYMONTH has for it: in RFC 7529, a leap month has the number of the month before.
    private func month(_ fields: Fields, firstDay: Int, length: Int) -> CalendarYear.Month {
        // ICU's Hebrew months: 0 is Tishri, 4 Shevat, 5 Adar I, 6 Adar, 12 Elul; common years lack 5. So 5 is "5L", and
        // the later months have the number that ICU has.
        let isAfterShevat = self.numbersLeapMonth && fields.month >= 5
        return CalendarYear.Month(
            number: isAfterShevat ? fields.month : fields.month + 1,
            isLeap: self.numbersLeapMonth ? fields.month == 5 : fields.isLeap,
            firstDay: firstDay,
            length: length
        )
    }

    private static let yearField = Int32(REMINDAV_ICU_EXTENDED_YEAR)
    private static let monthField = Int32(REMINDAV_ICU_MONTH)
    private static let dateField = Int32(REMINDAV_ICU_DATE)
    private static let leapMonthField = Int32(REMINDAV_ICU_IS_LEAP_MONTH)

    private struct Fields {
        let year: Int
        /// The number of the month in ICU, from 0.
        let month: Int
        let isLeap: Bool
        /// The day of the month, from 1.
        var day: Int
    }

    private func fields(of day: Int, _ calendar: UnsafeMutableRawPointer, _ status: inout Int32) -> Fields? {
        guard Self.days.contains(day) else { return nil }
        self.icu.setMillis(calendar, Double(day) * Self.millisecondsPerDay, &status)
        return Fields(
            year: Int(self.icu.get(calendar, Self.yearField, &status)),
            month: Int(self.icu.get(calendar, Self.monthField, &status)),
            isLeap: self.icu.get(calendar, Self.leapMonthField, &status) != 0,
            day: Int(self.icu.get(calendar, Self.dateField, &status))
        )
    }
}
