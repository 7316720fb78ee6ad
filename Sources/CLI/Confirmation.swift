import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavJSON
import RemindavReminders

struct Confirmation {
    let context: Context

    /// The fields of a reminder in its confirmation, besides the title and the date.
    enum Fields {
        case omitted
        /// Priority, labels, location, link and notes, as far as the reminder has them.
        case withoutList
        case withList
    }

    /// Prints `Added 12: Call Ben, due Sat 2026-11-21 09:00, tomorrow`, followed by `alarms` and `fields`.
    func print(
        _ verb: String,
        _ reminder: ReminderView,
        withRule: Bool = false,
        fields: Fields = .omitted,
        alarms: [AlarmChoice]? = nil,
        behind tail: String = ""
    ) throws {
        let text = try self.context.localText()
        var line = "\(verb) \(reminder.id): \(Sanitizer.line(reminder.title))"
        if reminder.section != .completed {
            if reminder.isSnoozed, let snoozed = reminder.snoozedInstant {
                line += ", snoozed until \(text.long(snoozed))"
            } else if let due = text.due(reminder) {
                line += ", due \(due)"
                if let own = text.dueInOwnZone(reminder) { line += " (\(Sanitizer.line(own)))" }
            }
            if withRule, let rule = RuleSentence(zone: text.zone).text(reminder) {
                line += ", repeats \(Sanitizer.line(rule))"
            }
        }
        if withRule, let start = reminder.start { line += ", starts \(text.long(start))" }
        if withRule, let parent = reminder.parentID { line += ", subtask of \(parent)" }
        if withRule, !reminder.dependencyIDs.isEmpty {
            line += ", depends on \(reminder.dependencyIDs.map(String.init).joined(separator: ", "))"
        }
        if let alarms { line += ", \(text.alarms(alarms))" }
        if fields != .omitted { line += self.fields(of: reminder) }
        if fields == .withList { line += ", in \(Sanitizer.line(reminder.list))" }
        try self.context.output.note(StyledText(line + tail))
        if withRule, let sentence = self.skippedDates(reminder, text) {
            self.context.output.remark(StyledText(sentence))
        }
    }

    /// Prints the next date of a series, as `Completed 13: Standup. Next: Tue 2026-11-24 09:30, tomorrow.`, and the copy.
    func printNext(_ verb: String, _ completion: CompletionResult) throws {
        let reminder = completion.reminder
        var line = "\(verb) \(reminder.id): \(Sanitizer.line(reminder.title))."
        if let due = try self.context.localText().due(reminder) { line += " Next: \(due)." }
        if let copy = completion.copy { line += " The completed occurrence is \(copy)." }
        try self.context.output.note(StyledText(line))
    }

    private func fields(of reminder: ReminderView) -> String {
        var words: [String] = []
        if reminder.priority != .undefined { words.append("\(reminder.priority.rawValue) priority") }
        if !reminder.labels.isEmpty {
            words.append(reminder.labels.map { "#" + Sanitizer.line($0) }.joined(separator: " "))
        }
        words += ReminderField.lines.compactMap { field in
            reminder.lines[field.name].map { "\(field.name) \(Sanitizer.excerpt($0))" }
        }
        if reminder.notes != nil { words.append("with notes") }
        return words.map { ", \($0)" }.joined()
    }

    func print(from old: ReminderView, to new: ReminderView, withRule: Bool, alarms: [AlarmChoice]? = nil) throws {
        guard old != new else { return try self.print("Unchanged", new, withRule: withRule) }
        try self.print("Changed", new, withRule: withRule, alarms: alarms)
        let text = try self.context.localText()
        for line in EditSummary.forTerminal(text).lines(from: old, to: new) {
            try self.context.output.note(StyledText("  \(line)"))
        }
        if new.startsLater, !old.startsLater {
            self.context.output.remark("It starts later now, so lists hide it until then (--not-started).")
        }
        if let parent = old.parentID, new.parentID == nil, old.parent == new.parent {
            self.context.output.remark("Its parent \(parent) is in another list now.")
        }
    }

    private func skippedDates(_ reminder: ReminderView, _ text: LocalText) -> String? {
        guard reminder.section != .completed, !reminder.repeatsFromCompletion,
            let rule = reminder.repeatRule.flatMap({ try? RecurrenceRule(wire: $0) })
        else { return nil }
        let due = reminder.dueDay ?? reminder.dueInstant.map { text.zone.wallClock(at: $0).date }
        return due.flatMap { SkippedDates.sentence(rule, from: $0) }
    }

    /// Warns if the due time is past, or if an all-day reminder that is due today fires no alarm, because the time of
    /// `alarm-time` is past.
    func warnOfSilence(_ reminder: ReminderView, _ useCases: UseCases) throws {
        if reminder.overdue {
            return self.context.output.remark("The due time is already past, so the reminder is overdue.")
        }
        guard reminder.allDay, reminder.section != .completed, try !useCases.willFire(reminder.id) else { return }
        let hour = self.context.settings.alarms.dayTime.hoursAndMinutes
        self.context.output.remark(
            """
            No notification will appear: alarms of all-day reminders fire at \(hour), and this is past. Set a time: \
            remindav edit \(reminder.id) --due 'today 18:00'.
            """
        )
    }

    /// Says which dates of a repeating reminder an edit has changed.
    func noteDates(from old: ReminderView, to new: ReminderView, _ change: ReminderChange) throws {
        guard old != new, change.fields != [.list], new.repeatRule != nil, old.repeatRule == new.repeatRule else {
            return
        }
        if change.changesOnlyThisDate || old.replacedDate != nil || new.replacedDate != nil {
            // The former date of the occurrence is that of its override, or else its start or its due time.
            let formers = old.replacedDate.map { [$0] } ?? [old.start, old.due].compactMap { $0 }
            let isShown = new.replacedDate.map { formers.contains($0) } ?? false
            let isAsked = change.changesOnlyThisDate || old.replacedDate != nil
            let reason = isAsked ? "" : "An earlier date of the repetition was moved alone and is still open. "
            let effect =
                isShown
                ? "Only this date was changed. The other dates of the repetition stay."
                : "The date was moved behind the next date of the repetition, so the reminder shows the next date now."
            self.context.output.remark("\(reason)\(effect)")
        } else if !new.repeatsFromCompletion, new.dueInstant != old.dueInstant {
            try self.noteLaterDates(from: old, to: new)
        }
    }

    /// Says whether the later dates move with the due time; a rule that names its days keeps them.
    private func noteLaterDates(from old: ReminderView, to new: ReminderView) throws {
        let zone = try self.context.localZone()
        let rule = new.repeatRule.flatMap { try? RecurrenceRule(wire: $0) }
        let days = rule.flatMap { $0.namesDays ? RuleSentence(zone: zone).text(new) : nil }
        let isCounted =
            rule?.interval != 1 || rule?.count != nil
            || PresentDue(old, zone: zone).time != PresentDue(new, zone: zone).time
        let move =
            if let days {
                "The later dates stay on the days of the repetition: \(Sanitizer.line(days))."
                    + (isCounted ? " Their time of day and their interval are counted from the new due time." : "")
            } else {
                "The later dates of the repetition are counted from the new due time."
            }
        let advice = " To move one date only, run 'remindav undo' and add --this-date-only."
        self.context.output.remark(StyledText(move + (days == nil || isCounted ? advice : "")))
    }

    /// Says that the first due time differs from the stated day, because the repetition has no date on this day.
    func noteMove(from day: CalendarDate) {
        let name = Vocabulary.weekdayNames[day.weekday.rawValue]
        self.context.output.remark(
            """
            The repetition has no occurrence at the stated time (\(name) \(day)), so the reminder is first due at the \
            next one.
            """
        )
    }

    /// - Parameter pairs: words that were read as options and are not in the title, such as `wait:monday`.
    func printParsedParts(_ line: ParsedTitle, and pairs: [String], _ reminder: ReminderView) throws {
        if line.isUndated, reminder.dueDay == nil, reminder.dueInstant == nil {
            let phrase = line.phraseToSet ?? "--due WHEN"
            self.context.output.remark(
                "\(line.reasonForNoDate(Sanitizer.excerpt)), so the reminder has no date. Set it with 'remindav edit \(reminder.id) \(phrase)'."
            )
        } else if !line.isUndated, let unread = line.unread {
            let text = Sanitizer.excerpt(unread.text)
            let advice = line.phraseToSet.map { " If it is one, run 'remindav edit \(reminder.id) \($0)'." } ?? ""
            self.context.output.remark(
                StyledText("'\(text)' stays in the title and was not taken as a date or repetition.\(advice)")
            )
        }
        for list in line.listsOfLabels where reminder.list != list {
            let name = Sanitizer.excerpt(list)
            self.context.output.remark(
                StyledText("'#\(name)' is a label. For the list '\(name)', write '@\(name)'.")
            )
        }
        for list in line.unknownLists {
            let name = Sanitizer.excerpt(list.name)
            let guess = list.nearest.map { " Did you mean '@\(Sanitizer.line($0))'?" } ?? " A label begins with '+'."
            self.context.output.remark(
                StyledText("There is no list '\(name)', so '@\(name)' stays in the title.\(guess)")
            )
        }
        let removed = line.removed.map(\.text) + pairs
        if removed.isEmpty { return }
        let words = removed.map { "'\(Sanitizer.line($0))'" }.joined(separator: ", ")
        let them = removed.count == 1 ? "it" : "them"
        try self.context.output.note(
            StyledText("Removed from the title: \(words). '--literal' keeps \(them) in the title.")
        )
    }
}

extension ParsedTitle {
    /// The words of the title that `edit` accepts as a date; `nil` if there are none.
    fileprivate var phraseToSet: String? {
        guard let unread, unread.isValid, !unread.isPast, !EditReminder.isAmbiguous(unread.text) else { return nil }
        return Sanitizer.excerpt(unread.text)
    }
}

extension Context {
    /// Runs all actions; returns `.partial` if some failed, or the status of the first failure if all failed.
    func forEach<Answer: JSONEncodable>(_ ids: [Int64], _ action: (Int64) throws -> Answer?) throws -> ExitStatus {
        var answers: [Answer] = []
        let status = try self.forEach(ids) { id in if let answer = try action(id) { answers.append(answer) } }
        if self.isJSON { try self.output.print(json: answers) }
        return status
    }

    func forEach(_ ids: [Int64], _ action: (Int64) throws -> Void) throws -> ExitStatus {
        var statuses: [ExitStatus] = []
        for id in ids {
            do {
                try action(id)
            } catch let error as OutputError {
                throw error
            } catch {
                let explanation = ErrorMessages.explain(error)
                self.output.complain(explanation)
                statuses.append(explanation.status)
            }
        }
        return statuses.count < ids.count && !statuses.isEmpty ? .partial : statuses.first ?? .success
    }
}
