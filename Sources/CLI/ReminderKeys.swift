import RemindavBridge
import RemindavReminders

/// Shows the reminders for today on the terminal, and opens those whose numbers are typed.
struct TodayKeys {
    let context: Context
    private static let question = "A number opens its reminder   Enter closes [] "

    func run() async throws -> ExitStatus {
        while true {
            var words = try Arguments(["today"], options: ListReminders.page.options)
            let status = try await ListReminders(&words).run(in: self.context)
            guard let id = try self.number() else { return status }
            do {
                _ = try await ReminderKeys(id: id, context: self.context).run()
            } catch let error as UseCaseError {
                self.context.output.complain(ErrorMessages.explain(error).sentence)
            }
        }
    }

    /// Asks until the answer is a number, or ends the question.
    private func number() throws -> Int64? {
        while let answer = try self.context.terminal.ask(Self.question), answer != Terminal.endOfInput {
            let word = answer.trimmingWhiteSpace.lowercased()
            if word.isEmpty || word == "q" { return nil }
            if let id = Int64(word) { return id }
            self.context.output.remark("Type a number from above, or Enter.")
        }
        return nil
    }
}

/// Shows a reminder on the terminal, and carries out the action of each key.
struct ReminderKeys {
    let id: Int64
    let context: Context
    private static let question = "d done   s snooze   e edit   Enter closes [] "

    func run() async throws -> ExitStatus {
        var arguments = try Arguments([String(self.id)], options: ShowReminder.page.options)
        var status = try await ShowReminder(&arguments).run(in: self.context)
        while let answer = try self.context.terminal.ask(Self.question) {
            let key = answer.trimmingWhiteSpace.lowercased()
            guard let command = try self.command(key) else {
                if key.isEmpty || key == "q" || answer == Terminal.endOfInput { break }
                self.context.output.remark("Type one of the letters, or Enter.")
                continue
            }
            do {
                status = try await command.run(in: self.context)
                if status == .success { break }
            } catch let error as OutputError {
                throw error
            } catch {
                let explanation = ErrorMessages.explain(error)
                self.context.output.complain(explanation.sentence)
                status = explanation.status
            }
        }
        return status
    }

    private func command(_ key: String) throws -> (any Command)? {
        func arguments(_ page: CommandPage, _ more: String...) throws(UsageError) -> Arguments {
            try Arguments([String(self.id)] + more, options: page.options)
        }
        switch key {
        case "d", "done":
            var words = try arguments(CompleteReminders.page)
            return try CompleteReminders(&words)
        case "s", "snooze":
            let usual = self.context.settings.snooze ?? "15m"
            let answer = try self.context.terminal.ask("For how long, or until when? [\(usual)] ")
            let when = (answer ?? "").trimmingWhiteSpace
            guard when != Terminal.endOfInput else { return nil }
            var words = try arguments(SnoozeReminder.page, "--", when.isEmpty ? usual : when)
            do { return try SnoozeReminder(&words) } catch {
                self.context.output.complain(error.sentence)
                return nil
            }
        case "e", "edit":
            var words = try arguments(EditReminder.page)
            return try EditReminder(&words)
        default: return nil
        }
    }
}
