package import RemindavICalendar
import RemindavReminders

/// Converts an event (VEVENT) to a to-do that is due at the event's start and keeps all other data of the event.
package enum EventConversion {
    /// The to-do of an event; `nil` when the text is not an event.
    ///
    /// DTSTART is kept, and DUE gets its value, as in Apple's Reminders. A property that a VTODO may not have gets a
    /// name that begins with X-REMINDAV-EVENT. The organizer, the attendees, and alarms that send mail or start a
    /// program are renamed too. Otherwise a scheduling server would write to these people about an unknown to-do. The
    /// to-do's UID is derived from the event's UID, so both can be in one calendar.
    ///
    /// - Parameter bytes: the text from BEGIN:VEVENT to END:VEVENT.
    package static func todo(_ bytes: [UInt8]) -> [UInt8]? {
        guard let original = ICalendarDocument(bytes).components.first, original.name == .vevent else { return nil }
        let document = ICalendarDocument(bytes).applying(Self.alarmEdits(of: original))
        guard let event = document.components.first else { return nil }
        let lineEnd = event.lineEnd
        var result = ContentLine(.begin, value: "VTODO").bytes(lineEnd: lineEnd)
        for property in event.properties { result += Self.line(property, lineEnd) }
        if let start = event.first(.dtstart) {
            result += ContentLine(.due, start.parameters, value: start.value).bytes(lineEnd: lineEnd)
        }
        for inner in event.components {
            if self.isHarmless(inner) { result += inner.bytes } else { result += self.kept(inner, lineEnd) }
        }
        return result + ContentLine(.end, value: "VTODO").bytes(lineEnd: lineEnd)
    }

    /// Whether the component stays unchanged; the exceptions are alarms that send mail or start a program.
    private static func isHarmless(_ inner: Component) -> Bool {
        guard inner.name == .valarm else { return true }
        let actions = inner.all(.action).map { $0.value.trimmingWhiteSpace.uppercased() }
        return !actions.contains { ["EMAIL", "PROCEDURE"].contains($0) }
    }

    /// The text of a component as the value of an X- property, which no program executes.
    private static func kept(_ inner: Component, _ lineEnd: [UInt8]) -> [UInt8] {
        guard let name = Name("X-REMINDAV-EVENT-ALARM") else { return [] }
        let text = String(decoding: inner.bytes, as: UTF8.self).replacing("\r\n", with: "\n").trimmingWhiteSpace
        return ContentLine(name, text: text).bytes(lineEnd: lineEnd)
    }

    private static func line(_ property: Property, _ lineEnd: [UInt8]) -> [UInt8] {
        switch property.name {
        case .uid:
            return ContentLine(.uid, text: self.uid(of: property.text.trimmingWhiteSpace)).bytes(lineEnd: lineEnd)
        case .status where property.value.trimmingWhiteSpace.uppercased() == "CANCELLED": return Array(property.bytes)
        case .status, .dtend, .transp, .duration, .due, .completed, .percentComplete, .organizer, .attendee:
            guard let name = Name("X-REMINDAV-EVENT-\(property.name.canonical)") else { return [] }
            return ContentLine(name, property.parameters, value: property.value).bytes(lineEnd: lineEnd)
        default: return Array(property.bytes)
        }
    }

    static func uid(of event: String) -> String { NameUUID.make("event\n\(event)") }

    /// The length of the event in seconds; `nil` without DTSTART, or if it depends on the rules of a time zone.
    package static func seconds(of event: Component) -> Int? {
        if let length = event.first(.duration).flatMap({ CalendarDuration(wire: $0.value.trimmingWhiteSpace) }) {
            return length.days * ClockTime.secondsPerDay + length.seconds
        }
        guard let start = event.first(.dtstart)?.moment else { return nil }
        guard let end = event.first(.dtend)?.moment else { return start.isDate ? ClockTime.secondsPerDay : 0 }
        if case .dateTime(let one) = start, case .dateTime(let other) = end, one.zone != other.zone { return nil }
        return Int(end.localSeconds - start.localSeconds)
    }

    /// Replaces triggers relative to the event's end by triggers relative to its start, which is DUE of the to-do.
    private static func alarmEdits(of event: Component) -> [Edit] {
        guard let length = self.seconds(of: event) else { return [] }
        return event.components(.valarm).flatMap { alarm -> [Edit] in
            guard let property = alarm.first(.trigger),
                case .relative(let duration, to: .end)? = Trigger(
                    wire: property.value.trimmingWhiteSpace,
                    related: property.parameter(.related)
                )
            else { return [] }
            let seconds = duration.days * ClockTime.secondsPerDay + duration.seconds + length
            let line = ContentLine(.trigger, value: CalendarDuration(seconds: seconds).wire)
            var editor = ComponentEditor(alarm)
            editor.replace(property, with: line.bytes(lineEnd: alarm.lineEnd))
            return editor.edits
        }
    }
}
