import Testing

@testable import RemindavICalendar

@Suite("the table of properties")
struct PropertyTableTests {
    @Test("each row has a type and a column for each kind of component")
    func columns() {
        for row in PropertyDefinition.all {
            #expect(row.cardinalities.count == ComponentKind.count, "\(row.name)")
            #expect(!row.types.isEmpty, "\(row.name)")
        }
        #expect(Set(PropertyDefinition.all.map(\.name)).count == PropertyDefinition.all.count)
    }

    @Test("each parameter and each component in the tables has a number")
    func numbers() {
        for name in ParameterSet.names { #expect(!ParameterSet(Name(known: name)).isEmpty, "\(name)") }
        #expect(ParameterSet(Name(known: "X-ANY")).isEmpty)
        #expect(ComponentKind(Name(known: "X-ANY")) == nil)
        for kind in ComponentKind.allCases { #expect(ComponentRule.of(kind) != nil, "\(kind)") }
    }

    static let cardinalities: [(property: String, kind: ComponentKind, cardinality: PropertyDefinition.Cardinality)] = [
        ("PRODID", .calendar, .once), ("UID", .todo, .once), ("UID", .alarm, .atMostOnce), ("DUE", .event, .never),
        ("DTEND", .todo, .never), ("DTEND", .freeBusy, .atMostOnce), ("DESCRIPTION", .journal, .any),
        ("DESCRIPTION", .todo, .atMostOnce), ("RRULE", .todo, .preferablyOnce), ("TZOFFSETTO", .observance, .once),
        ("TZID", .timeZone, .once), ("TRIGGER", .alarm, .once), ("TRIGGER", .todo, .never),
        ("DTSTART", .available, .once), ("PARTICIPANT-TYPE", .participant, .once), ("NAME", .location, .atMostOnce),
        ("CATEGORIES", .calendar, .any),
        ("LOCATION", .journal, .never), ("TRANSP", .event, .atMostOnce), ("COMPLETED", .event, .never),
    ]

    @Test("a property may occur as often as the standard allows", arguments: cardinalities)
    func cardinality(
        _ test: (property: String, kind: ComponentKind, cardinality: PropertyDefinition.Cardinality)
    ) {
        #expect(PropertyDefinition.of(Name(known: test.property)).cardinality(in: test.kind) == test.cardinality)
    }

    @Test("lists, parts and repetition are distinguished")
    func shapes() {
        #expect(PropertyDefinition.of(.categories).isTextList)
        #expect(!PropertyDefinition.of(.summary).isTextList)
        #expect(PropertyDefinition.of(.geo).separator == .semicolon)
        #expect(PropertyDefinition.of(.attendee).mayRepeat)
        #expect(!PropertyDefinition.of(.description).mayRepeat)
        #expect(PropertyDefinition.of(.tzname).mayRepeat)
        #expect(PropertyDefinition.of(Name(known: "X-ANY")).mayRepeat)
    }
}
