package import ICalendar
package import Recurrence
import Reminders

/// Reminders as a calendar that others subscribe to.
///
/// The bytes follow from the arguments alone: no clock and no order of arrival is in them, so that an entity tag made
/// of them changes exactly when a reminder does.
package enum EventFeed {
    /// How often a subscriber is asked to come back (RFC 7986 §5.7, positive).
    ///
    /// Most choose for themselves.
    private static let refreshInterval = CalendarDuration(seconds: 3600)

    /// Writes the calendar.
    ///
    /// - Parameters:
    ///   - objects: in any order. Done and cancelled ones are left out; of several with one UID the latest counts.
    ///   - name: what the calendar is called; empty for no name.
    ///   - style: in which form.
    ///   - showsPrivate: whether reminders are written whole that are marked PRIVATE or CONFIDENTIAL. Otherwise the
    ///     former have no title and no notes, and the latter are left out.
    ///   - zones: where zones are looked up that an object names and does not bring along.
    ///   - localZone: the zoneinfo name of the zone in which floating times are meant.
    ///   - write: takes the calendar piece by piece.
    /// - Returns: how many reminders were written.
    @discardableResult
    package static func write<Failure: Error>(
        objects: [CalendarObject],
        name: String,
        style: FeedStyle,
        showsPrivate: Bool,
        zones: ZoneDatabase,
        localZone: String,
        write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        var published = PublishedZones(database: zones, localZone: localZone)
        // The zones come first in the stream, and which are needed is known last.
        var pieces: [[UInt8]] = []
        for reminder in self.openReminders(of: objects) {
            let classification = Classification(reminder.object)
            if !showsPrivate, classification == .isConfidential { continue }
            let isHidden = !showsPrivate && classification == .isPrivate
            var piece: [UInt8] = []
            if style.hasEvents { piece += ReminderEvent.bytes(of: reminder, isHidden: isHidden, zones: &published) }
            if style.hasTodos { piece += self.todos(of: reminder, isHidden: isHidden, zones: &published) }
            if !piece.isEmpty { pieces.append(piece) }
        }
        try write(self.header(name: name, localZone: localZone).wire)
        try write(published.bytes)
        for piece in pieces { try write(piece) }
        try write([ContentLine(.end, value: "VCALENDAR")].wire)
        return pieces.count
    }

    private static func header(name: String, localZone: String) -> [ContentLine] {
        let names = name.isEmpty ? [] : [Name.calendarName, .wrCalendarName].map { ContentLine($0, text: name) }
        return [
            ContentLine(.begin, value: "VCALENDAR"),
            ContentLine(.version, value: "2.0"),
            ContentLine(.prodid, text: Reminder.productIdentifier),
            ContentLine(.calscale, value: "GREGORIAN"),
        ] + names + [
            ContentLine(.wrTimeZone, text: localZone),
            ContentLine(.refreshInterval, [Parameter(.value, "DURATION")], value: self.refreshInterval.wire),
            ContentLine(.publishedTTL, value: self.refreshInterval.wire),
        ]
    }

    /// The reminders that are still to be done, by UID.
    ///
    /// Sorted by bytes: Swift's own order of strings follows the Unicode version that it was built with.
    private static func openReminders(of objects: [CalendarObject]) -> [Reminder] {
        var latest: [[UInt8]: Reminder] = [:]
        for reminder in objects.compactMap(Reminder.init) where reminder.isOpen {
            let uid = Array(reminder.uid.utf8)
            if let other = latest[uid], !reminder.isLater(than: other) { continue }
            latest[uid] = reminder
        }
        return latest.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// The published parts of the to-do and its changed occurrences.
    private static func todos(of reminder: Reminder, isHidden: Bool, zones: inout PublishedZones) -> [UInt8] {
        reminder.object.todos.flatMap { todo -> [UInt8] in
            for name in todo.timeZoneNames { zones.include(name, of: reminder.object) }
            return todo.publishedLines(isHidden: isHidden).wire
        }
    }
}

extension Reminder {
    /// Whether it is still to be done.
    var isOpen: Bool {
        switch self.status {
        case .pending, .inProgress: true
        case .completed, .cancelled: false
        }
    }

    /// A total order of two versions of one reminder: by the last change, then by the bytes.
    fileprivate func isLater(than other: Reminder) -> Bool {
        let (mine, theirs) = (self.revisedAt, other.revisedAt)
        guard mine == theirs else { return theirs < mine }
        return other.object.document.bytes.lexicographicallyPrecedes(self.object.document.bytes)
    }
}

extension Name {
    /// The zone that Apple, Google and others read floating times in.
    static let wrTimeZone = Name("X-WR-TIMEZONE") ?? .tzid
}
