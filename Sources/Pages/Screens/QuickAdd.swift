import RemindavBridge
import RemindavDatePhrases
import RemindavHTTP
import RemindavReminders
import RemindavStore

extension Visit {
    /// Adds a reminder from a line such as `Call Ben tomorrow 9am #home`; a problem is shown in the form with the line.
    func quickAdd(_ fields: FormFields) throws -> Response {
        let text = fields["text"] ?? ""
        let key = fields["uid"]
        do {
            var run = OperationScope()
            // Two different lines from one page are two reminders, and two equal ones are one.
            let name = key.map { SHA256("\($0) \(text)".utf8).hexadecimal } ?? self.useCases.newUID()
            let once = try ReminderKey(name)
            let addition = try self.useCases.add(self.draft(text), once: once, as: &run)
            let back = FormFields(fields["back"] ?? "")?.pairs ?? []
            guard !addition.isNew else { return .see(Self.listAddress(back, run: run.number)) }
            return .see(.list([(name: "there", value: String(addition.reminder.id))]))
        } catch let error as PhraseError {
            return try self.newForm(text, problem: error.sentence, key: nil)
        } catch let error as UnclearDate {
            return try self.newForm(text, problem: "\(error.reason.sentence) Check the date below.", key: nil)
        } catch let error as TitleError {
            return try self.newForm(text, problem: error.description, key: nil)
        } catch let error as UseCaseError {
            return try self.newForm(text, problem: Message(error).text, key: nil)
        } catch let error as DatabaseError {
            let status = error.pageStatus
            return try self.newForm(text, problem: Message(error).text, key: nil, status: status)
        }
    }

    /// A line with words that may be a date, such as a past one; the form asks for the date.
    private struct UnclearDate: Error {
        let reason: String
    }

    private func draft(_ text: String) throws -> ReminderDraft {
        let (preferences, now) = (self.site.preferences, self.useCases.now)
        let zone = preferences.zone
        let lists = TitleParser.mayNameList(text) ? try self.useCases.listNames() : []
        let parser = TitleParser(kinds: Set(ParsedTitle.Kind.allCases), lists: lists, now: now, zone: zone)
        let line = try parser.read(text)
        if line.isUndated { throw UnclearDate(reason: line.reasonForNoDate(\.excerpt)) }
        let schedule = try line.schedule(standard: preferences.standardDue, now: now, zone: zone) {
            try self.useCases.defaults(ofList: line.list).due == .undated
        }
        return line.draft(schedule, zone: zone)
    }
}
