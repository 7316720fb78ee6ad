import Bridge
import DatePhrases
import HTTP
import Reminders

extension Visit {
    /// Adds a reminder from a line such as `Call Ben tomorrow 9am #home`; a problem is shown in the form with the line.
    func add(_ text: String) throws -> Response {
        do {
            _ = try self.useCases.add(self.draft(text))
        } catch let error as PhraseError {
            return try self.newForm(text, problem: error.sentence)
        } catch let error as TitleError {
            return try self.newForm(text, problem: error.description)
        } catch let error as UseCaseError {
            return try self.newForm(text, problem: Message(error).text)
        }
        return .see(.list(afterRun: try self.useCases.log(limit: 1).first?.id))
    }

    private func draft(_ text: String) throws -> ReminderDraft {
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
        return draft
    }
}
