import RemindavBridge
import RemindavDatePhrases
import RemindavReminders

/// Lays out alarms as text, one row for each.
struct AlarmPrinter: Sendable {
    let text: LocalText
    let columns: Int

    func text(_ alarms: [AlarmView]) -> StyledText {
        let idColumns = alarms.map { String($0.reminder).count }.max() ?? 1
        let hasSeveralLists = alarms.contains { $0.list != alarms[0].list }
        var result = StyledText()
        for (index, alarm) in alarms.enumerated() {
            if index > 0 { result += "\n" }
            result += self.row(alarm, idColumns: idColumns, hasSeveralLists: hasSeveralLists)
        }
        return result
    }

    private func row(_ view: AlarmView, idColumns: Int, hasSeveralLists: Bool) -> StyledText {
        let id = String(view.reminder)
        let start =
            String(repeating: " ", count: idColumns - id.count + 2) + id + "  "
            + DisplayWidth.pad(self.text.short(view.alarm.fires), to: 16) + "  "
        var tail = StyledText()
        if view.repeats { tail += " \u{21BB}" }
        if hasSeveralLists {
            tail += StyledText("  (\(DisplayWidth.fit(Sanitizer.line(view.list), into: 24)))")
        }
        if view.alarm.cause == .snooze { tail += "  snoozed" }
        let room = max(self.columns - start.utf8.count - tail.columns, 10)
        return StyledText(start) + StyledText(DisplayWidth.fit(Sanitizer.title(view.alarm.title), into: room)) + tail
    }
}
