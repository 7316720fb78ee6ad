import RemindavLaws
import RemindavTestSupport
import Testing

@Suite("laws for every input")
struct LawTests {
    /// `‹law›/‹file›` of each input that once broke a law, or that is a possible way to break one.
    static let kept = Law.all.flatMap { law in
        ((try? Fixture.names(in: "fuzz/\(law.name)", endingWith: "")) ?? [])
            .filter { !$0.hasPrefix(".") }
            .map { "\(law.name)/\($0)" }
    }

    @Test("the empty input obeys every law", arguments: Law.all.map(\.name))
    func empty(name: String) throws {
        try Law.all.first { $0.name == name }?.check([])
    }

    @Test("inputs that once broke a law obey it", arguments: kept)
    func found(path: String) throws {
        let law = try #require(Law.all.first { path.hasPrefix("\($0.name)/") })
        try law.check(try Fixture.bytes("fuzz/\(path)"))
    }

    @Test("enough inputs were kept") func enough() { #expect(Self.kept.count >= 8) }
}
