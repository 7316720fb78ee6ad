import Bridge
import ICalendar

/// The program `remindav`: words in, words out, an exit status at the end.
package enum RemindavCommand {
    /// The version that `--version` prints.
    package static let version = "0.1.0"
    /// The day of that version, which the pages for `man` are dated with.
    static let date = "2026-11-22"

    /// Does what the words behind the program's name ask for, with the real world around it.
    ///
    /// - Returns: the exit status.
    package static func main() async -> Int32 {
        let process = ProcessContext()
        do {
            return await self.run(try self.words(System.arguments().dropFirst()), in: process.context).rawValue
        } catch {
            let explanation = ErrorMessages.explain(error)
            process.context(GlobalOptions()).output.complain(explanation.sentence)
            return explanation.status.rawValue
        }
    }

    /// The words that these bytes are.
    ///
    /// - Throws: for bytes that are not UTF-8, which would become others without a word: another title, another file.
    static func words(_ arguments: some Sequence<[UInt8]>) throws(UsageError) -> [String] {
        var words: [String] = []
        for (index, bytes) in arguments.enumerated() {
            guard let word = String(validating: bytes, as: UTF8.self) else {
                let shown = Sanitizer.excerpt(String(decoding: bytes, as: UTF8.self))
                throw UsageError(
                    .badValue,
                    "Word \(index + 1) of the command line is not in UTF-8 ('\(shown)'). Write it in UTF-8; a file with "
                        + "such a name can be renamed, or given as '-' on standard input."
                )
            }
            words.append(word)
        }
        return words
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
            let explanation = ErrorMessages.explain(UnknownName.guessing(error) { try context.useCases() })
            if !explanation.sentence.isEmpty { context.output.complain(explanation.sentence) }
            return explanation.status
        }
    }
}
