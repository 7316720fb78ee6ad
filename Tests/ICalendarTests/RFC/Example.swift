import ICalendar
import Testing

/// A content line of a standard's text, and what the text says it is.
struct Example: Sendable, CustomTestStringConvertible {
    /// The section that has it.
    let section: String
    /// The line, unfolded.
    let line: String
    /// The type of its value.
    let type: ValueType
    /// What it says.
    let values: [PropertyValue]
    /// What its parameters say, but VALUE, which the type tells.
    private(set) var parameters: [Parameter] = []

    init(_ section: String, _ line: String, _ type: ValueType, _ values: PropertyValue...) {
        self.section = section
        self.line = line
        self.type = type
        self.values = values
    }

    /// An example of one text.
    init(_ section: String, _ line: String, _ text: String) {
        self.init(section, line, .text, .text(text))
    }

    /// The example with one parameter more.
    func with(_ name: String, _ values: String...) -> Example {
        var example = self
        if let name = Name(name) { example.parameters.append(Parameter(name, values)) }
        return example
    }

    var testDescription: String { "\(self.section) \(self.line.prefix(40))" }

    /// The line read, its type, its values and its parameters; then the values written and read again.
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

    /// A time on the UTC clock unless said otherwise.
    static func at(_ day: CalendarDate, _ time: ClockTime, _ zone: ZoneReference = .utc)
        -> CalendarDateTime
    {
        CalendarDateTime(date: day, time: time, zone: zone)
    }
}
