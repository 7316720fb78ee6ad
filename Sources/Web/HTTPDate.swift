import ICalendar

/// The format of a time in HTTP: `Fri, 20 Nov 2026 21:10:25 GMT` (RFC 9110 §5.6.7, IMF-fixdate).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    static func wire(_ instant: Instant) -> String {
        let utc = CalendarDateTime(utc: instant)
        let day = utc.date.day < 10 ? "0\(utc.date.day)" : "\(utc.date.day)"
        let year = String(repeating: "0", count: max(0, 4 - String(utc.date.year).count)) + String(utc.date.year)
        return "\(self.days[utc.date.weekday.rawValue]), \(day) \(self.months[utc.date.month - 1]) \(year) "
            + "\(utc.time.description) GMT"
    }
}
