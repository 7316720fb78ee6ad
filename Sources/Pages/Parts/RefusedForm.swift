import RemindavHTML

/// The fields of a form that was refused, hidden in a form that sends them once more.
struct HiddenFields: Part {
    private let fields: [(name: String, value: String)]

    init(_ fields: [(name: String, value: String)]) { self.fields = fields }

    var body: some HTML {
        Each(self.fields) { field in input(.type(.hidden), .name(field.name), .value(field.value)) }
    }
}

/// A page for a form that was sent without a valid sign-in: it keeps the typed text, and writes nothing.
struct RefusedForm: Part {
    let message: Message
    /// The address of the refused form.
    let address: Address
    let fields: [(name: String, value: String)]
    /// The token of the present sign-in; `nil` without one.
    let token: String?

    var body: some HTML {
        h1 { self.message.title }
        Each(self.message.sentences) { sentence in p { sentence } }
        form(.action(self.address), .isPosted) {
            // A page never contains a password; the form asks for it again.
            HiddenFields(self.fields.filter { $0.name != "token" && !$0.name.contains("password") })
            TokenField(self.token ?? "")
            button(.class("button main-button"), .hasFocus) { "Send again" }
        }
        p { "Nothing is lost: this page keeps your text, except passwords." }
    }
}
