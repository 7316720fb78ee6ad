/// A calendar object resource of to-dos: all components of one UID, and their time zones (RFC 4791 §4.1).
public struct CalendarObject: Sendable {
    /// The object's text and its index.
    public let document: ICalendarDocument
    /// The to-dos, in order; at least one.
    public let todos: [Component]

    /// - Returns: `nil` when the document contains no VTODO.
    public init?(_ document: ICalendarDocument) {
        let todos = document.all(.vtodo)
        guard !todos.isEmpty else { return nil }
        self.document = document
        self.todos = todos
    }

    /// The UID, or `nil` when there is none.
    public var uid: String? {
        guard let uid = self.main.first(.uid)?.text.trimmingSpaces, !uid.isEmpty else { return nil }
        return uid
    }

    /// The main to-do: the one without a RECURRENCE-ID, else the first.
    public var main: Component { self.todos.first { $0.recurrenceID == nil } ?? self.todos[0] }

    /// Occurrences that differ from the rule, in order (RFC 5545 §3.8.4.4).
    public var overrides: [Component] { self.todos.filter { $0.recurrenceID != nil } }

    /// The VCALENDAR around them, or `nil` for to-dos without one (Evolution stores such to-dos).
    public var calendar: Component? { self.main.parent }

    /// The meaning of the object, for comparisons; order, folding, zones and DTSTAMP do not count.
    package var meaning: [ComponentMeaning: Int] {
        self.todos.reduce(into: [:]) { $0[$1.meaning(), default: 0] += 1 }
    }

    /// Assembles an object from parts of a stream, each as it was received.
    ///
    /// - Parameters:
    ///   - header: the lines between BEGIN:VCALENDAR and the first component.
    ///   - zones: the VTIMEZONEs that the components name.
    ///   - components: the components of one UID; the result has their line ends.
    public static func assemble(header: [UInt8], zones: [[UInt8]], components: [[UInt8]]) -> [UInt8] {
        let lineEnd: [UInt8] = components.first?[...].firstLineEnd ?? [0x0D, 0x0A]
        var result = Array("BEGIN:VCALENDAR".utf8) + lineEnd
        for part in [header] + zones + components where !part.isEmpty {
            result += part
            if result.last != 0x0A && result.last != 0x0D { result += lineEnd }
        }
        return result + Array("END:VCALENDAR".utf8) + lineEnd
    }
}

extension Component {
    /// The names of the zones that this component and those inside it use, without repetition, in order.
    public var timeZoneNames: [String] {
        var names: [String] = []
        func collect(_ component: Component) {
            for property in component.properties where property.hasParameters {
                if let name = property.parameter(.tzid), !names.contains(name) { names.append(name) }
            }
            for inner in component.components { collect(inner) }
        }
        collect(self)
        return names
    }
}

extension ICalendarDocument {
    /// A copy with a VTIMEZONE for each used zone that the calendar does not define (RFC 5545 §3.6.5).
    ///
    /// - Parameter bytes: returns the physical lines of the VTIMEZONE of a name, `nil` for an unknown one.
    package func addingMissingTimeZones(_ bytes: (String) -> [UInt8]?) -> ICalendarDocument {
        guard let calendar = self.calendar else { return self }
        var known = Set(calendar.components(.vtimezone).compactMap { $0.first(.tzid)?.text })
        let missing = calendar.components(.vtodo).flatMap(\.timeZoneNames).filter { known.insert($0).inserted }
        let zones = missing.compactMap(bytes)
        guard !zones.isEmpty, let position = calendar.components.first?.range.lowerBound else { return self }
        return self.applying(zones.map { self.insertion(of: $0, at: position) })
    }
}
