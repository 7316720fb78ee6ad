import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavSQLiteStore

extension Visit {
    func settings() throws -> Response {
        guard let machine = self.site.access.machine else {
            let screen = PersonSettings(subject: self.request.person?.subject ?? "")
            return try self.show(screen, "Settings", .settings)
        }
        let screen = SettingsScreen(
            settings: machine.computer.settings,
            path: machine.computer.settingsPath,
            browsers: try machine.signIns.browsers(),
            own: try machine.signIns.number(of: self.cookie),
            webAddress: self.site.preferences.webSite?.text,
            dueText: self.dueText,
            token: self.token
        )
        return try self.show(screen, "Settings", .settings)
    }

    /// Signs out one browser or all; the browser of the request may be among them.
    func signOut(_ fields: FormFields) throws -> Response {
        guard let signIns = self.site.access.machine?.signIns else {
            return self.site.message(.notFound, status: 404)
        }
        if fields["add-browser"] != nil { return try self.addBrowser(signIns) }
        let signsOutAll = fields["sign-out"] == "all"
        let number = fields.number("sign-out")
        guard signsOutAll || number != nil else { return self.site.message(.notFound, status: 404) }
        let isOwn = try signsOutAll || number == signIns.number(of: self.cookie)
        _ = try signIns.signOut(number)
        return isOwn ? self.site.signedOut(self.request) : .see(.settings)
    }

    /// Shows an address that signs another browser in, once and within ten minutes.
    private func addBrowser(_ signIns: SignIns) throws -> Response {
        guard let site = self.site.preferences.webSite else { return self.site.message(.notFound, status: 404) }
        let ticket = try signIns.ticket(validSeconds: SignIns.linkSeconds)
        let screen = NewBrowserScreen(address: site.address("/in/\(ticket)"))
        return try self.show(screen, "Sign in another browser", .settings, isSecret: true)
    }

    private var cookie: String { Cookies(self.request.headers)[self.site.cookieName(self.request)] ?? "" }

    /// - Parameter asksServers: whether to run password commands and contact the servers, which may take long.
    func doctor(asksServers: Bool) async throws -> Response {
        guard let machine = self.site.access.machine else { return self.site.message(.notFound, status: 404) }
        let findings = await machine.computer.findings(asksServers)
        let screen = DoctorScreen(findings: findings, hasAsked: asksServers, token: self.token)
        return try self.show(screen, "Diagnostics", .settings)
    }
}

/// The settings of a person of a host: nothing of the machine.
struct PersonSettings: Part {
    let subject: String

    var body: some HTML {
        h1 { "Settings" }
        p(.class("links")) {
            a(.class("button"), .href(.importing)) { "Import" }
            " "
            a(.class("button"), .href(.export)) { "Export" }
        }
        p {
            "You are signed in as "
            bdi { self.subject }
            "."
        }
    }
}

/// The settings with their origin, and the signed-in browsers.
struct SettingsScreen: Part {
    let settings: [Computer.Setting]
    /// The path of the settings file; `nil` without a home folder.
    let path: String?
    let browsers: [SignInFile.Browser]
    /// The number of the browser that shows the page.
    let own: Int64?
    /// The public address of the pages; `nil` for none.
    let webAddress: String?
    let dueText: DueText
    let token: String

    var body: some HTML {
        let (dueText, own) = (self.dueText, self.own)
        h1 { "Settings" }
        p(.class("links")) {
            a(.class("button"), .href(.importing)) { "Import" }
            " "
            a(.class("button"), .href(.export)) { "Export" }
            " "
            a(.class("button"), .href(.doctor)) { "Diagnostics" }
        }
        h2 { "Signed-in browsers (\(self.browsers.count))" }
        form(.action(.settings), .isPosted) {
            TokenField(self.token)
            ul(.class("rows card"), .role(.list)) {
                Each(self.browsers) { browser in
                    li(.class("row")) {
                        div(.class("open")) {
                            span {
                                bdi { browser.name }
                                if browser.id == own { ", this browser" }
                            }
                            small {
                                "signed in \(dueText.moment(Instant(secondsSince1970: browser.created))), last used "
                                dueText.day(Instant(secondsSince1970: browser.lastUsed))
                            }
                        }
                        button(
                            .class("button"),
                            .name("sign-out"),
                            .value(String(browser.id)),
                            .label("Sign out: \(browser.name), number \(browser.id)")
                        ) { "Sign out" }
                    }
                }
            }
            p { button(.class("button"), .name("sign-out"), .value("all")) { "Sign out all" } }
            if let address = self.webAddress {
                p {
                    "Browsers on other devices can use the pages at "
                    bdi { address }
                    "."
                }
                p { button(.class("button"), .name("add-browser"), .value("1")) { "Sign in another browser" } }
            }
        }
        h2 { "Values" }
        p {
            "This server was started with these values. You can change them with the command "
            "'remindav config set NAME VALUE'"
            if let path = self.path {
                ", or in the file "
                bdi { path }
            }
            ". After a change, start the server again."
        }
        ul(.class("rows card"), .role(.list)) {
            Each(self.settings) { setting in
                li(.class("row")) {
                    div(.class("open")) {
                        span {
                            "\(setting.name) = "
                            bdi { setting.value ?? "not set" }
                        }
                        small {
                            "\(setting.meaning). From: "
                            bdi { setting.origin }
                        }
                    }
                }
            }
        }
    }
}

/// The address that signs another browser in.
struct NewBrowserScreen: Part {
    let address: String

    var body: some HTML {
        h1 { "Sign in another browser" }
        p { "Open this address in the other browser within 10 minutes. It signs in one browser." }
        div(.class("card form")) {
            ReadOnlyField("address", "Address", value: self.address, hasFocus: true)
        }
        p { a(.class("button main-button"), .href(.settings)) { "Settings" } }
    }
}

/// The results of the checks of the installation.
struct DoctorScreen: Part {
    let findings: [Computer.Finding]
    /// Whether the servers were asked.
    let hasAsked: Bool
    let token: String

    private var summary: String {
        let problems = self.findings.count { $0.level == .problem }
        let warnings = self.findings.count { $0.level == .warning }
        if problems + warnings == 0 { return "No problem was found." }
        let words = [(problems, "problem"), (warnings, "warning")].filter { $0.0 > 0 }.map { count, word in
            count == 1 ? "1 \(word)" : "\(count) \(word)s"
        }
        return "\(words.joined(separator: " and ")) \(problems + warnings == 1 ? "was" : "were") found."
    }

    var body: some HTML {
        h1 { "Diagnostics" }
        p(.role(.status)) { self.summary }
        ul(.class("rows card"), .role(.list)) {
            Each(self.findings) { finding in
                li(.class("row")) {
                    div(.class("open")) {
                        span(finding.level == .ok ? nil : .class("overdue")) {
                            "\(finding.level.rawValue): \(finding.topic)"
                        }
                        small { bdi { finding.sentence } }
                    }
                }
            }
        }
        form(.action(.doctor), .isPosted) {
            TokenField(self.token)
            p {
                self.hasAsked
                    ? "The password commands were run and the servers were asked."
                    : "The servers were not asked. The check of them also runs password commands."
            }
            button(.class("button")) { self.hasAsked ? "Check again" : "Also check the servers" }
        }
        p { a(.href(.settings)) { "Settings" } }
    }
}
