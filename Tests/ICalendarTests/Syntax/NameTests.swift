import Testing

@testable import RemindavICalendar

@Suite("names (RFC 5545 §3.1)")
struct NameTests {
    @Test("every property with a row has a number")
    func numbered() {
        for row in PropertyDefinition.all { #expect(row.name.number != NameTable.unknown, "\(row.name)") }
    }

    @Test("a number maps to its name in any case", arguments: NameTable.standard.names.dropFirst())
    func found(name: Name) {
        #expect(Name(name.wire) == name)
        #expect(Name(name.wire.lowercased())?.number == name.number)
        #expect(Name(name.wire.lowercased())?.canonical == name.wire)
        #expect(name.wire.utf8.count <= NameTable.maximumLength)
    }

    @Test(
        "a name with one letter added, removed or changed is a different name",
        arguments: NameTable.standard.names.dropFirst()
    )
    func near(name: Name) {
        let others = [name.wire + "Q", String(name.wire.dropLast()), name.wire.dropLast() + "_", name.wire + name.wire]
        for other in others { #expect(Name(other) != name) }
    }

    @Test("unknown names are compared ignoring case")
    func unknown() {
        #expect(Name("X-Odd-Thing") == Name("x-odd-thing"))
        #expect(Set([Name("X-Odd-Thing"), Name("x-odd-thing"), Name("X-ODD-THINK")]).count == 2)
    }

    @Test(
        "a name of any length is found in its line",
        arguments: [2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 64, 200, 65_535]
    )
    func length(length: Int) {
        let wire = String(repeating: "Q", count: length)
        for text in ["\(wire):a", "\(wire);X-B=c:a", "\(wire.dropLast())\n \(wire.suffix(1)):a"] {
            let property = ICalendarDocument("BEGIN:VTODO\n\(text)\nEND:VTODO").components.first?.properties.first
            #expect(property?.name.wire == wire)
            #expect(property?.value == "a")
            #expect(property?.hasParameters == text.contains(";"))
        }
    }
}
