import RemindavICalendar
package import RemindavRecurrence
import RemindavReminders

/// A calendar for subscribers that publishes reminders.
///
/// The bytes depend only on the arguments, not on the time or the order of the reminders. So their entity tag changes
/// only when a reminder changes.
package struct EventFeed {
    /// The refresh interval for subscribers (RFC 7986 §5.7); most subscribers use their own interval.
    private static let refreshInterval = CalendarDuration(seconds: 3600)
    package private(set) var bytes: [UInt8]
    package private(set) var count = 0
    /// The time of the last change of any reminder, open or completed; `nil` without reminders.
    private(set) var lastChange: Instant?

    /// Creates the calendar from all open reminders; of several with one UID, only the one changed last is used.
    ///
    /// - Parameters:
    ///   - zones: the definitions of time zones that an object names without a VTIMEZONE.
    ///   - localZone: the zoneinfo name of the time zone for floating times.
    package init(_ content: FeedContent, zones: ZoneDatabase, localZone: String) {
        var published = PublishedZones(database: zones, localZone: localZone)
        let reminders = content.objects.compactMap { Reminder($0).map(PublishedReminder.init) }
        self.lastChange = reminders.lazy.compactMap(\.lastChange).max()
        // The events are created before the header, because they determine which time zones precede them.
        var events: [UInt8] = []
        for reminder in Self.openReminders(reminders) {
            let object = reminder.reminder.object
            let classification = Classification(object)
            if !content.showsPrivate, classification == .isConfidential { continue }
            let isHidden = !content.showsPrivate && classification == .isPrivate
            let start = events.count
            if content.style.hasEvents {
                let options = ReminderEvent.Options(isHidden: isHidden, showsAlarms: content.showsAlarms)
                ReminderEvent.append(reminder, options, zones: &published, to: &events)
            }
            if content.style.hasTodos {
                for todo in object.todos {
                    for name in todo.timeZoneNames { published.include(name, of: object) }
                    let lines = todo.publishedLines(isHidden: isHidden, showsAlarms: content.showsAlarms)
                    for line in lines { events.append(line) }
                }
            }
            if events.count > start { self.count += 1 }
        }
        self.bytes = Self.header(name: content.name, localZone: localZone).wire
        self.bytes += published.bytes
        self.bytes += events
        self.bytes.append(ContentLine(.end, value: "VCALENDAR"))
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

    /// Returns the open reminders, sorted by the bytes of their UIDs: Swift's string order depends on its version.
    private static func openReminders(_ all: [PublishedReminder]) -> [PublishedReminder] {
        let sorted = all.filter { $0.reminder.isOpen }.sorted { one, other in
            guard one.reminder.uid != other.reminder.uid else { return other.isLater(than: one) }
            return one.reminder.uid.utf8.lexicographicallyPrecedes(other.reminder.uid.utf8)
        }
        // Of several reminders with the same UID, the last one in `sorted` is the one that was changed last.
        return sorted.indices.filter { index in
            index + 1 == sorted.count || sorted[index].reminder.uid != sorted[index + 1].reminder.uid
        }.map { sorted[$0] }
    }
}

struct PublishedReminder {
    let reminder: Reminder
    /// The time of the last change according to the texts of the series and its overrides; `nil` for none.
    let lastChange: Instant?

    init(_ reminder: Reminder) {
        self.reminder = reminder
        self.lastChange =
            reminder.object.todos.compactMap { todo in
                [Name.lastModified, .dtstamp, .created].lazy.compactMap { todo.first($0)?.stamp }.first
            }.max()
    }

    /// ``lastChange`` or a fixed time; the current time would give each request another text.
    var revisedAt: Instant { self.lastChange ?? Instant(secondsSince1970: Self.countingFrom) }

    /// SEQUENCE of the event: the seconds of the last change plus SEQUENCE of the reminder (RFC 5545 §3.8.7.4).
    ///
    /// If SEQUENCE of an event stays equal, Google keeps the old times of the event. SEQUENCE of the reminder alone is
    /// not sufficient: many programs never write it, and some start to write it later, with 1.
    var sequence: Int {
        let seconds = Int(min(max(self.revisedAt.secondsSince1970 - Self.countingFrom, 0), Int64(Int32.max)))
        let own = self.reminder.object.todos.compactMap { $0.first(.sequence)?.integer }.max() ?? 0
        return min(seconds + min(max(own, 0), Int(Int32.max)), Int(Int32.max))
    }

    /// 2000-01-01T00:00:00Z; seconds since then fit into the value type INTEGER until 2068 (RFC 5545 §3.3.8).
    private static let countingFrom: Int64 = 946_684_800

    /// Compares two versions of a reminder by their last change, and versions of the same time by their bytes.
    fileprivate func isLater(than other: Self) -> Bool {
        let (mine, theirs) = (self.revisedAt, other.revisedAt)
        guard mine == theirs else { return theirs < mine }
        return other.reminder.object.document.bytes.lexicographicallyPrecedes(self.reminder.object.document.bytes)
    }
}

extension Reminder {
    var isOpen: Bool { self.status == .pending || self.status == .inProgress }
}

extension Name {
    /// The property with the time zone that Apple, Google and others use for floating times.
    static let wrTimeZone = Name("X-WR-TIMEZONE") ?? .tzid
}
