import RemindavBridge
import Testing

@testable import RemindavCLI

@Suite("names of error categories")
struct ErrorCategoryNameTests {
    @Test(
        "no category has single letters or identifiers in its name",
        arguments: ErrorCategory.Kind.allCases
    )
    func shown(kind: ErrorCategory.Kind) {
        let words = ErrorCategoryName.shown("\(kind)").split(separator: " ")
        #expect(!words.isEmpty)
        for word in words where word.count == 1 { #expect(word == "a") }
        for code in ["dav", "auth", "tls", "uid"] { #expect(!words.contains { $0 == code }) }
    }

    @Test("names of other versions are split at their capitals")
    func others() {
        #expect(ErrorCategoryName.shown("timedOut") == "timed out")
        #expect(ErrorCategoryName.shown("deletionsHeld") == "deletions held")
        #expect(ErrorCategoryName.shown("sameUID") == "the server has another item with the same UID")
    }
}
