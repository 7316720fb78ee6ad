import Foundation
import RemindavBridge
import RemindavTestSupport
import Testing

/// Compares the findings of `ics check` for every file of `Fixtures/ics` with the list beside the file.
@Suite("the findings of each file")
struct CheckTests {
    static let names =
        (try? Fixture.names(in: "ics", endingWith: ".expected.json"))?.map { String($0.dropLast(14)) } ?? []

    @Test("a file has exactly the findings that its list states", arguments: names)
    func findings(name: String) throws {
        let bytes = try (try? Fixture.bytes("ics/\(name).ics")) ?? Fixture.bytes("ics/\(name).txt")
        let zones = Configuration.systemZones(environment: [:])
        let findings = UseCases.check(bytes, zones: zones)
            .map { "\($0.line): \($0.severity): \($0.code): \($0.message)\n" }.joined()
        let path = "ics/\(name).check"
        if getenv("UPDATE_SNAPSHOTS") != nil {
            return try TemporaryFolder.write(Array(findings.utf8), to: "\(Fixture.folder)/\(path)")
        }
        let expected = try Fixture.text(path)
        #expect(findings == expected, "UPDATE_SNAPSHOTS=1 writes the list anew; read what changes")
    }

    @Test("the folder contains no other file")
    func nothingElse() throws {
        let lists = try Fixture.names(in: "ics", endingWith: ".check").map { String($0.dropLast(6)) }
        #expect(lists == Self.names)
    }
}
