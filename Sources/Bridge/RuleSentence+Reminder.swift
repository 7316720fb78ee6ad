package import RemindavDatePhrases

extension RuleSentence {
    /// The repeat rule in English, or its RRULE value if English words cannot express it; `nil` without a rule.
    package func text(_ reminder: ReminderView) -> String? {
        reminder.repeatRule.map { self.text($0, fromCompletion: reminder.repeatsFromCompletion) }
    }
}
