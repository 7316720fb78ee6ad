import RemindavBridge
import RemindavReminders
import RemindavStore
import Testing

@testable import RemindavPages

@Suite("web pages: words for errors")
struct ErrorWordsTests {
    @Test(
        "each error of an operation has a sentence with its subject, and a next step",
        arguments: UseCaseError.Code.allCases
    )
    func useCaseError(code: UseCaseError.Code) {
        let words = ErrorWords(UseCaseError(code, subject: "<Milk>"))
        #expect(words.problem.contains("<Milk>") && words.problem.hasSuffix("."))
        #expect(words.advice.hasSuffix(".") && !words.advice.contains(" --"), "options belong to the command line")
        #expect(ErrorWords(codeInLog: "\(code)").advice == words.advice)
    }

    @Test("each kind of a failed sync in the log has its own sentence, and a next step")
    func kinds() {
        let words = ErrorCategory.Kind.allCases.map { ErrorWords(codeInLog: "\($0)") }
        #expect(Set(words.map(\.problem)).count == words.count)
        #expect(words.allSatisfy { $0.problem.hasSuffix(".") && $0.advice.hasSuffix(".") })
    }

    @Test("held deletions, and a code of another version, have sentences")
    func others() {
        #expect(ErrorWords(codeInLog: RunRecord.deletionsHeld).problem == "Deletions wait for your confirmation.")
        #expect(ErrorWords(codeInLog: "inventedLater").problem == "The last sync was not complete.")
    }

    @Test("an error of the store has its problem, its remedy and the assurance that nothing was changed")
    func store() {
        let message = Message(DatabaseError(.full))
        #expect(message.sentences.count == 3 && message.sentences[1] == "Nothing was changed.")
        #expect(message.text.contains("Free some space and try again."))
    }

    @Test("a very long name is shortened")
    func longName() {
        let words = ErrorWords(UseCaseError(.listExists, subject: String(repeating: "x", count: 100_000)))
        #expect(words.problem.count < 300 && words.problem.contains("…"))
    }
}
