import RemindavBridge
import RemindavICalendar
import RemindavPlatform

package enum RemindavCommand {
    package static let version = "1.0.0-beta"
    /// The program, its version and, in a package, the commit of its sources.
    static var versionLine: String {
        "remindav \(self.version)" + (BuildIdentity.commit.map { " (commit \($0))" } ?? "")
    }
    /// The date of this version, printed in `man` pages.
    static let date = "2026-11-27"

    /// Runs the command of the process's arguments, and returns the exit status.
    package static func main() async -> Int32 {
        let process = ProcessContext()
        do {
            return await self.run(try self.words(System.arguments().dropFirst()), in: process.context).rawValue
        } catch {
            let explanation = ErrorMessages.explain(error)
            let words = System.arguments().dropFirst().map { String(decoding: $0, as: UTF8.self) }
            process.context(self.firstOptions(words)).output.complain(explanation)
            return explanation.status.rawValue
        }
    }

    /// - Throws: if an argument is not UTF-8; replacement characters would change a title or the name of a file.
    static func words(_ arguments: some Sequence<[UInt8]>) throws(UsageError) -> [String] {
        var words: [String] = []
        for (index, bytes) in arguments.enumerated() {
            guard let word = String(validating: bytes, as: UTF8.self) else {
                let shown = Sanitizer.excerpt(String(decoding: bytes, as: UTF8.self))
                throw UsageError(
                    .badValue,
                    "Word \(index + 1) of the command line is not in UTF-8 ('\(shown)'). Write it in UTF-8. Rename a "
                        + "file with such a name, or pass its content on standard input with '-'."
                )
            }
            words.append(word)
        }
        return words
    }

    /// The options before the arguments are read; errors in the arguments are printed as JSON, too.
    private static func firstOptions(_ words: [String]) -> GlobalOptions {
        var options = GlobalOptions()
        if words.prefix(while: { $0 != "--" }).contains("--json") { options.flags = ["--json"] }
        return options
    }

    static func run(_ words: [String], in makeContext: (GlobalOptions) -> Context) async -> ExitStatus {
        var context = makeContext(self.firstOptions(words))
        do {
            switch try Invocation.read(words) {
            case .help(let text):
                var options = GlobalOptions()
                options.isPaged = true
                // A help page is also shown if the settings file cannot be read.
                let file = try? SettingsFile.read(option: nil, context.environment, from: context.files.plainSource)
                options.file = file ?? .absent
                context = makeContext(options)
                try context.output.write(Array(text.utf8))
                try context.output.finish()
            case .version: try context.output.print(StyledText(self.versionLine))
            case .run(let command, let options):
                context = makeContext(options)
                var options = options
                let (path, environment) = (options.config, context.environment)
                do {
                    options.file = try SettingsFile.read(option: path, environment, from: context.files.source)
                } catch  where !type(of: command).needsSettings {
                    options.file = .unreadable(
                        path: SettingsFile.path(option: path, environment: environment),
                        sentence: ErrorMessages.explain(error).sentence
                    )
                }
                if type(of: command).needsSettings, let error = options.file.error { throw error }
                options.isPaged =
                    type(of: command).isPaged && !options.isQuiet && !options.flags.contains("--json")
                context = makeContext(options)
                let status = try await command.run(in: context)
                try context.output.finish()
                return status
            }
            return .success
        } catch {
            let explanation = ErrorMessages.explain(UnknownName.guessing(error) { try context.useCases() })
            try? context.output.finish()
            context.output.complain(explanation)
            return explanation.status
        }
    }
}
