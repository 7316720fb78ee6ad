package import ICalendar
import Recurrence

extension [Component] {
    /// The instants of the RECURRENCE-IDs of these to-dos of one calendar, in any form.
    ///
    /// - Returns: for each of them, in order; `nil` for a day, a floating time, and a zone that the calendar does not
    ///   describe.
    package var occurrenceInstants: [Instant?] {
        guard let first = self.first(where: { $0.recurrenceID != nil }) else { return self.map { _ in nil } }
        let zones = first.ownZones
        return self.map { component in
            guard case .dateTime(let time) = component.recurrenceID?.moment, time.zone != .floating else { return nil }
            return zones.instant(of: time)
        }
    }
}

extension Component {
    /// The zones that the calendar around it describes.
    fileprivate var ownZones: TimeZoneResolver {
        var calendar = self.parent
        while let parent = calendar?.parent { calendar = parent }
        return TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: calendar, local: "")
    }
}
