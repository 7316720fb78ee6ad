import Bridge

/// The options that set something for an account: one for each row of ``AccountSetting``.
enum SettingOptions {
    static let options = AccountSetting.allCases.map { setting in
        Option(setting.option, value: setting.valueName, lines: setting.help)
    }

    /// The values that were given; a file's path from the root on.
    static func read(_ arguments: inout Arguments) -> [AccountSetting: String] {
        var values: [AccountSetting: String] = [:]
        for setting in AccountSetting.allCases {
            guard let value = arguments.value(setting.option) else { continue }
            values[setting] = setting.isPath && value != "none" ? System.absolute(value) : value
        }
        return values
    }
}

extension AccountSetting {
    /// As it is written on the command line.
    var option: String { "--\(self.rawValue)" }
}

struct SetAccount: Command {
    static let page = CommandPage(
        name: "account set",
        group: .servers,
        summary: "Change the settings of an account",
        usage: ["[NAME] SETTINGS [--json]"],
        operands: [Operand("NAME", .optional, "The account; optional if there is only one")],
        options: SettingOptions.options + [.json],
        details: ["The value 'none' clears a setting. The server is not contacted."],
        examples: [
            .init("remindav account set nas --ca-file /etc/ssl/home-ca.pem", "trusts a private certificate authority"),
            .init("remindav account set nas --trust-key none", "verifies the certificate by authorities again"),
        ],
        exits: [.notFound]
    )

    let name: String?
    let settings: [AccountSetting: String]
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = arguments.optionalOperand()
        self.settings = SettingOptions.read(&arguments)
        self.isJSON = arguments.flag("--json")
        if self.settings.isEmpty {
            let names = AccountSetting.allCases.map(\.option).joined(separator: ", ")
            throw UsageError(.nothingToChange, "There is nothing to set: give one of \(names).")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let account = try context.useCases().set(self.settings, for: self.name)
        if self.isJSON {
            try context.output.print(json: account)
        } else {
            try context.output.note("Changed the account \(Sanitizer.line(account.name))")
        }
        return .success
    }
}
