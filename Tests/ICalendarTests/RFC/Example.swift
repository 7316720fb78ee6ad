import RemindavICalendar
import Testing

/// A content line in the text of a standard, with the meaning that the text gives.
struct Example: Sendable, CustomTestStringConvertible {
    /// The section of the example.
    let section: String
    /// The line, unfolded.
    let line: String
    /// The type of its value.
    let type: ValueType
    /// The values of the property.
    let values: [PropertyValue]
    /// The parameters without VALUE, which follows from the type.
    private(set) var parameters: [Parameter] = []

    init(_ section: String, _ line: String, _ type: ValueType, _ values: PropertyValue...) {
        self.section = section
        self.line = line
        self.type = type
        self.values = values
    }

    /// Creates an example with one text.
    init(_ section: String, _ line: String, _ text: String) {
        self.init(section, line, .text, .text(text))
    }

    /// Returns the example with one more parameter.
    func with(_ name: String, _ values: String...) -> Example {
        var example = self
        if let name = Name(name) { example.parameters.append(Parameter(name, values)) }
        return example
    }

    var testDescription: String { "\(self.section) \(self.line.prefix(40))" }

    /// Checks the type, the values and the parameters of the parsed line, and then the values after writing and
    /// reading.
    func verify() throws {
        let property = try #require(Self.read(self.line))
        #expect(property.valueType == self.type)
        #expect(try property.values() == self.values)
        #expect(property.parameters.filter { $0.name != .value } == self.parameters)
        let written = ContentLine(property.name, values: self.values)
        let again = try #require(Self.read(String(decoding: written.bytes(), as: UTF8.self)))
        #expect(try again.values() == self.values)
        #expect(again.valueType == self.type)
    }

    static func read(_ line: String) -> Property? {
        ICalendarDocument("BEGIN:VEVENT\r\n\(line)\r\nEND:VEVENT\r\n").components.first?.properties
            .first
    }

    static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        CalendarDate(year: year, month: month, day: day) ?? CalendarDate(dayNumber: 0)
    }

    static func time(_ hour: Int, _ minute: Int, _ second: Int) -> ClockTime {
        ClockTime(secondsOfDay: hour * 3600 + minute * 60 + second)
    }

    /// Returns a time, in UTC by default.
    static func at(_ day: CalendarDate, _ time: ClockTime, _ zone: ZoneReference = .utc)
        -> CalendarDateTime
    {
        CalendarDateTime(date: day, time: time, zone: zone)
    }
}
