import RemindavBridge
import RemindavICalendar
import RemindavJSON
import RemindavSQLiteStore

struct ShowWebDevices: Command {
    static let page = CommandPage(
        name: "web devices",
        summary: "Show the browsers that are signed in to the web pages",
        options: [.json],
        details: """
            One line for each browser: its number, its name, the time of the sign-in, and the day of
            the last visit. The name is derived from the text that the browser sends. A sign-in ends
            30 days after the last visit; 'remindav web sign-out' ends it at once.
            """,
        examples: ["remindav web devices": "the signed-in browsers"]
    )

    static let isPaged = true

    let isJSON: Bool
    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let browsers = try SignIns(context.useCases().configuration).browsers()
        let text = try context.localText()
        return try context.answer(browsers.map(SignedInBrowser.init), ifNone: "No browser is signed in.") {
            Table.text(
                browsers.map { browser in
                    [
                        String(browser.id), browser.name,
                        "signed in \(text.past(Instant(secondsSince1970: browser.created)))",
                        "last visit \(text.short(Instant(secondsSince1970: browser.lastUsed)).prefix(10))",
                    ]
                }
            )
        }
    }
}

private struct SignedInBrowser: JSONRecord {
    let browser: SignInFile.Browser

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.browser.id },
        JSONMember("browser") { $0.browser.name },
        JSONMember("agent") { $0.browser.agent },
        JSONMember("createdAt") { Instant(secondsSince1970: $0.browser.created) },
        JSONMember("lastUsedAt") { Instant(secondsSince1970: $0.browser.lastUsed) },
    ]
}

struct SignOutOfWeb: Command {
    static let page = CommandPage(
        name: "web sign-out",
        summary: "Sign browsers out of the web pages",
        operands: [Operand("N", .optional, "The number that 'remindav web devices' shows; default: all")],
        options: [Option("--yes", short: "y", "Do not ask before all are signed out; required without a terminal")],
        examples: [
            "remindav web sign-out 2": "signs one browser out", "remindav web sign-out --yes": "signs all browsers out",
        ],
        exits: [.notFound]
    )

    let number: Int64?
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.number = try arguments.optionalOperand().map { word throws(UsageError) in
            guard let number = Int64(word) else {
                throw UsageError(.badValue, "'\(Sanitizer.excerpt(word))' is not the number of a browser.")
            }
            return number
        }
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let signIns = try SignIns(context.useCases().configuration)
        if self.number == nil, !self.isSure {
            let count = try signIns.browsers().count
            guard try count == 0 || context.confirm("Sign out \(count.counted("browser"))?") else {
                try context.output.note("Nothing was changed")
                return .success
            }
        }
        let count = try signIns.signOut(self.number)
        if let number = self.number, count == 0 {
            throw UseCaseError(.browserNotFound, subject: String(number))
        }
        try context.output.note("Signed out \(count.counted("browser"))")
        return .success
    }
}
