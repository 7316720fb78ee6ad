/// Converts the dates of header fields to seconds since 1970 (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Parses any of the three forms; `nil` for other texts.
    package static func read(_ text: some StringProtocol) -> Int64? {
        let words = text.split(whereSeparator: { " ,-".contains($0) }).map { String($0) }
        // Sun, 06 Nov 1994 08:49:37 GMT · Sunday, 06-Nov-94 08:49:37 GMT
        if words.count == 6, words[5].uppercased() == "GMT", let number = Int(words[3]),
            [2, 4].contains(words[3].count), number >= 0
        {
            // A year of two digits is from 1970 to 2069, because no server clock is before 1970.
            let century = words[3].count > 2 ? 0 : (number < 70 ? 2000 : 1900)
            return self.seconds(year: century + number, month: words[2], day: words[1], time: words[4])
        }
        // Sun Nov  6 08:49:37 1994
        if words.count == 5, let number = Int(words[4]) {
            return self.seconds(year: number, month: words[1], day: words[2], time: words[3])
        }
        return nil
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func seconds(year: Int, month: String, day: String, time: String) -> Int64? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard (1...9999).contains(year), let month = self.months.firstIndex(of: month.lowercased()),
            let day = Int(day), (1...31).contains(day), parts.count == 3, (0...23).contains(parts[0]),
            (0...59).contains(parts[1]), (0...60).contains(parts[2])
        else { return nil }
        // Days since 1970. Years begin in March here, so that a leap day is the last day of its year.
        let (shifted, years) = month >= 2 ? (month - 2, year) : (month + 10, year - 1)
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (153 * shifted + 2) / 5 + day - 1 - 719_468
        return Int64(days) * 86_400 + Int64(parts[0] * 3600 + parts[1] * 60 + parts[2])
    }
}

extension Headers {
    /// The longest waiting time in seconds: one day; a longer time is not useful.
    private static let maximumRetrySeconds = 86_400

    /// The seconds from now to the time in `Retry-After`, in either of its forms (RFC 9110 §10.2.3), at most one day.
    ///
    /// A date is compared with `Date` in the same answer, so an incorrect clock on either machine does not matter.
    ///
    /// - Parameter now: in seconds since 1970, for an answer without `Date`; `nil` when unknown.
    package func retryAfterSeconds(now: Int64?) -> Int? {
        guard let text = self[.retryAfter]?.trimmed, !text.isEmpty else { return nil }
        var seconds: Int64?
        // delay-seconds = 1*DIGIT
        if text.utf8.allSatisfy({ (48...57).contains($0) }) {
            seconds = Int64(text) ?? .max
        } else if let then = HTTPDate.read(text) {
            seconds = (self[.date].flatMap { HTTPDate.read($0) } ?? now).map { then - $0 }
        }
        return seconds.map { Int(Swift.min(Swift.max($0, 0), Int64(Self.maximumRetrySeconds))) }
    }
}
