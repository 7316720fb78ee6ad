import RemindavICalendar
import RemindavTestSupport
import Testing

@Suite("RFC 9073: participants, places, resources and structured data")
struct RFC9073Tests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("5.3", "STYLED-DESCRIPTION;FMTTYPE=text/html;DERIVED=TRUE:<html>...</html>", "<html>...</html>").with("FMTTYPE", "text/html").with("DERIVED", "TRUE"),
        Example("6.2", "PARTICIPANT-TYPE:SPEAKER", "SPEAKER"),
        Example("6.5", "STYLED-DESCRIPTION;VALUE=URI:http://example.org/desc001.html", .uri, .uri("http://example.org/desc001.html")),
        // The RFC has no complete line for these.
        Example("5.1", "PARTICIPANT-TYPE;ORDER=1:PERFORMER", "PERFORMER").with("ORDER", "1"),
        Example("6.1", "LOCATION-TYPE:hotel,restaurant", .text, .text("hotel"), .text("restaurant")),
        Example("6.3", "RESOURCE-TYPE:PROJECTOR", "PROJECTOR"),
        Example("6.4", "CALENDAR-ADDRESS:mailto:a@example.com", .calAddress, .calAddress("mailto:a@example.com")),
        Example("6.5", #"STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html:<b>Here</b>\, and there"#, "<b>Here</b>, and there").with("FMTTYPE", "text/html"),
        Example("6.6", "STRUCTURED-DATA;VALUE=URI:https://example.com/events/1.json", .uri, .uri("https://example.com/events/1.json")),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }

    @Test("5.2: the flight, in base64")
    func flight() throws {
        let property = try Self.property("5.2")
        #expect(property.valueType == .binary)
        #expect(
            property.parameters.map(\.values) == [
                ["application/ld+json"], ["https://schema.org/FlightReservation"], ["BASE64"], ["BINARY"],
            ]
        )
        guard case .binary(let bytes) = try property.values().first else {
            return #expect(Bool(false), "no bytes")
        }
        #expect(String(decoding: bytes, as: UTF8.self) == Self.reservation)
        #expect(PropertyValue.binary(bytes).wire == property.value)
    }

    @Test("6.6: the match, in text")
    func match() throws {
        let property = try Self.property("6.6")
        let json = """
            {
              "@context": "http://schema.org",
              "@type": "SportsEvent",
              "homeTeam": "Pittsburgh Pirates",
              "awayTeam": "San Francisco Giants"
            }

            """
        #expect(try property.values() == [.text(json)])
    }

    private static func property(_ section: String) throws -> Property {
        let text = try #require(try RFCText.all("rfc9073").first { $0.section == section })
        return try #require(ICalendarDocument(text.calendar).components.first?.components.first?.properties.last)
    }

    private static let reservation = """
            <script type="application/ld+json">
            {
              "@context": "http://schema.org",
              "@type": "FlightReservation",
              "reservationId": "RXJ34P",
              "reservationStatus": "http://schema.org/ReservationConfirmed",
              "passengerPriorityStatus": "Fast Track",
              "passengerSequenceNumber": "ABC123",
              "securityScreening": "TSA PreCheck",
              "underName": {
                "@type": "Person",
                "name": "Eva Green"
              },
              "reservationFor": {
                "@type": "Flight",
                "flightNumber": "UA110",
                "provider": {
                  "@type": "Airline",
                  "name": "Continental",
                  "iataCode": "CO",
                  "boardingPolicy": "http://schema.org/ZoneBoardingPolicy"
                },
                "seller": {
                  "@type": "Airline",
                  "name": "United",
                  "iataCode": "UA"
                },
                "departureAirport": {
                  "@type": "Airport",
                  "name": "San Francisco Airport",
                  "iataCode": "SFO"
                },
                "departureTime": "2017-03-04T20:15:00-08:00",
                "arrivalAirport": {
                  "@type": "Airport",
                  "name": "John F. Kennedy International Airport",
                  "iataCode": "JFK"
                },
                "arrivalTime": "2017-03-05T06:30:00-05:00"
              }
            }
            </script>
        """
}
