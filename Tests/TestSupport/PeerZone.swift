/// A time zone of another implementation, from which only the offset at a moment is read.
///
/// It is a slow reference for our time zones.
public struct PeerZone: Sendable {
    /// The zoneinfo name.
    public let name: String
    /// Seconds east of UTC at a moment, in seconds since 1970.
    public let offset: @Sendable (Int64) -> Int64

    /// Creates a zone with the offsets of another implementation.
    public init(_ name: String, offset: @escaping @Sendable (Int64) -> Int64) {
        self.name = name
        self.offset = offset
    }

    /// Returns the local time, in seconds since 1970 in local time.
    public func local(_ utc: Int64) -> Int64 { utc + self.offset(utc) }

    /// The UTC of a time on the wall: the first of two; in a gap by the offset before it (RFC 5545 section 3.3.5).
    public func utc(_ local: Int64) -> Int64 {
        let before = self.offset(local - 2 * 86_400)
        let after = self.offset(local + 2 * 86_400)
        let shown = [before, after].map { local - $0 }.filter { self.local($0) == local }
        return shown.min() ?? local - before
    }

    /// The days on which the offset changes, in days since 1970.
    ///
    /// The search has steps of ten days: no zone changes its offset twice within ten days.
    private func days(withChangeIn days: Range<Int>) -> [Int] {
        var found: [Int] = []
        var last = self.offset(Int64(days.lowerBound) * 86_400)
        for day in stride(from: days.lowerBound + 10, to: days.upperBound, by: 10) {
            let next = self.offset(Int64(day) * 86_400)
            guard next != last else { continue }
            let change = ((day - 10)..<day).last { self.offset(Int64($0) * 86_400) == last }
            found.append(change ?? day)
            last = next
        }
        return found
    }

    /// Forty zones with every kind of change: whole and half hours, at midnight, twice a year and never, a day left out.
    public static let names = [
        "Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun", "Africa/Johannesburg", "Africa/Juba",
        "Africa/Monrovia", "Africa/Sao_Tome", "Africa/Windhoek", "America/Argentina/San_Luis", "America/Asuncion",
        "America/Caracas", "America/Havana", "America/Mexico_City", "America/Miquelon", "America/New_York",
        "America/Nuuk", "America/Scoresbysund", "America/St_Johns", "America/Whitehorse", "Antarctica/Casey",
        "Antarctica/Macquarie", "Antarctica/Troll", "Asia/Almaty", "Asia/Amman", "Asia/Gaza", "Asia/Jerusalem",
        "Asia/Kathmandu", "Asia/Pyongyang", "Asia/Tehran", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Chisinau",
        "Europe/Dublin", "Europe/Istanbul", "Europe/Lisbon", "Europe/Volgograd", "Pacific/Apia", "Pacific/Chatham",
        "Pacific/Easter", "Pacific/Kwajalein",
    ]

    /// Four hundred days between 2005 and 2037 to begin with, in days since 1970: the ends of years and of Februaries, the
    /// days around those on which this zone's clocks change, and some between.
    public var startDays: [Int] {
        // 2005-01-01 and 2037-12-31
        let span = 12_784..<24_837
        var days: Set<Int> = []
        for year in 2005...2037 {
            // The first of January and of March, and the two days before.
            let first = (year - 1970) * 365 + (year - 1969) / 4
            let leap = year.isMultiple(of: 4) ? 1 : 0
            days.formUnion([first - 1, first, first + 57 + leap, first + 58 + leap, first + 59 + leap])
        }
        for day in self.days(withChangeIn: span).prefix(60) { days.formUnion([day - 1, day, day + 1]) }
        var day = span.lowerBound
        while days.count < 400 {
            days.insert(day)
            day += 61
        }
        return days.sorted()
    }
}
