import RemindavICalendar
import RemindavReminders

/// One iCalendar text with many calendar objects, to fill an empty list with one request.
///
/// The server splits the text, and stores only the to-dos of each object and the time zones that it knows. Objects that
/// would lose other data in this way are not included; they are sent one by one.
struct ListFilling {
    /// The smallest number of objects for which one request for the whole list saves time.
    static let minimumItems = 20
    /// The largest size of the text in bytes; many servers and proxies refuse more.
    static let maximumBytes = 16 << 20
    private(set) var text: [UInt8]
    private(set) var uids: Set<ByteExactString> = []

    /// Leaves out objects beyond ``maximumBytes``; contains the list's `name`, because servers may forget it otherwise.
    init(_ texts: [[UInt8]], name: String, isKnownZone: (String) -> Bool) {
        let start = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(Reminder.productIdentifier)"].flatMap {
            Array("\($0)\r\n".utf8)
        }
        self.text = start + ContentLine(.wrCalendarName, text: name).bytes(lineEnd: [0x0D, 0x0A])
        var zones: Set<String> = []
        for text in texts where self.text.count + text.count < Self.maximumBytes {
            guard let object = CalendarObject(ICalendarDocument(text)), let uid = object.uid,
                self.comesThrough(object, isKnownZone), self.uids.insert(uid.exact).inserted
            else { continue }
            for zone in object.document.all(.vtimezone) {
                if let name = zone.first(.tzid)?.text, zones.insert(name).inserted { self.append(zone) }
            }
            for todo in object.todos { self.append(todo) }
        }
        self.text += "END:VCALENDAR\r\n".utf8
    }

    private mutating func append(_ component: Component) {
        self.text += component.bytes
        if self.text.last != 0x0A { self.text += [0x0D, 0x0A] }
    }

    private static let ordinary: Set<Name> = [.version, .prodid, .calscale]

    private func comesThrough(_ object: CalendarObject, _ isKnownZone: (String) -> Bool) -> Bool {
        guard let calendar = object.calendar, object.document.components.count == 1,
            calendar.properties.allSatisfy({ Self.ordinary.contains($0.name) })
        else { return false }
        return calendar.components.allSatisfy { component in
            component.name == .vtodo
                || component.name == .vtimezone && component.first(.tzid).map { isKnownZone($0.text) } ?? false
        }
    }
}
