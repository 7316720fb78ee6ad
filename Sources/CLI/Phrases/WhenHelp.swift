/// What the pages of `add` and `edit` say about WHEN.
enum WhenHelp {
    static let text = """
        WHEN is a day, a day and a time in either order, or a time alone, which is then the
        next one. In any case, English only:
          days    today, tomorrow, friday, next friday, 2026-12-01, 24 dec, dec 24 2027,
                  in 3 days, in 2 weeks, next week, next month, next year, end of month:
                  without a time, the whole day
          times   17:30, 9am, 9:30 pm, noon, midnight (when the day begins), at 9
          or      in 30 min, in 2 hours, 2026-12-01T09:00:00+01:00 (RFC 3339), none
        A weekday is the first one after today; a day without a year is never past.
        """
}
