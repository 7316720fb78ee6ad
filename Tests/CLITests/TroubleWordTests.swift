import Bridge
import Testing

@testable import CLI

@Suite("why a sync did not do all, in a word of the journal")
struct TroubleWordTests {
    @Test(
        "no kind of trouble is shown in single letters or in words of the code",
        arguments: ErrorCategory.Kind.allCases
    )
    func shown(kind: ErrorCategory.Kind) {
        let words = ErrorCategoryName.shown("\(kind)").split(separator: " ")
        #expect(!words.isEmpty)
        for word in words where word.count == 1 { #expect(word == "a") }
        for code in ["dav", "auth", "tls", "uid"] { #expect(!words.contains { $0 == code }) }
    }

    @Test("words of other versions are split at their capitals")
    func others() {
        #expect(ErrorCategoryName.shown("timedOut") == "timed out")
        #expect(ErrorCategoryName.shown("deletionsHeld") == "deletions held")
        #expect(ErrorCategoryName.shown("sameUID") == "the server has another item with the same UID")
    }
}
