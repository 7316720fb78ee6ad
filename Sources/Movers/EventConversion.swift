import ICalendar
import Reminders

/// An event as a to-do: due when it starts, with everything else that it says.
package enum EventConversion {
    /// The to-do of an event; `nil` when the text is none.
    ///
    /// DTSTART stays and DUE says the same, as Apple's reminders do. What a to-do may not have is kept under a name that
    /// begins with X-REMINDAV-EVENT. The UID follows from the event's, so that the two never meet in one calendar.
    ///
    /// - Parameter bytes: from BEGIN:VEVENT to END:VEVENT.
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
        for inner in event.components { result += inner.bytes }
        return result + ContentLine(.end, value: "VTODO").bytes(lineEnd: lineEnd)
    }

    private static func line(_ property: Property, _ lineEnd: [UInt8]) -> [UInt8] {
        switch property.name {
        case .uid:
            return ContentLine(.uid, text: self.uid(of: property.text.trimmed)).bytes(lineEnd: lineEnd)
        case .status where property.value.trimmed.uppercased() == "CANCELLED": return Array(property.bytes)
        case .status, .dtend, .transp, .duration, .due, .completed, .percentComplete:
            guard let name = Name("X-REMINDAV-EVENT-\(property.name.canonical)") else { return [] }
            return ContentLine(name, property.parameters, value: property.value).bytes(lineEnd: lineEnd)
        default: return Array(property.bytes)
        }
    }

    /// The UID of the to-do that an event becomes.
    static func uid(of event: String) -> String { NameUUID.make("event\n\(event)") }

    /// How long it lasts, as far as that can be told without the rules of a zone.
    private static func seconds(of event: Component) -> Int? {
        if let length = event.first(.duration).flatMap({ CalendarDuration(wire: $0.value.trimmed) }) {
            return length.days * ClockTime.secondsPerDay + length.seconds
        }
        guard let start = event.first(.dtstart)?.moment else { return nil }
        guard let end = event.first(.dtend)?.moment else { return start.isDate ? ClockTime.secondsPerDay : 0 }
        if case .dateTime(let one) = start, case .dateTime(let other) = end, one.zone != other.zone { return nil }
        return Int(end.localSeconds - start.localSeconds)
    }

    /// Lets alarms that count from the end, which the to-do has not, count from the start.
    private static func alarmEdits(of event: Component) -> [Edit] {
        guard let length = self.seconds(of: event) else { return [] }
        return event.components(.valarm).flatMap { alarm -> [Edit] in
            guard let property = alarm.first(.trigger),
                case .relative(let duration, to: .end)? = Trigger(
                    wire: property.value.trimmed,
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
