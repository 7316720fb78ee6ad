import RemindavICalendar
import RemindavRecurrence

/// Reads a whole file as the commands do: each value by its type, each rule with the time zones of the file.
enum ReadingLaw {
    static func check(_ input: [UInt8]) throws(BrokenLaw) {
        let document = ICalendarDocument(input)
        for component in everyComponent(of: document) {
            for property in component.properties {
                _ = property.text
                _ = property.textList
                _ = property.integer
                _ = property.moment
                _ = property.parameters
                _ = property.meanings
                _ = property.valueType
                _ = try? property.values()
            }
            if component.first(.rrule) != nil || component.first(.rdate) != nil { try RuleLaw.check(component) }
            _ = component.timeZoneNames
        }
        if let object = CalendarObject(document) {
            _ = object.uid
            _ = object.meaning
        }
    }
}
