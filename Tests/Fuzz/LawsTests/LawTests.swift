import Laws
import Testing

@Suite("What holds for every input")
struct LawTests {
    @Test("nothing is an input too", arguments: Law.all.map(\.name))
    func empty(name: String) throws {
        try Law.all.first { $0.name == name }?.check([])
    }
}
