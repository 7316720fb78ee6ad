import Bridge
import DatePhrases
import HTTP
import ICalendar
import Reminders

/// The texts in the fields of the form of a reminder.
///
/// A form keeps the texts as a person typed them, also if they are wrong, so that nothing typed is lost.
struct ReminderForm: Hashable, Sendable {
    /// The fields that are compared and changed as a unit, in their order on the page.
    enum Field: String, CaseIterable, Sendable {
        case title, notes, schedule, recurrence, labels, priority, list
    }

    var title = ""
    var notes = ""
    /// `2026-12-01`, or empty for no date.
    var date = ""
    /// `09:00`, or empty for an all-day reminder.
    var time = ""
    /// A due time in words, which replaces date and time; empty for none.
    var words = ""
    /// A rule in words, such as `every 2 weeks on mon`; empty for none.
    var recurrence = ""
    /// Names with commas between them.
    var labels = ""
    var priority = Priority.undefined.rawValue
    /// The name of the list; empty for the default list.
    var list = ""

    init() {}

    /// The form of a new reminder.
    init(due: DueChoice?, zone: LocalZone) { self.set(due, zone) }

    /// The form of an existing reminder.
    init(_ reminder: ReminderView, zone: LocalZone) {
        self.title = reminder.title
        self.notes = reminder.notes ?? ""
        self.set(reminder.dueDay.map { .date($0) } ?? reminder.dueInstant.map { .exact($0) }, zone)
        self.recurrence =
            reminder.repeatRule.map {
                RuleSentence(zone: zone).text($0, fromCompletion: reminder.repeatsFromCompletion)
            } ?? ""
        self.labels = reminder.labels.joined(separator: ", ")
        self.priority = reminder.priority.rawValue
        self.list = reminder.list
    }

    /// The form that a browser sent.
    init(_ fields: FormFields) {
        self.title = fields["title"] ?? ""
        // Browsers send the line ends of a text area as CRLF.
        self.notes = (fields["notes"] ?? "").replacing("\r\n", with: "\n")
        self.date = fields["date"] ?? ""
        self.time = fields["time"] ?? ""
        self.words = fields["words"] ?? ""
        self.recurrence = fields["recurrence"] ?? ""
        self.labels = fields["labels"] ?? ""
        self.priority = fields["priority"] ?? Priority.undefined.rawValue
        self.list = fields["list"] ?? ""
    }

    private mutating func set(_ due: DueChoice?, _ zone: LocalZone) {
        switch due {
        case nil: break
        case .date(let date): self.date = date.description
        case .local(let date, let time): (self.date, self.time) = (date.description, time.hoursAndMinutes)
        case .exact(let instant):
            let wall = zone.wallClock(at: instant)
            (self.date, self.time) = (wall.date.description, wall.time.hoursAndMinutes)
        }
    }

    /// The text of a field, for comparison.
    func text(of field: Field) -> String {
        switch field {
        case .title: self.title
        case .notes: self.notes
        case .schedule:
            self.words.trimmingWhiteSpace.isEmpty
                ? "\(self.date) \(self.time)".trimmingWhiteSpace : self.words.trimmingWhiteSpace
        case .recurrence: self.recurrence.trimmingWhiteSpace
        case .labels: self.names.joined(separator: ", ")
        case .priority: self.priority
        case .list: self.list
        }
    }

    /// Replaces the texts of a field by those of another form.
    mutating func copy(_ field: Field, from other: Self) {
        switch field {
        case .title: self.title = other.title
        case .notes: self.notes = other.notes
        case .schedule: (self.date, self.time, self.words) = (other.date, other.time, other.words)
        case .recurrence: self.recurrence = other.recurrence
        case .labels: self.labels = other.labels
        case .priority: self.priority = other.priority
        case .list: self.list = other.list
        }
    }

    /// The names of the labels.
    var names: [String] {
        self.labels.split(separator: ",").map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }
    }
}

// MARK: Comparison

/// The digests of the fields as a form showed them; the form contains them as a hidden field.
struct FormDigests: Sendable {
    /// 64 bits are enough to notice a change, and a collision in a form harms only its own user.
    private static let digits = 16
    private let digests: [String]

    init(_ form: ReminderForm) { self.digests = ReminderForm.Field.allCases.map { Self.digest(form.text(of: $0)) } }

    /// `nil` for a text without a digest for each field.
    init?(_ text: String) {
        self.digests = text.split(separator: " ").map(String.init)
        guard self.digests.count == ReminderForm.Field.allCases.count else { return nil }
    }

    var text: String { self.digests.joined(separator: " ") }

    private static func digest(_ text: String) -> String {
        String(SHA256(text.utf8).hexadecimal.prefix(self.digits))
    }

    /// Whether a form has the text of a field that these digests were made of.
    func match(_ field: ReminderForm.Field, of form: ReminderForm) -> Bool {
        ReminderForm.Field.allCases.firstIndex(of: field).map { self.digests[$0] } == Self.digest(form.text(of: field))
    }
}

// MARK: Values

/// A form that was read: the change, or the problems.
struct FormReading: Sendable {
    private(set) var change = ReminderChange()
    /// The problem of each field that cannot be read, in words for below the field.
    private(set) var problems: [ReminderForm.Field: String] = [:]

    /// Reads the given fields of a form.
    ///
    /// - Parameter standard: the due time of a rule without a date.
    init(_ form: ReminderForm, fields: Set<ReminderForm.Field>, now: Instant, zone: LocalZone, standard: When) {
        for field in ReminderForm.Field.allCases where fields.contains(field) {
            switch field {
            case .title: self.readTitle(form)
            case .notes: self.change.notes = form.notes.isEmpty ? .clear : .set(form.notes)
            case .schedule: self.readSchedule(form, now: now, zone: zone)
            case .recurrence: self.readRecurrence(form, fields, now: now, zone: zone, standard: standard)
            case .labels: self.change.labels = form.names.isEmpty ? .clear : .set(form.names)
            case .priority:
                let priority = Priority(rawValue: form.priority) ?? .undefined
                self.change.priority = priority == .undefined ? .clear : .set(priority)
            case .list: self.change.list = form.list.isEmpty ? nil : form.list
            }
        }
    }

    private mutating func readTitle(_ form: ReminderForm) {
        do throws(TitleError) {
            self.change.title = try Reminder.checked(title: form.title)
        } catch {
            self.problems[.title] = error.description
        }
    }

    private mutating func readSchedule(_ form: ReminderForm, now: Instant, zone: LocalZone) {
        do throws(PhraseError) {
            let due = try Self.due(form, now: now, zone: zone)
            _ = try due?.checkedToBeInFuture(now: now, zone: zone)
            self.change.due = due.map { .set($0.moment(localZone: zone.name)) } ?? .clear
        } catch {
            self.problems[.schedule] = error.code == .mustBeInFuture ? "Must be in the future" : error.sentence
        }
    }

    private static func due(_ form: ReminderForm, now: Instant, zone: LocalZone) throws(PhraseError) -> DueChoice? {
        let words = form.words.trimmingWhiteSpace
        if !words.isEmpty { return try When(words).resolved(now: now, zone: zone) }
        let (day, clock) = (form.date.trimmingWhiteSpace, form.time.trimmingWhiteSpace)
        if day.isEmpty, clock.isEmpty { return nil }
        guard !day.isEmpty else { throw PhraseError(.badWhen, "A time needs a date.") }
        guard let date = CalendarDate(wire: day.filter { $0 != "-" }) else {
            throw PhraseError(.badWhen, "There is no such date.")
        }
        if clock.isEmpty { return .date(date) }
        // Some browsers also send the seconds.
        let parts = clock.split(separator: ":").map { Int($0) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            let time = ClockTime(hour: hour, minute: minute, second: 0)
        else {
            throw PhraseError(.badWhen, "There is no such time.")
        }
        return .local(date, time)
    }

    /// Reads the rule; a new due time becomes the first date of the rule, because a series must begin on one of its dates.
    private mutating func readRecurrence(
        _ form: ReminderForm,
        _ fields: Set<ReminderForm.Field>,
        now: Instant,
        zone: LocalZone,
        standard: When
    ) {
        // A problem of the due time is shown at its own field.
        if self.problems[.schedule] != nil { return }
        do throws(PhraseError) {
            guard !form.recurrence.trimmingWhiteSpace.isEmpty, let phrase = try RepeatPhrase.read(form.recurrence)
            else {
                return self.change.recurrenceRule = .clear
            }
            let schedule = form.text(of: .schedule)
            guard schedule.isEmpty || fields.contains(.schedule) else {
                return self.change.recurrenceRule = .set(phrase.rule)
            }
            let when = schedule.isEmpty ? nil : try When(schedule)
            let first = try phrase.firstDue(when, standard: standard, now: now, zone: zone)
            if let due = first.due { self.change.due = .set(due.moment(localZone: zone.name)) }
            self.change.recurrenceRule = .set(first.rule)
        } catch {
            self.problems[.recurrence] = error.sentence
        }
    }
}
