import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavReminders

/// A form that was read: the change, or the problems.
struct FormReading: Sendable {
    private(set) var change = ReminderChange()
    /// The problem of each field that cannot be read, in words for below the field.
    private(set) var problems: [ReminderForm.Field: String] = [:]

    /// The values that the meaning of the texts depends on.
    struct Surroundings: Sendable {
        let now: Instant
        let zone: LocalZone
        /// The due time of a rule without a date.
        let standard: When
        /// The time of day of an alarm for which only a day is given.
        let dayTime: ClockTime
    }

    private let form: ReminderForm
    private let surroundings: Surroundings

    /// Reads the given fields of a form.
    ///
    /// - Parameter reminder: the edited reminder; `nil` for a new one.
    init(
        _ form: ReminderForm,
        fields: Set<ReminderForm.Field>,
        of reminder: ReminderView?,
        in surroundings: Surroundings
    ) {
        self.form = form
        self.surroundings = surroundings
        for field in ReminderForm.Field.allCases where fields.contains(field) {
            do {
                try self.read(field, reminder)
            } catch let error as PhraseError {
                let isPast = error.code == .mustBeInFuture && field == .schedule
                self.problems[field] = isPast ? Words.mustBeInFuture.rawValue : error.sentence
            } catch {
                self.problems[field] = "\(error)"
            }
        }
        guard fields.contains(.schedule) || fields.contains(.recurrence), self.problems[.schedule] == nil else {
            return
        }
        do throws(PhraseError) {
            try self.readDates(fields, reminder)
        } catch {
            self.problems[fields.contains(.recurrence) ? .recurrence : .schedule] = error.sentence
        }
    }

    private mutating func read(_ field: ReminderForm.Field, _ reminder: ReminderView?) throws {
        let (form, now, zone) = (self.form, self.surroundings.now, self.surroundings.zone)
        switch field {
        case .title: self.change.title = try Reminder.checked(title: form.title)
        case .notes: self.change.notes = form.notes.isEmpty ? .clear : .set(form.notes)
        // A new due time must be in the future, also if the command line would accept it as meant.
        case .schedule: _ = try self.when()?.resolved(now: now, zone: zone)?.checkedToBeInFuture(now: now, zone: zone)
        case .recurrence: break
        case .alarms: self.change.alarms = try self.alarms(of: reminder)
        case .labels: self.readLabels(reminder)
        case .priority:
            let priority = Priority(rawValue: form.priority) ?? .undefined
            self.change.priority = priority == .undefined ? .clear : .set(priority)
        case .list: self.change.list = form.list.isEmpty ? nil : form.list
        case .start:
            let text = form.text(of: .start)
            let start = text.isEmpty ? nil : try When(text).resolved(now: now, zone: zone)
            self.change.start = start.map { .set($0.moment(localZone: zone.name)) } ?? .clear
        case .location, .link: try self.readLine(field)
        case .parent:
            let text = form.text(of: .parent)
            self.change.parent = text.isEmpty ? .clear : .set(.number(try Self.number(text)))
        case .dependencies:
            let numbers = try form.dependencies.split(separator: ",").map { try Self.number(String($0)) }
            self.change.dependencies = .set(
                DependencyEdit(replaces: true, added: numbers.map(ReminderReference.number))
            )
        case .status: self.change.status = .set(form.isInProgress ? .inProgress : .pending)
        }
        // A new reminder has no values to clear.
        if reminder == nil, form.text(of: field).isEmpty, field != .title { self.change.keep(field) }
    }

    private mutating func readLabels(_ reminder: ReminderView?) {
        let names = self.form.names
        guard let reminder else { return self.change.labels = names.isEmpty ? .clear : .set(names) }
        // Only the differences are written, so that the other labels keep their order and spelling.
        let (old, new) = (Set(reminder.labels.map { LabelKey($0) }), Set(names.map { LabelKey($0) }))
        self.change.labelEdit = LabelEdit(
            added: names.filter { !old.contains(LabelKey($0)) },
            removed: reminder.labels.filter { !new.contains(LabelKey($0)) }
        )
    }

    private mutating func readLine(_ field: ReminderForm.Field) throws {
        guard let line = ReminderField.lines.first(where: { $0.name == field.rawValue }) else { return }
        let text = self.form.text(of: field)
        self.change[line] = text.isEmpty ? .clear : .set(.text(try line.check(text)))
    }

    private static func number(_ text: String) throws(PhraseError) -> Int64 {
        guard let number = Int64(text.trimmingWhiteSpace), number > 0 else {
            throw PhraseError(.badValue, "'\(text.trimmingWhiteSpace)' is not the number of a reminder, such as 12.")
        }
        return number
    }

    // MARK: Alarms

    /// An alarm that the user did not change keeps its stored form, also if its time is past.
    private func alarms(of reminder: ReminderView?) throws(PhraseError) -> FieldChange<[AlarmChoice]> {
        let (now, zone) = (self.surroundings.now, self.surroundings.zone)
        let typed = self.form.text(of: .alarms)
        if typed.isEmpty { return .clear }
        if typed.lowercased() == "none" { return .clear }
        let text = LocalText(zone: zone, now: now)
        let known = Dictionary(
            (reminder?.alarmChoices ?? []).map { (text.phrase($0), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var choices: [AlarmChoice] = []
        var rest: [String] = []
        for part in typed.split(separator: ",").map({ String($0).trimmingWhiteSpace }) {
            if let choice = known[part] { choices.append(choice) } else { rest.append(part) }
        }
        guard !rest.isEmpty else { return .set(choices) }
        for phrase in try AlarmPhrase.read(rest.joined(separator: ", "), called: "An alarm") {
            let choice = try phrase.choice(now: now, zone: zone, dayTime: self.surroundings.dayTime)
            if let choice, !choices.contains(choice) { choices.append(choice) }
        }
        return .set(choices)
    }

    // MARK: Dates

    /// The typed due time; `absent` for empty fields.
    private func when() throws(PhraseError) -> When? {
        let words = self.form.words.trimmingWhiteSpace
        if !words.isEmpty { return try When(words) }
        let (day, clock) = (self.form.date.trimmingWhiteSpace, self.form.time.trimmingWhiteSpace)
        if day.isEmpty, clock.isEmpty { return .absent }
        guard !day.isEmpty else { throw PhraseError(.badWhen, "A time needs a date.") }
        guard let date = CalendarDate(wire: day.filter { $0 != "-" }) else {
            throw PhraseError(.badWhen, "There is no such date.")
        }
        if clock.isEmpty { return .day(.date(date), .allDay) }
        // Some browsers also send the seconds.
        let parts = clock.split(separator: ":").map { Int($0) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            let time = ClockTime(hour: hour, minute: minute, second: 0)
        else {
            throw PhraseError(.badWhen, "There is no such time.")
        }
        return .day(.date(date), .clock(time))
    }

    /// Reads the due time and the rule together, because a series must begin on one of its dates.
    private mutating func readDates(_ fields: Set<ReminderForm.Field>, _ reminder: ReminderView?) throws(PhraseError) {
        let (now, zone) = (self.surroundings.now, self.surroundings.zone)
        let rule = self.form.ruleText
        let repetition = fields.contains(.recurrence) && !rule.isEmpty ? try RepeatPhrase.read(rule) : nil
        let when = fields.contains(.schedule) ? try self.when() : nil
        guard let reminder else {
            guard let repetition else {
                let due = when?.resolved(now: now, zone: zone)
                return self.change.due = due.map { .set($0.moment(localZone: zone.name)) } ?? .keep
            }
            // Without a date, the rule chooses the first one.
            let stated = when == .absent ? nil : when
            let first = try repetition.firstDue(
                stated,
                standard: self.surroundings.standard,
                now: now,
                zone: zone
            )
            self.change.due = first.due.map { .set($0.moment(localZone: zone.name)) } ?? .keep
            return self.change.recurrenceRule = .set(first.rule)
        }
        if fields.contains(.recurrence) { self.change.recurrenceRule = repetition.map { .set($0.rule) } ?? .clear }
        self.change.changesOnlyThisDate = self.form.changesOnlyThisDate && reminder.repeatRule != nil
        _ = try PresentDue(reminder, zone: zone).apply(due: when, repetition: repetition, now: now, to: &self.change)
        if fields.contains(.recurrence), reminder.dueInstant == nil, when == nil, let repetition {
            let first = try repetition.firstDue(nil, standard: self.surroundings.standard, now: now, zone: zone)
            self.change.due = first.due.map { .set($0.moment(localZone: zone.name)) } ?? .keep
            self.change.recurrenceRule = .set(first.rule)
        }
    }
}

extension ReminderChange {
    fileprivate mutating func keep(_ field: ReminderForm.Field) {
        let fields: [ReminderForm.Field: ReminderField] = [
            .notes: .notes, .alarms: .alarms, .labels: .labels, .start: .start, .parent: .parent,
            .dependencies: .dependencies, .status: .status,
        ]
        if let field = fields[field] ?? ReminderField.lines.first(where: { $0.name == field.rawValue }) {
            self[field] = .keep
        }
    }
}

extension ReminderForm.Field {
    /// The field at which an error of a use case is shown; `nil` for an error of the whole reminder.
    init?(_ error: UseCaseError) {
        switch error.code {
        case .mustBeInFuture, .dateNeedsDue: self = .schedule
        case .repeatNeedsDue, .repeatEndsBeforeDue, .fieldOfSeries, .datesCountFromCompletion: self = .recurrence
        case .alarmNeedsDue, .tooManyAlarms: self = .alarms
        case .startAfterDue, .startOfSeries: self = .start
        case .parentIsItself, .parentIsSubtask, .parentInOtherList: self = .parent
        case .dependsOnItself, .dependencyCircle: self = .dependencies
        case .listNotFound, .listIsReadOnly, .duplicateUIDInTarget: self = .list
        default: return nil
        }
    }
}
