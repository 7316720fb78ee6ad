import RemindavICalendar
import RemindavRecurrence

extension Reminder {
    /// Whether the reminder depends on the local zone: it has a date, a floating time, or a time in an unknown zone.
    func dependsOnLocalZone(_ zones: TimeZoneResolver) -> Bool {
        self.object.todos.contains { $0.dependsOnLocalZone(zones) }
    }
}

extension Component {
    private static let dates: [Name] = [.dtstart, .due, .recurrenceID, .rdate, .exdate, .kdeNextOccurrence]

    fileprivate func dependsOnLocalZone(_ zones: TimeZoneResolver) -> Bool {
        let hasDates = Self.dates.contains { name in self.all(name).contains { $0.isOnWall(zones) } }
        let hasEnd = self.all(.rrule).contains { $0.endsOnWall }
        // The repetitions of an alarm with an absolute TRIGGER depend on the local zone if their interval has days.
        // Alarms of vCalendar 1.0 may have no zone.
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

    /// Whether the UNTIL of a rule is a date or a local time.
    fileprivate var endsOnWall: Bool {
        self.value.uppercased().split(separator: ";").contains { $0.hasPrefix("UNTIL") && !$0.hasSuffix("Z") }
    }
}
