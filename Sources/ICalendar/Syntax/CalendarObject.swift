/// A calendar object resource of to-dos: all components of one UID, and their time zones (RFC 4791 §4.1).
public struct CalendarObject: Sendable {
    /// The parsed iCalendar text of the object.
    public let document: ICalendarDocument
    /// The to-dos in the order of the text; at least one.
    public let todos: [Component]

    /// - Returns: `nil` when the document contains no VTODO.
    public init?(_ document: ICalendarDocument) {
        let todos = document.all(.vtodo)
        guard !todos.isEmpty else { return nil }
        self.document = document
        self.todos = todos
    }

    /// The UID of the main to-do, or `nil` when that to-do has no UID.
    public var uid: String? {
        guard let uid = self.main.first(.uid)?.text.trimmingSpaces, !uid.isEmpty else { return nil }
        return uid
    }

    /// The to-do without a RECURRENCE-ID, or the first to-do when all to-dos have a RECURRENCE-ID.
    public var main: Component { self.todos.first { $0.recurrenceID == nil } ?? self.todos[0] }

    /// The to-dos with a RECURRENCE-ID, in the order of the text: each replaces one occurrence (RFC 5545 §3.8.4.4).
    public var overrides: [Component] { self.todos.filter { $0.recurrenceID != nil } }

    /// The VCALENDAR around the to-dos, or `nil` when there is no VCALENDAR (Evolution stores such to-dos).
    public var calendar: Component? { self.main.parent }

    /// The number of to-dos with each meaning; order, folds, VTIMEZONEs and DTSTAMP have no influence on it.
    package var meaning: [ComponentMeaning: Int] {
        self.todos.reduce(into: [:]) { $0[$1.meaning(), default: 0] += 1 }
    }

    /// Assembles the text of a calendar object from parts of a stream; each part keeps its bytes.
    ///
    /// - Parameters:
    ///   - header: the lines between BEGIN:VCALENDAR and the first component.
    ///   - zones: the VTIMEZONEs that the components use.
    ///   - components: the components of one UID. Their first line end is used for all added lines.
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
    /// The values of TZID in this component and its inner components: each value once, in the order of first use.
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
    /// Adds the missing VTIMEZONEs (RFC 5545 §3.6.5); `bytes` returns the lines for a TZID, `nil` for an unknown one.
    package func addingMissingTimeZones(_ bytes: (String) -> [UInt8]?) -> ICalendarDocument {
        guard let calendar = self.calendar else { return self }
        var known = Set(calendar.components(.vtimezone).compactMap { $0.first(.tzid)?.text })
        let missing = calendar.components(.vtodo).flatMap(\.timeZoneNames).filter { known.insert($0).inserted }
        let zones = missing.compactMap(bytes)
        guard !zones.isEmpty, let position = calendar.components.first?.range.lowerBound else { return self }
        return self.applying(zones.map { self.insertion(of: $0, at: position) })
    }
}
