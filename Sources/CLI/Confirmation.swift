import Bridge
import DatePhrases
import ICalendar
import JSON
import Reminders

/// One line that confirms a change of a reminder.
struct Confirmation {
    let context: Context

    /// `Added 12: Call Ben, due Sat 2026-11-21 09:00, tomorrow`, and behind it `, repeats every week` where that was
    /// asked for.
    ///
    /// - Parameters:
    ///   - marks: the kinds of markers in the title, which are also printed.
    ///   - alarms: the requested alarms, which are then printed as well; `nil` when none were.
    ///   - tail: appended to the line.
    func print(
        _ verb: String,
        _ reminder: ReminderView,
        withRule: Bool = false,
        marks: Set<ParsedTitle.Kind> = [],
        alarms: [AlarmChoice]? = nil,
        behind tail: String = ""
    ) throws {
        let text = LocalText(zone: try self.context.localZone(), now: self.context.now)
        var line = "\(verb) \(reminder.id): \(Sanitizer.line(reminder.title))"
        if reminder.section != .completed {
            if let snoozed = reminder.snoozedInstant {
                line += ", snoozed until \(text.long(snoozed))"
            } else if let due = text.due(reminder) {
                line += ", due \(due)"
            }
            if withRule, let rule = reminder.repeatRule {
                line += ", repeats \(Sanitizer.line(RuleSentence(zone: text.zone).text(rule)))"
            }
        }
        if let alarms { line += ", \(text.alarms(alarms))" }
        if marks.contains(.priority) { line += ", \(reminder.priority.rawValue) priority" }
        if marks.contains(.label) {
            line += ", " + reminder.labels.map { "#" + Sanitizer.line($0) }.joined(separator: " ")
        }
        if marks.contains(.list) { line += ", in \(Sanitizer.line(reminder.list))" }
        try self.context.output.note(StyledText(line + tail))
        if withRule, let sentence = self.skippedDates(reminder, text) {
            self.context.output.remark(StyledText(sentence))
        }
    }

    /// The same of an edit, and a line for each field that it has changed; `Nothing was changed`, where it has none.
    func print(from old: ReminderView, to new: ReminderView, withRule: Bool, alarms: [AlarmChoice]? = nil) throws {
        guard old != new else { return try self.print("Nothing was changed of", new, withRule: withRule) }
        try self.print("Changed", new, withRule: withRule, alarms: alarms)
        let text = LocalText(zone: try self.context.localZone(), now: self.context.now)
        for line in EditSummary(text: text).lines(from: old, to: new) {
            try self.context.output.note(StyledText("  \(line)", .quiet))
        }
    }

    private func skippedDates(_ reminder: ReminderView, _ text: LocalText) -> String? {
        guard reminder.section != .completed, let rule = reminder.repeatRule.flatMap({ try? RecurrenceRule(wire: $0) })
        else { return nil }
        let due = reminder.dueDay ?? reminder.dueInstant.map { text.zone.wallClock(at: $0).date }
        return due.flatMap { SkippedDates.sentence(rule, from: $0) }
    }

    /// Warns that an all-day reminder of today fires no alarm, because `alarm-time` is past.
    func warnOfSilence(_ reminder: ReminderView, _ useCases: UseCases) throws {
        guard reminder.allDay, reminder.section != .completed, try !useCases.willRing(reminder.id) else { return }
        let hour = self.context.settings.alarmTime.hoursAndMinutes
        self.context.output.remark(
            """
            No notification will appear: alarms of all-day reminders fire at \(hour), which is past. Set a time: \
            remindav edit \(reminder.id) --due 'today 18:00'.
            """
        )
    }

    /// Prints the parts that were removed from the title.
    func printParsedParts(_ line: ParsedTitle, _ reminder: ReminderView) throws {
        if line.isUndated, reminder.dueDay == nil, reminder.dueInstant == nil {
            let command = "remindav edit \(reminder.id) --due WHEN"
            self.context.output.remark("The title may name a date, so the reminder has none. Set one with: \(command)")
        }
        if line.taken.isEmpty { return }
        let words = line.taken.map { "'\(Sanitizer.line($0.text))'" }.joined(separator: ", ")
        let them = line.taken.count == 1 ? "it" : "them"
        try self.context.output.note(StyledText("Taken from the title: \(words). --literal leaves \(them) there."))
    }
}

/// Applies an action to several reminders and continues after a failure.
struct EachReminder {
    let context: Context

    /// - Parameters:
    ///   - isJSON: whether the results of `action` are printed as one array.
    /// - Returns: success when all went well, the first failure's status when none did, else partial.
    func perform<Answer: JSONEncodable>(
        _ ids: [Int64],
        isJSON: Bool,
        _ action: (Int64) throws -> Answer?
    ) throws -> ExitStatus {
        var answers: [Answer] = []
        let status = try self.perform(ids) { id in if let answer = try action(id) { answers.append(answer) } }
        if isJSON { try self.context.output.print(json: answers) }
        return status
    }

    /// - Returns: success when all went well, the first failure's status when none did, else partial.
    func perform(_ ids: [Int64], _ action: (Int64) throws -> Void) throws -> ExitStatus {
        var statuses: [ExitStatus] = []
        var done = 0
        for id in ids {
            do {
                try action(id)
                done += 1
            } catch let error as OutputError {
                throw error
            } catch {
                let explanation = ErrorMessages.explain(error)
                self.context.output.complain(explanation.sentence)
                statuses.append(explanation.status)
            }
        }
        guard let first = statuses.first else { return .success }
        return done > 0 ? .partial : first
    }
}
