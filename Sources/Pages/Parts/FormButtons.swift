import RemindavHTML

/// The last line of a form: `Cancel`, which is a link, and the button that sends the form.
struct FormButtons: Part {
    let cancel: Address
    let save: String

    init(cancel: Address, save: String = Words.save.rawValue) {
        self.cancel = cancel
        self.save = save
    }

    var body: some HTML {
        p(.class("bar")) {
            a(.class("button"), .href(self.cancel)) { Words.cancel }
            button(.class("button main-button")) { self.save }
        }
    }
}
