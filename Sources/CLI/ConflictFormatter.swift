import RemindavBridge
import RemindavICalendar

struct ConflictFormatter {
    let text: LocalText
    var isRaw = false

    private var words: ConflictWords {
        let text = self.text
        return ConflictWords(zone: text.zone, moment: { text.long($0) }, day: { text.long($0) })
    }

    func paragraph(_ conflict: ConflictView) -> StyledText {
        let reminder = conflict.reminder.map { "reminder \($0), \(conflict.title)" } ?? "a deleted reminder"
        var text = StyledText(
            "\(conflict.number): \(conflict.field) of \(Sanitizer.line(reminder)) (\(Sanitizer.line(conflict.list)))",
            .heading
        )
        let isHereLost = conflict.lostSide == "here"
        let values = self.words.values(conflict, isRaw: self.isRaw)
        let (kept, lost) = (Sanitizer.line(values.kept), Sanitizer.line(values.lost))
        let (here, server) = isHereLost ? (lost, kept) : (kept, lost)
        text += StyledText("\n  local    \(here)\(isHereLost ? "" : " (kept)")")
        text += StyledText("\n  server   \(server)\(isHereLost ? " (kept)" : "")")
        if let part = self.words.part(conflict, isRaw: self.isRaw) {
            text += StyledText("\n  part     \(Sanitizer.line(part))")
        }
        let settled = conflict.settledAt.map { ", settled \(self.moment($0))" } ?? ""
        text += StyledText("\n  decided  \(self.moment(conflict.decidedAt))\(settled)")
        if self.isRaw { text += StyledText("\n  property \(Sanitizer.line(conflict.property))") }
        return text
    }

    private func moment(_ text: String) -> String {
        RFC3339.parse(text).map { self.text.long($0.instant) } ?? Sanitizer.line(text)
    }
}
