import RemindavBridge
import RemindavDatePhrases
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

/// The texts in the fields of the form of a reminder.
///
/// A form keeps the texts as a person typed them, also if they are wrong, so that nothing typed is lost.
struct ReminderForm: Hashable, Sendable {
    /// The fields that are compared and changed as a unit, in their order on the page.
    enum Field: String, CaseIterable, Sendable {
        case title, notes, schedule, alarms, recurrence, labels, priority, list, start, location, link, parent
        case dependencies, status

        /// Whether the field is in the first group of details.
        var isDetail: Bool { [.labels, .priority, .list].contains(self) }
        /// Whether the field is in the second group of details.
        var isMore: Bool { [.start, .location, .link, .parent, .dependencies, .status].contains(self) }
    }

    /// The choice in the field for the repetition.
    enum Rule: String, CaseIterable, Sendable {
        /// A rule that is none of the others, and that stays as it is.
        case keep
        case never, daily, weekly, monthly

        /// The rule in the words of ``RuleSentence``.
        var sentence: String {
            switch self {
            case .keep, .never: ""
            case .daily: "every day"
            case .weekly: "every week"
            case .monthly: "every month"
            }
        }
    }

    var title = ""
    var notes = ""
    /// `2026-12-01`, or empty for no date.
    var date = ""
    /// `09:00`, or empty for an all-day reminder.
    var time = ""
    /// A due time in words, which replaces date and time; empty for none.
    var words = ""
    /// Alarms such as `due, 15m`; empty for none, or for the usual alarms of a new reminder.
    var alarms = ""
    var rule = Rule.never
    /// The rule in words, if ``rule`` is ``Rule/keep``.
    var customRule = ""
    /// A rule in words, such as `every 2 weeks on mon`, which replaces ``rule``; empty for none.
    var ruleWords = ""
    /// The checked labels.
    var labels: [String] = []
    /// Further labels, with commas between them.
    var newLabels = ""
    var priority = Priority.undefined.rawValue
    /// The name of the list; empty for the default list.
    var list = ""
    var start = ""
    var location = ""
    var link = ""
    /// The number of the reminder that contains this one as a subtask.
    var parent = ""
    /// The numbers of the reminders to complete first, with commas between them.
    var dependencies = ""
    var isInProgress = false
    /// Whether a change concerns only the present date of a series.
    var changesOnlyThisDate = false

    init() {}

    /// The form of a new reminder.
    init(due: DueChoice?, zone: LocalZone) { self.set(due, zone) }

    /// The form of an existing reminder.
    init(_ reminder: ReminderView, zone: LocalZone, now: Instant) {
        let text = LocalText(zone: zone, now: now)
        self.title = reminder.title
        self.notes = reminder.notes ?? ""
        self.set(reminder.dueDay.map { .date($0) } ?? reminder.dueInstant.map { .exact($0) }, zone)
        self.alarms = reminder.alarmChoices.map(text.phrase).joined(separator: ", ")
        let rule = RuleSentence(zone: zone).text(reminder) ?? ""
        self.rule = Rule.allCases.first { $0 != .keep && $0.sentence == rule } ?? .keep
        self.customRule = self.rule == .keep ? rule : ""
        self.labels = reminder.labels
        self.priority = reminder.priority.rawValue
        self.list = reminder.list
        self.start = reminder.start.map(text.short) ?? ""
        self.location = reminder.lines["location"] ?? ""
        self.link = reminder.lines["link"] ?? ""
        self.parent = reminder.parentID.map(String.init) ?? ""
        self.dependencies = reminder.dependencyIDs.map(String.init).joined(separator: ", ")
        self.isInProgress = reminder.status == .inProgress
    }

    /// The form that a browser sent.
    init(_ fields: FormFields) {
        self.title = fields["title"] ?? ""
        // Browsers send the line ends of a text area as CRLF.
        self.notes = (fields["notes"] ?? "").replacing("\r\n", with: "\n")
        self.date = fields["date"] ?? ""
        self.time = fields["time"] ?? ""
        self.words = fields["words"] ?? ""
        self.alarms = fields["alarms"] ?? ""
        self.rule = fields["recurrence"].flatMap(Rule.init) ?? .never
        self.customRule = fields["rule"] ?? ""
        self.ruleWords = fields["rule-words"] ?? ""
        self.labels = fields.values(of: "label")
        self.newLabels = fields["labels"] ?? ""
        self.priority = fields["priority"] ?? Priority.undefined.rawValue
        self.list = fields["list"] ?? ""
        self.start = fields["start"] ?? ""
        self.location = fields["location"] ?? ""
        self.link = fields["link"] ?? ""
        self.parent = fields["parent"] ?? ""
        self.dependencies = fields["dependencies"] ?? ""
        self.isInProgress = fields["status"] != nil
        self.changesOnlyThisDate = fields["this-date"] != nil
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
        case .alarms: self.alarms.trimmingWhiteSpace
        case .recurrence: self.ruleText
        case .labels: self.names.sorted { LabelKey($0).text < LabelKey($1).text }.joined(separator: ", ")
        case .priority: self.priority
        case .list: self.list
        case .start: self.start.trimmingWhiteSpace
        case .location: self.location.trimmingWhiteSpace
        case .link: self.link.trimmingWhiteSpace
        case .parent: self.parent.trimmingWhiteSpace
        case .dependencies: self.dependencies.trimmingWhiteSpace
        case .status: self.isInProgress ? "in progress" : ""
        }
    }

    /// The rule in words; empty for none.
    var ruleText: String {
        let words = self.ruleWords.trimmingWhiteSpace
        return words.isEmpty ? (self.rule == .keep ? self.customRule : self.rule.sentence) : words
    }

    /// Replaces the texts of a field by those of another form.
    mutating func copy(_ field: Field, from other: Self) {
        switch field {
        case .title: self.title = other.title
        case .notes: self.notes = other.notes
        case .schedule: (self.date, self.time, self.words) = (other.date, other.time, other.words)
        case .alarms: self.alarms = other.alarms
        case .recurrence:
            (self.rule, self.customRule, self.ruleWords) = (other.rule, other.customRule, other.ruleWords)
        case .labels: (self.labels, self.newLabels) = (other.labels, other.newLabels)
        case .priority: self.priority = other.priority
        case .list: self.list = other.list
        case .start: self.start = other.start
        case .location: self.location = other.location
        case .link: self.link = other.link
        case .parent: self.parent = other.parent
        case .dependencies: self.dependencies = other.dependencies
        case .status: self.isInProgress = other.isInProgress
        }
    }

    /// The names of the labels; names that differ only in case occur once.
    var names: [String] {
        var seen: Set<LabelKey> = []
        return (self.labels + self.newLabels.split(separator: ",").map(String.init)).map(\.trimmingWhiteSpace)
            .filter { !$0.isEmpty && seen.insert(LabelKey($0)).inserted }
    }
}
