import RemindavBridge
import RemindavHTML

/// The fields for the settings of an account.
struct AccountFields: Part {
    let values: AccountForm
    let problems: [AccountSetting: String]

    var body: some HTML {
        let (values, problems) = (self.values, self.problems)
        Each(AccountSetting.allCases) { setting in
            let problem = problems[setting]
            if let choices = setting.choices {
                SelectField(
                    setting.field,
                    setting.fieldName,
                    [(value: "none", name: "Standard")] + choices.map { (value: $0, name: $0) },
                    chosen: values[setting],
                    note: setting.rule,
                    problem: problem
                )
            } else {
                TextField(
                    setting.field,
                    setting.fieldName,
                    value: values[setting],
                    note: setting.rule,
                    problem: problem
                )
            }
        }
    }
}

/// The settings and the password of an account, with links to its certificate and its removal.
struct AccountPage: Part {
    let account: AccountView
    let values: AccountForm
    let problems: [AccountSetting: String]
    let passwordProblem: String?
    let pageProblem: String?
    let note: NoteLine
    let token: String

    var body: some HTML {
        let account = self.account
        h1 { bdi { account.name } }
        self.note
        ProblemLine(self.pageProblem)
        p {
            bdi { account.user }
            " on "
            bdi { account.address }
            ". The password is \(account.passwordOrigin)."
        }
        h2 { "Settings" }
        form(.class("card form"), .action(.account(account.name)), .isPosted, .isUnchecked) {
            TokenField(self.token)
            input(.type(.hidden), .name("was"), .value(AccountForm(account).digests.text))
            AccountFields(values: self.values, problems: self.problems)
            FormButtons(cancel: .sync)
        }
        h2 { "New password" }
        form(.class("card form"), .action(.account(account.name, "password")), .isPosted, .isUnchecked) {
            TokenField(self.token)
            TextField(
                "password",
                "Password",
                type: .password,
                note: "It is tried first; then it replaces the old one.",
                problem: self.passwordProblem
            )
            p(.class("bar")) {
                button(.class("button main-button"), .name("of"), .value("account")) { "Change the password" }
                if account.settings[.clientCertificate] != nil {
                    button(.class("button"), .name("of"), .value("key")) { "Change the password of the client key" }
                }
            }
        }
        p { a(.class("button"), .href(.account(account.name, "certificate"))) { "Certificate of the server" } }
        p { a(.class("button danger-button"), .href(.account(account.name, "remove"))) { "Remove Account" } }
    }
}

/// The certificate of a server, with the question whether to trust its key.
struct CertificatePage: Part {
    let certificate: CertificateView
    let action: Address
    let back: Address
    let isTrusted: Bool
    let token: String

    private var rows: [(name: String, value: String)] {
        let certificate = self.certificate
        return [
            ("Server", certificate.address), ("Names", certificate.subject), ("Signed by", certificate.issuer),
            ("Valid", "\(certificate.validFrom) to \(certificate.validUntil)"),
            ("Fingerprint", "SHA-256 \(certificate.fingerprint)"), ("Key", certificate.key),
        ]
    }

    var body: some HTML {
        h1 { "Certificate" }
        ul(.class("card"), .role(.list)) {
            Each(self.rows) { row in
                li {
                    "\(row.name): "
                    bdi { row.value }
                }
            }
        }
        p {
            "Compare the fingerprint on the server itself: openssl x509 -in CERTIFICATE -noout -fingerprint -sha256. With "
            "a trusted key, the account accepts only a server with this key."
        }
        form(.class("bar"), .action(self.action), .isPosted) {
            TokenField(self.token)
            input(.type(.hidden), .name("key"), .value(self.certificate.key))
            a(.class("button"), .href(self.back), .hasFocus) { "Cancel" }
            if self.isTrusted {
                span { "This key is trusted." }
            } else {
                button(.class("button danger-button"), .name("do"), .value("trust")) { "Trust this key" }
            }
        }
    }
}

/// The question before an account is removed.
struct AccountRemovalQuestion: Part {
    let account: AccountView
    /// Whether the removal may lose text that no server has.
    let isAtRisk: Bool
    let unsent: Int
    let token: String

    var body: some HTML {
        let account = self.account
        h1 { "Remove Account" }
        p {
            "Are you sure you want to remove '"
            bdi { account.name }
            "' with \(account.lists.count.counted("list")) from this computer? The lists stay on the server."
        }
        form(.class("form"), .action(.account(account.name, "remove")), .isPosted) {
            TokenField(self.token)
            if self.isAtRisk {
                CheckBox(
                    "discard",
                    "Discard the data that the server does not have (\(self.unsent.counted("unsent change"))); changed "
                        + "reminders move to the trash",
                    isOn: false
                )
            }
            p(.class("bar")) {
                a(.class("button"), .href(.account(account.name)), .hasFocus) { "Cancel" }
                button(.class("button danger-button")) { "Remove" }
            }
        }
    }
}
