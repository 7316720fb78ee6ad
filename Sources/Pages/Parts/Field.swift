import RemindavHTML

/// A field of a form: its name, the control, and below it a note or the problem.
///
/// The control needs the identifier ``id``, and `aria-describedby` with the identifier of the note: ``id`` and `-note`.
struct Field<Control: HTML>: Part {
    let id: String
    let name: String
    /// An explanation, which a problem replaces.
    let note: String?
    let problem: String?
    /// The present value, if it was changed elsewhere while the form was open.
    let other: String?
    /// The value of the button `take`, which puts ``other`` into the field; `nil` for a form without this button.
    let takes: String?
    let control: Control

    init(
        _ id: String,
        _ name: String,
        note: String? = nil,
        problem: String? = nil,
        other: String? = nil,
        takes: String? = nil,
        @HTMLBuilder control: () -> Control
    ) {
        self.id = id
        self.name = name
        self.note = note
        self.problem = problem
        self.other = other
        self.takes = takes
        self.control = control()
    }

    var body: some HTML {
        div(.class("field")) {
            label(.for(self.id)) { self.name }
            self.control
            span(.class("err"), .id("\(self.id)-note")) {
                if let problem = self.problem { problem }
                if let other = self.other {
                    "It was changed elsewhere. It is now: "
                    bdi { other.isEmpty ? "none" : other }
                    ". Save again to replace this value."
                }
                if self.problem == nil, self.other == nil, let note = self.note { small { note } }
            }
            if let other = self.other, let takes = self.takes {
                button(.class("button"), .name("take"), .value(takes)) {
                    "Use "
                    bdi { other.isEmpty ? "none" : other }
                }
            }
        }
    }
}
