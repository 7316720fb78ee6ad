import Bridge
import ICalendar
import JSON
import Reminders

/// One line that says what became of a reminder, so that a slip is seen at once.
struct Confirmation {
    let context: Context

    /// `Added 12: Call Ben, due Sat 2026-11-21 09:00, tomorrow`, and behind it `, repeats every week` where that was
    /// asked for.
    ///
    /// - Parameters:
    ///   - marks: of which kinds the title had marks, which are then said as well.
    ///   - alarms: the requested alarms, which are then printed as well; `nil` when none were.
    ///   - tail: what stands behind all of it.
    func say(
        _ what: String,
        _ reminder: ReminderView,
        withRule: Bool = false,
        marks: Set<ParsedTitle.Kind> = [],
        alarms: [AlarmChoice]? = nil,
        behind tail: String = ""
    ) throws {
        let text = LocalText(zone: try self.context.localZone(), now: self.context.now)
        var line = "\(what) \(reminder.id): \(Sanitizer.line(reminder.title))"
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
    func say(from old: ReminderView, to new: ReminderView, withRule: Bool, alarms: [AlarmChoice]? = nil) throws {
        guard old != new else { return try self.say("Nothing was changed of", new, withRule: withRule) }
        try self.say("Changed", new, withRule: withRule, alarms: alarms)
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

    /// Says that a reminder of today rings no more, since the hour at which a day rings is over.
    func warnOfSilence(_ reminder: ReminderView, _ useCases: UseCases) throws {
        guard reminder.allDay, reminder.section != .completed, try !useCases.willRing(reminder.id) else { return }
        let hour = self.context.settings.alarmTime.hoursAndMinutes
        self.context.output.remark(
            """
            It does not ring: what is due on a day rings at \(hour), and that is past. A time rings: \
            remindav edit \(reminder.id) --due 'today 18:00'.
            """
        )
    }

    /// `Taken from the title: 'tomorrow 9am', '#home'. --literal leaves them there.`; nothing where nothing was.
    ///
    /// Before it what was not taken, where it looks as if it had been meant.
    func sayTaken(_ line: ParsedTitle, _ reminder: ReminderView) throws {
        for hint in line.hints { self.context.output.remark(StyledText(Sanitizer.line(hint))) }
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

/// Does the same to several reminders, one after the other, and goes on after a failure.
struct EachReminder {
    let context: Context

    /// - Parameters:
    ///   - isJSON: whether what `action` returns is printed, as one array.
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
