import RemindavBridge
import RemindavHTML

/// The first step: the address of the server.
struct AddressScreen: Part {
    let values: ConnectForm
    let problem: String?
    let settings: [AccountSetting: String]
    let token: String

    var body: some HTML {
        let values = self.values
        h1 { "Connect a server" }
        p { "Nextcloud, or another server with CalDAV. The next step asks for the sign-in." }
        form(.class("card form"), .action(.connect), .isPosted, .isUnchecked) {
            TokenField(self.token)
            TextField(
                "address",
                "Address of the server, or your email address",
                value: values.address,
                note: "such as cloud.example.org, https://dav.example.org/ or ada@example.org",
                problem: self.problem,
                isRequired: true,
                hasFocus: true
            )
            details(self.settings.isEmpty ? nil : .isOpen) {
                summary { "More settings" }
                TextField("account", "Name of the account", value: values.name, note: "empty: the host of the server")
                AccountFields(values: values.settings, problems: self.settings)
                TextField(
                    "key-password",
                    "Password of the client key",
                    type: .password,
                    note: "only for an encrypted key"
                )
            }
            FormButtons(cancel: .sync, save: "Continue")
        }
    }
}

/// A form with one of the decisions of an attempt.
private struct StepForm<Content: HTML>: Part {
    let id: String
    let token: String
    let content: Content

    init(_ id: String, _ token: String, @HTMLBuilder content: () -> Content) {
        self.id = id
        self.token = token
        self.content = content()
    }

    var body: some HTML {
        form(.class("card form"), .action(.connect(self.id)), .isPosted, .isUnchecked) {
            TokenField(self.token)
            self.content
        }
    }
}

/// The page while the server is asked.
struct AskingScreen: Part {
    let id: String
    let address: String
    let token: String

    var body: some HTML {
        h1 { "Connect a server" }
        p(.role(.status)) {
            "The server is being asked: "
            bdi { self.address }
        }
        p { a(.class("button main-button"), .href(.connect(self.id))) { "Continue" } }
        StepForm(self.id, self.token) { button(.class("button"), .name("do"), .value("cancel")) { "Cancel" } }
    }
}

/// The sign-in with a user name and a password.
struct SignInScreen: Part {
    let id: String
    let values: ConnectForm
    let problem: String?
    let token: String

    var body: some HTML {
        let values = self.values
        h1 { "Sign in" }
        p {
            "The account on "
            bdi { values.address }
        }
        StepForm(self.id, self.token) {
            TextField("user", "User name", value: values.user, isRequired: true, hasFocus: values.user.isEmpty)
            TextField(
                "password",
                "Password",
                type: .password,
                note: "If the server uses two-factor authentication, enter an app password that you create there.",
                problem: self.problem,
                isRequired: true,
                hasFocus: !values.user.isEmpty
            )
            p(.class("bar")) {
                // The first button is the one that Enter presses.
                button(.class("button main-button"), .name("do"), .value("password")) { "Continue" }
                button(.class("button"), .name("do"), .value("address")) { "Change the address" }
                button(.class("button"), .name("do"), .value("cancel")) { "Cancel" }
            }
        }
    }
}

/// The sign-in on the page of the server itself (Nextcloud Login Flow v2).
struct GrantScreen: Part {
    let id: String
    let page: ForeignAddress?
    let token: String

    var body: some HTML {
        h1 { "Sign in on the server" }
        p { "Open the page of the server, sign in there, and grant the access. Then come back and continue here." }
        if let page = self.page {
            p {
                a(.class("button main-button"), .href(page), .isForeign, .opensTab) {
                    "Open the page of the server (in a new tab)"
                }
            }
        }
        p { a(.class("button"), .href(.connect(self.id))) { "Continue" } }
        StepForm(self.id, self.token) {
            p(.class("bar")) {
                button(.class("button"), .name("do"), .value("password")) { "Use a user name and a password" }
                button(.class("button"), .name("do"), .value("cancel")) { "Cancel" }
            }
        }
    }
}

/// The question whether another host gets the user name and the password.
struct OtherHostScreen: Part {
    let id: String
    let host: String
    let token: String

    var body: some HTML {
        h1 { "Another host" }
        p {
            "The account is on another host, "
            bdi { self.host }
            ". Do you want to send the user name and the password to this host?"
        }
        StepForm(self.id, self.token) {
            p(.class("bar")) {
                button(.class("button"), .name("do"), .value("cancel"), .hasFocus) { "Cancel" }
                button(.class("button danger-button"), .name("do"), .value("host")) { "Send them to this host" }
            }
        }
    }
}

/// The last step: which lists are connected, and which one is the default list.
struct ChoiceScreen: Part {
    let id: String
    let found: FoundAccount
    /// The lists of the store that can be the default list.
    let existing: [ListView]
    let problem: String?
    let token: String

    private var choices: [(value: String, name: String)] {
        let current = self.existing.filter(\.isDefault) + self.existing.filter { !$0.isDefault }
        return [(value: "", name: "as it is now")] + current.map { (value: "existing \($0.name)", name: $0.name) }
            + self.found.lists.enumerated().filter { !$0.element.isReadOnly }
            .map { (value: "found \($0.offset)", name: "\($0.element.name) (new)") }
    }

    var body: some HTML {
        let found = self.found
        h1 { "Choose the lists" }
        ProblemLine(self.problem)
        p {
            "Account "
            bdi { found.name }
            ", user "
            bdi { found.user }
        }
        if let forbidden = found.forbidden {
            p {
                "The server denies this user access to "
                bdi { forbidden }
                ". The lists below are those of the account itself."
            }
        }
        StepForm(self.id, self.token) {
            if found.lists.isEmpty {
                p { "The account has no list for reminders yet. You can create one on the page Lists." }
            } else {
                fieldset {
                    legend { "Lists" }
                    Each(Array(found.lists.enumerated())) { index, list in
                        label(.class("choice")) {
                            input(.type(.checkbox), .name("list"), .value(String(index)), .isChecked)
                            " "
                            bdi { list.name }
                            if let count = list.count { ", \(count.counted("item"))" }
                            if list.isReadOnly { ", read-only" }
                        }
                    }
                }
                SelectField("default", "Default list for new reminders", self.choices)
            }
            p(.class("bar")) {
                button(.class("button main-button"), .name("do"), .value("connect")) { "Connect" }
                button(.class("button"), .name("do"), .value("cancel")) { "Cancel" }
            }
        }
    }
}
