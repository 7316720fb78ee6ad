import RemindavICalendar

extension Weekday {
    static let workdays: [Self] = [.monday, .tuesday, .wednesday, .thursday, .friday]
}
