import Bridge
import DatePhrases
import HTTP
import Reminders

extension Visit {
    /// Adds a reminder from a line such as `Call Ben tomorrow 9am #home`.
    func add(_ text: String) throws -> Response {
        let (zone, now) = (self.site.preferences.zone, self.useCases.now)
        let lists = TitleParser.mayNameList(text) ? try self.useCases.listNames() : []
        let parser = TitleParser(kinds: Set(ParsedTitle.Kind.allCases), lists: lists, now: now, zone: zone)
        let line = try parser.read(text)
        var draft = ReminderDraft(title: line.title, list: line.list)
        draft.labels = line.labels
        draft.priority = line.priority ?? Priority.undefined
        draft.alarms = line.alarms
        let standard = self.site.preferences.standardDue
        if let rule = line.rule {
            let phrase = RepeatPhrase(rule: rule, when: line.when, isStart: line.isStart, end: line.end)
            let first = try phrase.firstDue(nil, standard: standard, now: now, zone: zone)
            draft.due = first.due?.moment(localZone: zone.name)
            draft.recurrenceRule = first.rule
        } else if line.when != nil || !line.isUndated {
            let when = line.when ?? standard
            draft.change.allowsPastDue = when.mayBePast
            draft.due = when.resolved(now: now, zone: zone)?.moment(localZone: zone.name)
        }
        let reminder = try self.useCases.add(draft)
        let run = try self.useCases.log(limit: 1).first?.id
        _ = reminder
        return .see(.list(afterRun: run))
    }
}
