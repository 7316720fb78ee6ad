import RemindavICalendar
import RemindavSync
import Testing

@Suite("merges of hostile sizes")
struct LargeMergeTests {
    private func object(_ lines: [String]) throws -> CalendarObject {
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\n\(lines.joined(separator: "\n"))\nEND:VTODO\nEND:VCALENDAR\n"
        return try #require(CalendarObject(ICalendarDocument(Array(text.utf8))))
    }

    // Compared pair by pair, these would need more than ten minutes.
    @Test("20,000 properties with different names are merged", .timeLimit(.minutes(1)))
    func names() throws {
        let added = (0..<20_000).map { "X-NAME-\($0):v" }
        let merged = ThreeWayMerge.merge(
            base: try self.object(["SUMMARY:a"]),
            local: try self.object(["SUMMARY:b"]),
            remote: try self.object(["SUMMARY:a"] + added)
        )
        let todo = try #require(merged.document.all(.vtodo).first)
        #expect(todo.first(.summary)?.text == "b")
        #expect(todo.properties.count == 20_002)
        #expect(merged.conflicts.isEmpty)
    }

    @Test("20,000 alarms with the same content are merged", .timeLimit(.minutes(1)))
    func alarms() throws {
        let alarms = Array(repeating: "BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM", count: 20_000)
        let merged = ThreeWayMerge.merge(
            base: try self.object(["SUMMARY:a"]),
            local: try self.object(["SUMMARY:b"]),
            remote: try self.object(["SUMMARY:a"] + alarms)
        )
        #expect(merged.document.all(.valarm).count == 20_000)
    }

    @Test("20,000 labels of one line are compared", .timeLimit(.minutes(1)))
    func labels() throws {
        let labels = (0..<20_000).map { "label-\($0)" }.joined(separator: ",")
        let (old, new) = (try self.object(["SUMMARY:a"]), try self.object(["SUMMARY:a", "CATEGORIES:\(labels)"]))
        let differences = ComponentDifference.between(old.document, new.document)
        #expect(differences.flatMap(\.properties).first?.new.count == 20_000)
    }
}
