import RemindavBridge
import RemindavReminders

/// The texts in the form of a list.
struct ListForm: Hashable, Sendable {
    var name = ""
    /// `#RRGGBB`; empty for no colour.
    var color = ""
    /// The account of a new list; empty for a list on this computer only.
    var account = ""
    /// The default date of new reminders: a ``DefaultDue``, or empty for the setting.
    var due = ""
    /// The default alarms of new reminders, such as `15m,due`; empty for the setting.
    var alarms = ""

    init() {}

    init(_ list: ListView) {
        self.name = list.name
        self.color = list.color.flatMap { LabelColor($0) }?.hex ?? ""
        self.due = list.defaults.due?.rawValue ?? ""
        self.alarms = list.defaults.alarms.map { AlarmFormatter.text($0) } ?? ""
    }

    init(_ fields: FormFields) {
        self.name = (fields["list"] ?? "").trimmingWhiteSpace
        self.color = fields["color"].flatMap { LabelColor($0) }?.hex ?? ""
        self.account = fields["account"] ?? ""
        self.due = fields["due"] ?? ""
        self.alarms = (fields["alarms"] ?? "").trimmingWhiteSpace
    }

    /// The texts that the page of a list compares; the name is part of its address.
    private var compared: [String] { [self.color, self.due, self.alarms] }

    /// The digests for the page of a list.
    var digests: FormDigests { FormDigests(self.compared) }

    /// Replaces the fields that were not changed in the form by those of the list, which may have changed meanwhile.
    mutating func takeUnchanged(from list: ListView, shown: FormFields) {
        guard let shown = FormDigests(shown["was"], count: self.compared.count) else { return }
        let present = Self(list)
        if shown.match(0, self.color) { self.color = present.color }
        if shown.match(1, self.due) { self.due = present.due }
        if shown.match(2, self.alarms) { self.alarms = present.alarms }
    }

    var chosenColor: String? { self.color.isEmpty ? nil : self.color }

    /// The change of the default date; an unknown text, which no form contains, changes nothing.
    var dueChange: FieldChange<DefaultDue> {
        self.due.isEmpty ? .clear : DefaultDue(rawValue: self.due).map { .set($0) } ?? .keep
    }

    /// The change of the default alarms; `nil` if the text cannot be read.
    var alarmChange: FieldChange<[AlarmChoice]>? {
        if self.alarms.isEmpty { return .clear }
        guard let choices = AlarmFormatter.choices(self.alarms), choices.count <= AlarmChoice.maximumCount else {
            return nil
        }
        return .set(choices)
    }

    /// The field with a problem.
    enum Field: Hashable, Sendable { case name, alarms, page }
}
