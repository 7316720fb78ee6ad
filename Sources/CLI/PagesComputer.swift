import RemindavBridge
import RemindavICalendar
import RemindavPages
import RemindavPlatform
import Synchronization

extension Computer {
    /// The computer for the pages, with the settings and the session of a command.
    init(_ context: Context) {
        self.init(
            settings: RemindavCLI.Setting.all(of: context.settings).map { setting in
                let row = EffectiveSetting(setting, context.options, context.environment)
                return Computer.Setting(
                    name: row.name,
                    value: row.value,
                    origin: row.origin.place,
                    meaning: setting.help
                )
            },
            settingsPath: context.options.file.path,
            findings: { asksServers in
                var context = context
                context.now = Instant(secondsSince1970: System.secondsSince1970())
                return await RunDoctor(asksServers: asksServers).findings(in: context).map(Finding.init)
            },
            deliversAlarms: { context.storeFolder.map { UseCases.daemonIsRunning(in: $0) } ?? false },
            alarms: {
                do {
                    return switch try AlarmSetUp.found(in: context) {
                    case .done(let sentence): AlarmState(isOn: true, sentence: sentence)
                    case .unfinished(let sentence): AlarmState(isOn: false, sentence: sentence)
                    case .missing: AlarmState(isOn: false, sentence: "")
                    }
                } catch {
                    return AlarmState(isOn: false, sentence: ErrorMessages.explain(error).sentence)
                }
            },
            enableAlarms: { Report(of: SetUp.enableAlarms, in: context) }
        )
    }
}

extension Computer.Finding {
    fileprivate init(_ finding: RemindavCLI.Finding) {
        let level: Level =
            switch finding.level {
            case .ok: .ok
            case .warning: .warning
            case .problem: .problem
            }
        self.init(level: level, topic: finding.topic, sentence: finding.sentence)
    }
}

extension Computer.Report {
    /// The report of a part of a command, which prints its results to the context that it gets.
    fileprivate init(of command: (Context) throws -> Bool, in context: Context) {
        let lines = CollectedLines()
        var context = context
        context.output = lines.output
        do {
            let isComplete = try command(context)
            self.init(isComplete: isComplete, sentences: lines.texts)
        } catch {
            self.init(isComplete: false, sentences: lines.texts + [ErrorMessages.explain(error).sentence])
        }
    }
}

/// Collects the lines of an output for a page.
private final class CollectedLines: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var output: Output {
        let stream = TextStream(isTerminal: false, columns: nil) { bytes in self.bytes.withLock { $0 += bytes } }
        return Output(answers: stream, complaints: stream, color: .never, environment: [:], isQuiet: false)
    }

    /// The lines without the name of the program, which begins each complaint.
    var texts: [String] {
        let text = self.bytes.withLock { String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n").map { line in
            String(line.hasPrefix(Output.mark) ? line.dropFirst(Output.mark.count) : line)
        }
    }
}
