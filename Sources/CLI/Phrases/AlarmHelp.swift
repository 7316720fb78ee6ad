/// The help text about alarms in the pages of `add` and `edit`.
enum AlarmHelp {
    static let text = """
        --alarm says when phones and this computer notify: 'due', a time before it such as
        15m, 1h, 1d or 1w, or a time of its own such as 'tomorrow 8:00'; several with commas,
        or by repeating the option; 'none' for no alarm. Without it a reminder with a date
        has one alarm when it is due, unless the list ('lists set') or the setting 'alarm'
        says otherwise. Of a whole day, 'due' is the time of the setting 'alarm-time'.
        """
}
