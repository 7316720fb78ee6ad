/// Shared by the pages of `add` and `edit`.
enum AlarmHelp {
    static let text = """
        --alarm sets the times of notifications: 'due', a time before the due time such as
        15m, 1h, 1d or 1w, or an absolute time such as 'tomorrow 8:00'. Separate several
        with commas, or repeat the option. 'none' means no alarm. Without the option, a
        reminder with a date gets one alarm at its due time, unless 'lists set' or the
        setting 'alarm' defines others. For an all-day reminder, 'due' is the time of the
        setting 'alarm-time'.
        """
}
