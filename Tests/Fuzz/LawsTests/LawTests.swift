import Laws
import TestSupport
import Testing

@Suite("What holds for every input")
struct LawTests {
    /// `‹law›/‹file›` of each input that once broke a law, or showed how one could be broken.
    static let kept = Law.all.flatMap { law in
        ((try? Fixture.names(in: "fuzz/\(law.name)", endingWith: "")) ?? [])
            .filter { !$0.hasPrefix(".") }
            .map { "\(law.name)/\($0)" }
    }

    @Test("nothing is an input too", arguments: Law.all.map(\.name))
    func empty(name: String) throws {
        try Law.all.first { $0.name == name }?.check([])
    }

    @Test("what once broke a law keeps to it", arguments: kept)
    func found(path: String) throws {
        let law = try #require(Law.all.first { path.hasPrefix("\($0.name)/") })
        try law.check(try Fixture.bytes("fuzz/\(path)"))
    }

    @Test("inputs were kept") func enough() { #expect(Self.kept.count >= 8) }
}
