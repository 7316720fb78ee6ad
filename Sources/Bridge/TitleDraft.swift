package import RemindavDatePhrases
package import RemindavICalendar
package import RemindavReminders

extension ParsedTitle {
    /// The due time and the rule of a new reminder.
    package struct Schedule: Hashable, Sendable {
        package var due: DueChoice?
        package var rule: RecurrenceRule?
        /// The day that the user stated, if the rule has no date on it.
        package var moved: CalendarDate?
        /// Whether the stated due time may be past.
        package var allowsPastDue = false
    }

    /// The due time and the rule that the title and other fields state together.
    ///
    /// - Parameters:
    ///   - stated: the due time of another field.
    ///   - repetition: the repetition of another field.
    ///   - hasStart: whether the reminder gets a start; it then has no default due time, which could precede the start.
    ///   - standard: the due time of a new reminder without a stated one.
    ///   - isUndated: whether the list has no default due time; called only if no due time is stated.
    /// - Throws: `PhraseError` for a past time and for contradictions.
    package func schedule(
        due stated: When? = nil,
        repetition: RepeatPhrase? = nil,
        hasStart: Bool = false,
        standard: When,
        now: Instant,
        zone: LocalZone,
        isUndated: () throws -> Bool
    ) throws -> Schedule {
        let own = self.rule.map { RepeatPhrase(rule: $0, when: self.when, isStart: self.isStart, end: self.end) }
        let allowsPastDue = (stated ?? repetition?.when ?? self.when)?.mayBePast ?? false
        if let repetition = own ?? repetition {
            let when = self.rule == nil ? self.when ?? stated : stated
            let first = try repetition.firstDue(when, standard: standard, now: now, zone: zone)
            return Schedule(due: first.due, rule: first.rule, moved: first.moved, allowsPastDue: allowsPastDue)
        }
        let when = self.when ?? stated
        // If the title may name a date that was not understood, no date is set: the default date could be wrong.
        if when == nil {
            if self.isUndated || hasStart { return Schedule() }
            if try isUndated() { return Schedule() }
        }
        let due = (when ?? standard).resolved(now: now, zone: zone)
        if when?.mayBePast ?? false { return Schedule(due: due, allowsPastDue: true) }
        return Schedule(due: try due?.checkedToBeInFuture(now: now, zone: zone), allowsPastDue: allowsPastDue)
    }

    /// The draft with the fields of the title.
    package func draft(_ schedule: Schedule, zone: LocalZone) -> ReminderDraft {
        var draft = ReminderDraft(title: self.title, list: self.list)
        draft.recurrenceRule = schedule.rule
        draft.due = schedule.due?.moment(localZone: zone.name)
        draft.change.allowsPastDue = schedule.allowsPastDue
        draft.alarms = self.alarms
        draft.labels = self.labels
        draft.priority = self.priority ?? .undefined
        return draft
    }

    /// The reason why the title gives no date, without a full stop; it names the words that keep a date in the title.
    ///
    /// - Parameter excerpt: shortens a text of the title.
    package func reasonForNoDate(_ excerpt: (String) -> String) -> String {
        if let unread, unread.isPast { return "'\(excerpt(unread.text))' is past" }
        guard let obstacle else {
            let name = self.unread.map { " ('\(excerpt($0.text))')" } ?? ""
            return "The title may contain a date that was not understood\(name)"
        }
        let (date, words) = (excerpt(obstacle.date), excerpt(obstacle.words))
        return "'\(date)' stays in the title, because '\(words)' stands \(obstacle.isBehind ? "behind" : "before") it"
    }
}
