import RemindavBridge
import RemindavSQLiteStore
import RemindavStore
import Testing

@testable import RemindavCLI

@Suite("errors as JSON")
struct ErrorJSONTests: StoreSuite {
    let stage: CommandStage

    init() throws { self.stage = try CommandStage() }

    @Test("with --json, an error is one line of JSON on standard error, and standard output is empty")
    func oneError() async {
        let failed = await self.run("show", "99", "--json")
        let advice = "'remindav list --all' shows the numbers."
        #expect(failed.status == .notFound && failed.answer == "")
        #expect(
            failed.remarks
                == #"{"error": {"code": "reminderNotFound", "message": "There is no such reminder ('99').", "#
                + #""advice": "\#(advice)", "status": 4}}"# + "\n"
        )
        #expect(await self.run("show", "99").remarks == "remindav: There is no such reminder ('99'). \(advice)\n")
    }

    @Test("wrong usage is JSON too, also before the command is known")
    func usage() async {
        for (words, code) in [
            (["list", "--colour", "--json"], "unknownOption"), (["--json"], "unknownOption"),
            (["lits", "--json"], "unknownCommand"), (["show", "--json"], "missingOperand"),
            (["list", "--limit", "x", "--json"], "badValue"),
        ] {
            let status = await RemindavCommand.run(words) { self.world.context($0) }
            let remarks = self.world.takeComplaints()
            #expect(status == .usage)
            #expect(remarks.hasPrefix(#"{"error": {"code": "\#(code)", "message": ""#), "\(remarks)")
            #expect(remarks.hasSuffix(#""status": 2}}"# + "\n") && remarks.utf8.count { $0 == 0x0A } == 1)
        }
    }

    @Test("each failure of several reminders has its own line, and the others are on standard output")
    func partial() async {
        _ = await self.run("add", "Buy milk")
        let result = await self.run("done", "1", "98", "99", "--json")
        #expect(result.status == .partial && result.answer.contains("Buy milk"))
        #expect(result.remarks.split(separator: "\n").count == 2)
        #expect(result.remarks.contains("('98')") && result.remarks.contains("('99')"))
    }

    @Test("no two kinds of errors have the same code")
    func unique() {
        let codes = UseCaseError.Code.allCases.map { "\($0)" } + ErrorCategory.Kind.allCases.map { "\($0)" }
        #expect(Set(codes).count == codes.count)
    }
}
