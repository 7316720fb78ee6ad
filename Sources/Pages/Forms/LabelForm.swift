import RemindavReminders

/// The texts in the form of a label.
struct LabelForm: Sendable {
    var name = ""
    var color: LabelColor

    init(name: String = "", color: LabelColor) {
        self.name = name
        self.color = color
    }

    init(_ fields: FormFields) {
        self.name = (fields["label"] ?? "").trimmingWhiteSpace
        self.color = fields["color"].flatMap { LabelColor($0) } ?? .standard
    }
}
