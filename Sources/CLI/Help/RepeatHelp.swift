/// Shared by the pages of `add` and `edit`.
enum RepeatHelp {
    static let text = """
        --repeat takes English words, or an iCalendar rule such as 'FREQ=WEEKLY;BYDAY=MO,TH':
          daily, weekly, monthly, yearly, every day, every other week, every 3 months
          every weekday, every mon and thu, every 2 weeks on mon,thu
          every month on the 15th, on the 1st and 15th, on the last day, on the 2nd tue,
          on the last weekday; every last friday
          every year on 24 dec, on the last sun of march, in mar and sep
        Each of them can end with 'until 2027-06-01' or '10 times'.
        """
}
