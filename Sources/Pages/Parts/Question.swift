import RemindavHTML

/// The buttons below a question: `Cancel`, which has the focus, and the operation.
struct QuestionButtons<Others: HTML>: Part {
    let action: Address
    let cancel: Address
    /// The name of the operation.
    let operation: String
    let token: String
    let others: Others

    /// - Parameter others: further buttons.
    init(
        _ action: Address,
        cancel: Address,
        _ operation: String,
        _ token: String,
        @HTMLBuilder others: () -> Others = { nil as String? }
    ) {
        self.action = action
        self.cancel = cancel
        self.operation = operation
        self.token = token
        self.others = others()
    }

    var body: some HTML {
        form(.class("bar"), .action(self.action), .isPosted) {
            TokenField(self.token)
            a(.class("button"), .href(self.cancel), .hasFocus) { Words.cancel }
            button(.class("button danger-button")) { self.operation }
            self.others
        }
    }
}
