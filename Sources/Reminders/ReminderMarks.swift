import RemindavICalendar
package import RemindavRecurrence

/// The parts of a reminder that a listing marks with a symbol.
///
/// The raw values are stored, so a bit never changes its meaning.
public struct ReminderMarks: OptionSet, Hashable, Sendable {
    /// The bits of the marks.
    public let rawValue: Int

    /// The reminder has notes.
    public static let notes = Self(rawValue: 1)
    /// The reminder has an alarm at another time than the due time.
    public static let alarms = Self(rawValue: 2)
    /// The reminder has a link.
    public static let link = Self(rawValue: 4)

    /// Creates marks from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

extension Reminder {
    /// The marks of the reminder; for a series, those of the series itself and not of an occurrence.
    ///
    /// - Parameter zones: resolves the zone of the due time; an alarm at a moment is marked if that zone is unknown.
    package func marks(zones: TimeZoneResolver) -> ReminderMarks {
        let todo = self.main
        var marks: ReminderMarks = []
        if todo.first(.description)?.value.isEmpty == false { marks.insert(.notes) }
        if todo.first(.url)?.value.isEmpty == false { marks.insert(.link) }
        let isOwn = { (alarm: Alarm) in
            switch alarm.trigger {
            case .relative(.zero, _), nil: false
            case .relative: true
            case .absolute(let instant):
                if case .dateTime(let due)? = self.due { zones.instant(of: due) != instant } else { true }
            }
        }
        if todo.notifyingAlarms.contains(where: isOwn) { marks.insert(.alarms) }
        return marks
    }
}
