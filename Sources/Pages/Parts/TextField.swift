import RemindavHTML

/// A field with a line of text.
struct TextField: Part {
    let name: String
    let title: String
    let value: String
    let type: Attribute.InputType
    /// An explanation, which a problem replaces.
    let note: String?
    let problem: String?
    let isRequired: Bool
    let hasFocus: Bool

    /// - Parameter hasFocus: whether the field gets the focus; one with a problem always does.
    init(
        _ name: String,
        _ title: String,
        value: String = "",
        type: Attribute.InputType = .text,
        note: String? = nil,
        problem: String? = nil,
        isRequired: Bool = false,
        hasFocus: Bool = false
    ) {
        self.name = name
        self.title = title
        self.value = value
        self.type = type
        self.note = note
        self.problem = problem
        self.isRequired = isRequired
        self.hasFocus = hasFocus || problem != nil
    }

    var body: some HTML {
        Field(self.name, self.title, note: self.note, problem: self.problem) {
            input(
                .type(self.type),
                .id(self.name),
                .name(self.name),
                // A page never contains a password.
                self.type == .password ? nil : .value(self.value),
                .autocomplete("off"),
                .describedBy("\(self.name)-note"),
                self.isRequired ? .isRequired : nil,
                self.problem == nil ? nil : .isInvalid,
                self.hasFocus ? .hasFocus : nil
            )
        }
    }
}

/// A field with a menu of values.
struct SelectField: Part {
    let name: String
    let title: String
    let choices: [(value: String, name: String)]
    /// The chosen value; the first one if no choice has it.
    let chosen: String
    let note: String?
    let problem: String?

    init(
        _ name: String,
        _ title: String,
        _ choices: [(value: String, name: String)],
        chosen: String = "",
        note: String? = nil,
        problem: String? = nil
    ) {
        self.name = name
        self.title = title
        self.choices = choices
        self.chosen = chosen
        self.note = note
        self.problem = problem
    }

    var body: some HTML {
        let chosen = self.chosen
        Field(self.name, self.title, note: self.note, problem: self.problem) {
            select(.id(self.name), .name(self.name), .describedBy("\(self.name)-note")) {
                Each(self.choices) { choice in
                    option(.value(choice.value), choice.value == chosen ? .isSelected : nil) { choice.name }
                }
            }
        }
    }
}

/// A text that a person copies, such as an address.
struct ReadOnlyField: Part {
    private let id: String
    private let title: String
    private let value: String
    private let hasFocus: Bool

    init(_ id: String, _ title: String, value: String, hasFocus: Bool = false) {
        self.id = id
        self.title = title
        self.value = value
        self.hasFocus = hasFocus
    }

    var body: some HTML {
        Field(self.id, self.title) {
            input(
                .type(.text),
                .id(self.id),
                .value(self.value),
                .describedBy("\(self.id)-note"),
                .isReadOnly,
                self.hasFocus ? .hasFocus : nil
            )
        }
    }
}
