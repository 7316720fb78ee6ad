import ICalendar
import Recurrence

extension Reminder {
    /// Whether a time depends on the local time zone: a date, or a time without a zone or in an unknown one.
    func followsWall(_ zones: TimeZoneResolver) -> Bool { self.object.todos.contains { $0.followsWall(zones) } }
}

extension Component {
    private static let dates: [Name] = [.dtstart, .due, .recurrenceID, .rdate, .exdate, .kdeNextOccurrence]

    fileprivate func followsWall(_ zones: TimeZoneResolver) -> Bool {
        let hasDates = Self.dates.contains { name in self.all(name).contains { $0.isOnWall(zones) } }
        let hasEnd = self.all(.rrule).contains { $0.endsOnWall }
        // Repetitions of an alarm at a moment count their days in local time, and those of vCalendar 1.0 may have no
        // zone.
        let hasAlarm = self.alarms.contains { alarm in
            guard case .absolute? = alarm.trigger else { return false }
            return alarm.interval.map { $0.days != 0 } ?? false
        }
        return hasDates || hasEnd || hasAlarm || self.alarms.count != self.components(.valarm).count
    }
}

extension Property {
    fileprivate func isOnWall(_ zones: TimeZoneResolver) -> Bool {
        let hasZone = self.parameter(.tzid).map { zones.knows(.named($0)) } ?? false
        return self.value.trimmingSpaces.split(separator: ",").contains { part in
            !part.hasSuffix("Z") && !(hasZone && part.contains("T"))
        }
    }

    /// Whether a rule ends at a date or a local time.
    fileprivate var endsOnWall: Bool {
        self.value.uppercased().split(separator: ";").contains { $0.hasPrefix("UNTIL") && !$0.hasSuffix("Z") }
    }
}
