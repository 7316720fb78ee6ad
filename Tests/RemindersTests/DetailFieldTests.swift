import RemindavICalendar
import RemindavReminders
import Testing

@Suite("the fields of the details page")
struct DetailFieldTests {
    @Test(
        "relations are distinguished by RELTYPE; without it the other reminder is the parent",
        arguments: [
            ("RELATED-TO:a", Relation.Kind.parent, "a"), ("RELATED-TO;RELTYPE=parent: a ", .parent, "a"),
            ("RELATED-TO;RELTYPE=CHILD:a\\,b", .child, "a,b"), ("RELATED-TO;RELTYPE=DEPENDS-ON:a", .dependsOn, "a"),
            ("RELATED-TO;RELTYPE=sibling:a", .other("SIBLING"), "a"),
            ("RELATED-TO;RELTYPE=\"\":a", .parent, "a"),
        ]
    )
    func relations(line: String, kind: Relation.Kind, uid: String) throws {
        let relation = try #require(reminder(line)?.relations.first)
        #expect(relation.kind == kind)
        #expect(relation.uid == uid)
    }

    @Test("a relation without a target is ignored, and the snooze of an alarm is no relation of the reminder")
    func noRelations() throws {
        let lines = ["RELATED-TO:", "BEGIN:VALARM", "RELATED-TO;RELTYPE=SNOOZE:x", "END:VALARM"]
        let todo = try #require(reminder(lines[0], lines[1], lines[2], lines[3]))
        #expect(todo.relations.isEmpty)
    }

    @Test(
        "coordinates are two numbers within their limits",
        arguments: [
            ("GEO:59.91;10.75", ["59.91", "10.75"]), ("GEO: -90 ; +180 ", ["-90", "+180"]), ("GEO:59.91", []),
            ("GEO:59,91;10,75", []), ("GEO:91;0", []), ("GEO:0;181", []), ("GEO:nan;0", []), ("GEO:1e1;0", []),
            ("GEO:\u{1B};0", []), ("X-A:1", []),
        ]
    )
    func coordinates(line: String, expected: [String]) throws {
        let coordinates = try #require(reminder(line)).coordinates
        #expect([coordinates?.latitude, coordinates?.longitude].compactMap { $0 } == expected)
    }

    @Test("a place is read from its text, and from Apple's properties in the to-do and its alarms")
    func places() throws {
        let todo = try #require(
            reminder(
                "LOCATION:Room 5\\, left",
                "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=\"Work^nshop\":geo:1,2",
                "URL:https://example.org/a,b",
                "BEGIN:VALARM",
                "X-APPLE-STRUCTURED-LOCATION;X-TITLE=Home:geo:1,2",
                "X-APPLE-STRUCTURED-LOCATION;X-TITLE=Home:geo:1,2",
                "END:VALARM"
            )
        )
        #expect(todo.location == "Room 5, left")
        #expect(todo.applePlaces == ["Work\nshop", "Home"])
        #expect(todo.link == "https://example.org/a,b")
        let bare = try #require(reminder("LOCATION: ", "X-APPLE-STRUCTURED-LOCATION;X-TITLE=\" \":geo:1,2"))
        #expect(bare.location == nil)
        #expect(bare.applePlaces == [])
        #expect(bare.link == nil)
    }

    @Test("attachments, participants and properties of other programs are read as they are written")
    func others() throws {
        let todo = try #require(
            reminder(
                "ATTACH;FMTTYPE=image/png;FILENAME=\"a, b.png\":https://example.org/a",
                "ATTACH;VALUE=BINARY;ENCODING=BASE64:aGVsbG8=",
                "ORGANIZER;CN=Ada:mailto:ada@example.org",
                "ATTENDEE;PARTSTAT=accepted:MAILTO:ben@example.org",
                "X-FOO;A=1:one\\, two",
                "x-bar:three",
                "SUMMARY:x"
            )
        )
        #expect(todo.attachments.map(\.address) == ["https://example.org/a", nil])
        #expect(todo.attachments.map(\.type) == ["image/png", nil])
        #expect(todo.attachments.map(\.fileName) == ["a, b.png", nil])
        #expect(todo.organizer?.name == "Ada")
        #expect(todo.attendees.map(\.address) == ["ben@example.org"])
        #expect(todo.attendees.map(\.status) == ["ACCEPTED"])
        #expect(todo.foreignProperties(limit: 9).map(\.name) == ["X-FOO", "X-BAR"])
        #expect(todo.foreignProperties(limit: 1).map(\.value) == ["one\\, two"])
        #expect(todo.foreignPropertyCount == 2)
    }
}
