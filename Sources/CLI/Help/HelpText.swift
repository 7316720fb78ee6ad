/// Paragraphs that the help pages of `add` and `edit` share.
enum HelpText {
    static let titles = """
        These parts of TITLE are parsed, removed from the title and printed:
          +home, #home, #"two words"       labels
          p1, p2, p3, p4                   the priority high, medium, low or none; also
                                           !high, !medium, !low, !h, !1 to !9, !!, !!!
          @groceries                       the list, if a list has this name
          *15m, *1d,due, *none             the alarms, as in --alarm
          due:friday, recur:weekly         the due date and the rule; also pri:H and
                                           project:Home, the list or else a label
          at the end                       a day, a time with 'at', am or pm, or both;
                                           'in 2 hours'; 'daily', 'every ...',
                                           'every monday at 9am'
        A title is not changed if nothing would remain of it, or with --literal. An option
        replaces the corresponding part, which then stays in the title; labels are combined.
        """

    static let fields = """
        WHEN is a day, a time, or both in either order, in English. Case is ignored.
          days    today, tomorrow, friday, next friday, 2026-12-01, 24 dec, dec 24 2027,
                  in 3 days, in 2 weeks, next week, next month, next year, end of month,
                  31.12., the 1st, eow, +3d, yesterday
          times   17:30, 9am, 9:30 pm, noon, midnight (the start of the day), at 9
          other   in 30 min, 1h30m, tonight, none, 2026-12-01T09:00,
                  2026-12-01T08:00:00Z
        A day without a time is an all-day date; 'edit' keeps the present time of day, except
        with 'friday all day'. A time without a day is the next such time.
        A weekday is the first one after today. A day without a year is never in the past.

        --repeat takes English words, or an iCalendar rule such as 'FREQ=WEEKLY;BYDAY=MO,TH':
          daily, weekly, monthly, yearly, every day, every other week, every 3 months
          every weekday, every mon and thu, every 2 weeks on mon,thu
          every month on the 15th, on the 1st and 15th, on the last day, on the 2nd tue,
          on the last weekday; every last friday
          every year on 24 dec, on the last sun of march, in mar and sep
        Each of them can end with 'until 2027-06-01', '10 times', 'at 9am' or
        'starting 1 dec'. The first due date is a date of the rule. 'every 3 days after done'
        counts the next date from the completion.

        --alarm sets the times of notifications: 'due', a time before the due time such as
        15m, 1h, 1d or 1w, or an absolute time such as 'tomorrow 8:00'. Separate several
        with commas, or repeat the option. 'none' means no alarm. Without the option, a
        reminder with a date gets one alarm at its due time, unless 'lists set' or the
        setting 'alarm' defines others. For an all-day reminder, 'due' is the time of the
        setting 'alarm-time'.
        """
}
