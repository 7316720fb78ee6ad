/// Shared by the pages of `add` and `edit`.
enum WhenHelp {
    static let text = """
        WHEN is a day, a time, or both in either order, in English. Case is ignored.
          days    today, tomorrow, friday, next friday, 2026-12-01, 24 dec, dec 24 2027,
                  in 3 days, in 2 weeks, next week, next month, next year, end of month
          times   17:30, 9am, 9:30 pm, noon, midnight (the start of the day), at 9
          other   in 30 min, in 2 hours, 2026-12-01T09:00:00+01:00 (RFC 3339), none
        A day without a time is an all-day date. A time without a day is the next such time.
        A weekday is the first one after today. A day without a year is never in the past.
        """
}
