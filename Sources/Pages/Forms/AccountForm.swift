import RemindavBridge
import RemindavReminders

/// The texts of the settings of an account in a form.
struct AccountForm: Hashable, Sendable {
    /// The text of each setting; `none` and an empty text stand for the value of a new account.
    private var texts: [AccountSetting: String] = [:]

    init() {}

    init(_ account: AccountView) { self.texts = account.settings }

    init(_ fields: FormFields) {
        for setting in AccountSetting.allCases {
            self.texts[setting] = fields[setting.field].map(\.trimmingWhiteSpace)
        }
    }

    subscript(setting: AccountSetting) -> String {
        get { self.texts[setting] ?? "" }
        set { self.texts[setting] = newValue }
    }

    /// The settings with a text, for a new account.
    var values: [AccountSetting: String] { self.texts.filter { !$0.value.isEmpty && $0.value != "none" } }

    /// The digests of the settings for the page of an account.
    var digests: FormDigests { FormDigests(AccountSetting.allCases.map { self[$0] }) }

    /// The settings that were changed in the form and have another value than those of an account.
    ///
    /// An empty text clears a setting. A setting that was changed elsewhere while the form was open keeps that value,
    /// unless the form changes it too.
    func changes(of account: AccountView, shown: FormFields) -> [AccountSetting: String] {
        let shown = FormDigests(shown["was"], count: AccountSetting.allCases.count)
        var changes: [AccountSetting: String] = [:]
        for (position, setting) in AccountSetting.allCases.enumerated() {
            guard let text = self.texts[setting], shown?.match(position, text) != true else { continue }
            let value = text.isEmpty ? "none" : text
            if value != account.settings[setting] ?? "none" { changes[setting] = value }
        }
        return changes
    }

    /// The settings whose texts cannot be used, with the reason.
    ///
    /// - Parameter error: the error of a use case; `nil` before the texts are passed on.
    func problems(_ error: UseCaseError? = nil) -> [AccountSetting: String] {
        var problems: [AccountSetting: String] = [:]
        for (setting, text) in self.values {
            if setting.isPath, !text.hasPrefix("/") {
                problems[setting] = "Enter the whole path, which begins with '/'."
            }
            switch error?.code {
            case .fileNotReadable where setting.isPath && text == error?.subject,
                .badSetting where error?.subject == "--\(setting.rawValue) \(text)":
                problems[setting] = setting.isPath ? ErrorWords(error ?? UseCaseError(.badSetting)).text : setting.rule
            default: break
            }
        }
        return problems
    }
}

extension AccountSetting {
    /// The identifier of the field in a form.
    var field: String { "setting-\(self.rawValue)" }

    /// The name of the field.
    var fieldName: String {
        switch self {
        case .caFile: "Certificate authorities"
        case .clientCertificate: "Client certificate"
        case .clientKey: "Key of the client certificate"
        case .trustKey: "Trusted key of the server"
        case .allowInsecure: "Send the password over plain HTTP"
        case .conflicts: "Side that wins if both changed the same field"
        case .completes: "Completion of a repeating reminder"
        case .syncInterval: "Sync in the background every"
        }
    }

    /// The note below the field.
    var rule: String {
        switch self {
        case .caFile: "The path of a PEM file with authorities to trust, too"
        case .clientCertificate: "The path of a PEM file"
        case .clientKey: "The path of a PEM file, if the key is in another file"
        case .trustKey: "A key in the form sha256//…; then only a server with this key is accepted"
        case .allowInsecure: "Only in a network that you trust"
        case .conflicts: "The page Conflicts shows the other value"
        case .completes: "roll moves it to its next date and adds a completed copy; override does as Thunderbird does"
        case .syncInterval: "1m to 24h, or never; empty: the setting 'sync-interval'"
        }
    }
}
