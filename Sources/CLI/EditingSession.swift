import RemindavBridge
import RemindavICalendar
import RemindavPlatform
import RemindavReminders

/// Edits a reminder in a text editor until the text is valid; an invalid text is saved in a file.
struct EditingSession {
    let context: Context
    let useCases: UseCases
    let base: ReminderView
    var changesOnlyThisDate = false

    enum Outcome {
        case unchanged
        /// With the day that the reminder was due, if a new rule has no date on it.
        case changed(from: ReminderView, to: ReminderView, ReminderChange, moved: CalendarDate?)
        /// The change failed: the error was printed, and the user's text was saved in a file.
        case kept(ExitStatus)
    }

    /// - Throws: if the editor fails and the text is unchanged.
    func run() throws -> Outcome {
        let form = EditorForm(
            self.base,
            now: self.context.now,
            zone: try self.context.localZone(),
            dayTime: self.context.settings.alarms.dayTime
        )
        let original = Array(form.text.utf8)
        var text = original
        var kept: String?
        while true {
            do {
                text = try self.context.editor.edit(text, "reminder-\(self.base.id).txt")
            } catch {
                // If the disk is full, the editor leaves an empty file, and the text from before this edit is kept.
                if let saved = (error as? EditorError)?.text, !Self.isBlank(saved) { text = saved }
                guard text != original else { throw error }
                let failure = ErrorMessages.explain(error)
                self.complain(failure)
                return try self.keep(text, in: kept, failure.status)
            }
            // Users empty the text to cancel the edit.
            if text == original || Self.isBlank(text) { return self.finish(.unchanged, without: kept) }
            let failure: Explanation
            do {
                return try self.finish(self.apply(text, form), without: kept)
            } catch {
                failure = Self.explain(error)
            }
            self.complain(failure)
            // If the disk is full, the text is not saved, but the user can still edit it again.
            kept = (try? self.useCases.saveRecoveryFile(text, named: "edit-\(self.base.id)", over: kept)) ?? kept
            guard failure.status != .conflict, try self.isToBeEditedAgain(keptIn: kept) else {
                return try self.keep(text, in: kept, failure.status)
            }
        }
    }

    private func finish(_ outcome: Outcome, without kept: String?) -> Outcome {
        if let kept { self.useCases.removeRecoveryFile(at: kept) }
        return outcome
    }

    private static func isBlank(_ text: [UInt8]) -> Bool {
        text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    private func apply(_ text: [UInt8], _ form: EditorForm) throws -> Outcome {
        guard let words = String(validating: text, as: UTF8.self) else {
            throw UsageError(.badValue, "The text is not in UTF-8. Save it as UTF-8.")
        }
        var (change, moved) = try form.reading(words)
        change.changesOnlyThisDate = self.changesOnlyThisDate
        guard !change.isEmpty else { return .unchanged }
        let old = try self.useCases.reminder(self.base.id)
        let new = try self.useCases.edit(self.base.id, change, since: self.base)
        return .changed(from: old, to: new, change, moved: moved)
    }

    private static func explain(_ error: any Error) -> Explanation {
        guard let problems = error as? EditorForm.Problems else { return ErrorMessages.explain(error) }
        let lines = problems.all.map { "line \($0.line): \(Sanitizer.line($0.sentence))" }
        return Explanation("badValue", lines.joined(separator: "\n"), status: .usage)
    }

    /// Asks whether to edit again; the session ends only if the answer is no, or at the end of the input.
    private func isToBeEditedAgain(keptIn path: String?) throws -> Bool {
        if let path { self.context.output.complain("Your text is in \(Sanitizer.line(path)) until it is saved.") }
        guard let answer = try self.context.terminal.ask("Edit it again? [Y/n] ") else { return false }
        return !["n", "no", Terminal.endOfInput].contains(answer.lowercased().filter { $0 != " " })
    }

    private func complain(_ failure: Explanation) {
        for line in failure.sentence.split(separator: "\n") { self.context.output.complain(String(line)) }
    }

    private func keep(_ text: [UInt8], in kept: String?, _ status: ExitStatus) throws -> Outcome {
        let path = try self.useCases.saveRecoveryFile(text, named: "edit-\(self.base.id)", over: kept)
        self.context.output.complain("Nothing was changed. Your text is in \(Sanitizer.line(path)).")
        return .kept(status)
    }
}
