import RemindavBridge
import RemindavReminders

/// The texts in the forms that connect a server; the passwords are not shown again.
struct ConnectForm: Sendable {
    var address = ""
    var user = ""
    /// The name of the account; empty for the host of the server.
    var name = ""
    var settings = AccountForm()
    /// The password of an encrypted client key.
    var keyPassword: PasswordSource?

    init() {}

    init(_ fields: FormFields) {
        self.address = (fields["address"] ?? "").trimmingWhiteSpace
        self.user = self.isMail ? self.address : ""
        self.name = (fields["account"] ?? "").trimmingWhiteSpace
        self.settings = AccountForm(fields)
        // Without a usable password, the page asks for it.
        self.keyPassword = try? PasswordField.source(fields, "key-password")
    }

    /// Whether the address is an email address, whose domain names the server.
    var isMail: Bool { self.address.contains("@") && !self.address.contains("/") && !self.address.contains(":") }
}
