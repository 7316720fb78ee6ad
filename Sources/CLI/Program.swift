import Bridge
import ICalendar

/// The program `remindav`: words in, words out, an exit status at the end.
package enum Program {
    /// The version that `--version` prints.
    package static let version = "0.1.0"
    /// The day of that version, which the pages for `man` are dated with.
    static let date = "2026-11-22"

    /// Does what the words behind the program's name ask for, with the real world around it.
    ///
    /// - Returns: the exit status.
    package static func main(_ words: [String]) async -> Int32 {
        let process = Process()
        return await self.run(words, in: process.context).rawValue
    }

    /// Does what the words ask for.
    ///
    /// - Parameter makeContext: the world for a command; before a command is known, for its help.
    static func run(_ words: [String], in makeContext: (GlobalOptions) -> Context) async -> ExitStatus {
        var context = makeContext(GlobalOptions())
        do {
            switch try Invocation.read(words) {
            case .help(let text): try context.output.write(Array(text.utf8))
            case .version: try context.output.print("remindav \(self.version)")
            case .run(let command, let options):
                context = makeContext(options)
                var options = options
                do {
                    options.file = try SettingsFile.read(options, in: context)
                } catch  where !type(of: command).needsSettings {
                    options.file = .unreadable(options, error, in: context)
                }
                if type(of: command).needsSettings, let error = options.file.error { throw error }
                context = makeContext(options)
                return try await command.run(in: context)
            }
            return .success
        } catch {
            let explanation = ErrorMessages.explain(error)
            if !explanation.sentence.isEmpty { context.output.complain(explanation.sentence) }
            return explanation.status
        }
    }
}
