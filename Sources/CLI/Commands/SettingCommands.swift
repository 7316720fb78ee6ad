import RemindavBridge
import RemindavJSON
import RemindavPlatform
import RemindavReminders

struct GetSetting: Command {
    static let page = CommandPage(
        name: "config get",
        summary: "Print the value of one setting",
        operands: [.setting],
        options: [.json],
        details: "Without a value, nothing is printed, and the status is 4.",
        examples: ["remindav config get due-time": "prints 09:00"],
        exits: [.notFound]
    )

    static let needsSettings = false
    let setting: Setting

    init(_ arguments: inout Arguments) throws(UsageError) { self.setting = try .read(&arguments) }

    func run(in context: Context) async throws -> ExitStatus {
        let row = EffectiveSetting(self.setting, context.options, context.environment)
        let status = try context.answer(row) { output in if let value = row.value { try output.print("\(value)") } }
        guard context.complain(about: context.options.file) else { return .usage }
        return row.value == nil ? .notFound : status
    }
}

struct ChangeSetting: Command {
    static let page = CommandPage(
        name: "config set",
        summary: "Write a setting into the settings file",
        operands: [.setting, Operand("VALUE", .once, "The value as in the file, see 'remindav help config'")],
        options: [.json],
        details: """
            The line of the setting gets the new value; without such a line, a new line is added
            at the end. All other lines and comments keep their bytes. A missing file is created
            so that only you can read it. A link stays a link. An invalid value changes nothing.
            """,
        examples: [
            "remindav config set due none": "new reminders get no date",
            "remindav config set filter.hot '--priority high --due-before friday'": "saves a filter for 'list hot'",
            "remindav config set filter.next '+home p1'": "saves a filter with the short words",
            #"remindav config set muted-lists '["Work", "Old"]'"#: "mutes two lists",
        ]
    )

    static let needsSettings = false
    /// In `config set filter.od --overdue`, the second word is the value, unless it is an option of this command.
    static func marked(_ words: [String]) -> [String] {
        guard words.count > 1, !words[0].hasPrefix("-"), words[1].hasPrefix("--"), words[1] != "--",
            !(Self.page.options + GlobalOptions.table).contains(where: { words[1].hasPrefix($0.name) })
        else { return words }
        return [words[0]] + words[2...] + ["--", words[1]]
    }

    let setting: Setting
    let value: String

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.setting = try .read(&arguments)
        self.value = try arguments.operand("VALUE")
        if self.value.unicodeScalars.contains(where: Sanitizer.isDangerous) {
            throw UsageError(.badValue, "The value contains a line break or an invisible character. Type it again.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        try context.edit(self.setting) { editor in editor.set(self.setting.name, to: self.value) }
    }
}

struct RemoveSetting: Command {
    static let page = CommandPage(
        name: "config unset",
        summary: "Remove a setting from the settings file",
        operands: [.setting],
        options: [.json],
        details: "The default then applies. All other lines and comments keep their bytes.",
        examples: ["remindav config unset due": "new reminders are due tomorrow again"]
    )

    static let needsSettings = false
    let setting: Setting

    init(_ arguments: inout Arguments) throws(UsageError) { self.setting = try .read(&arguments) }

    func run(in context: Context) async throws -> ExitStatus {
        try context.edit(self.setting) { editor in
            _ = editor.unset(self.setting.name)
            return nil
        }
    }
}

extension Operand {
    fileprivate static let setting = Operand("NAME", .once, "The name of a setting, see 'remindav help config'")
}

extension Setting {
    fileprivate static func read(_ arguments: inout Arguments) throws(UsageError) -> Setting {
        let name = try arguments.operand("NAME")
        guard let setting = Self.named(name) else { throw SettingsFile.unknown(name) }
        return setting
    }
}

extension Context {
    /// Edits the settings file and prints the new value of the setting.
    /// - Parameter edit: returns the number of the line that it has written; `nil` if it wrote none.
    fileprivate func edit(_ setting: Setting, _ edit: (inout SettingsEditor) -> Int?) throws -> ExitStatus {
        guard let path = SettingsFile.path(option: self.options.config, environment: self.environment) else {
            throw UsageError(.badValue, "There is no home folder for the settings. Set HOME, or use --config FILE.")
        }
        let old = try SettingsFile.bytes(
            option: self.options.config,
            self.environment,
            from: self.files.plainSource
        )
        var editor = SettingsEditor(old ?? [])
        let line = edit(&editor)
        let bytes = editor.bytes
        guard bytes.count <= SettingsFile.maximumBytes else { throw FileError(code: .tooLarge, path: path) }
        let home = self.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let file = SettingsFile(bytes, path: path, home: home)
        if let issue = file.issues.first(where: { $0.line == line && line != nil }) {
            throw UsageError(.badValue, "\(issue.sentence) Nothing was changed.", command: ShowSettings.page.name)
        }
        if bytes != old ?? [] {
            try self.files.preparePrivate(path)
            try self.files.replace(path) { write in try write(bytes) }
        }
        var options = self.options
        options.file = file
        let row = EffectiveSetting(setting, options, self.environment)
        _ = try self.answer(row, note: StyledText(self.words(row, isSet: line != nil, isChanged: bytes != old ?? [])))
        if line != nil, row.origin.kind != "file" {
            self.output.remark(StyledText("\(row.origin.place) takes precedence, so the value in use stays."))
        }
        _ = self.complain(about: file)
        return .success
    }

    private func words(_ row: EffectiveSetting, isSet: Bool, isChanged: Bool) -> String {
        let value = row.value.map { Sanitizer.line($0) } ?? "not set"
        if isSet { return "\(isChanged ? "Set" : "Already set:") \(row.name) = \(value) (\(row.origin.place))" }
        return isChanged ? "Removed \(row.name); it is now \(value)" : "\(row.name) is not in the settings file"
    }

    /// - Returns: whether the file has no invalid line.
    fileprivate func complain(about file: SettingsFile) -> Bool {
        for error in file.errors.prefix(Self.shownIssues) { self.output.complain(ErrorMessages.explain(error)) }
        return file.issues.isEmpty
    }

    /// The maximum number of printed issues, enough for one round of corrections.
    private static let shownIssues = 20
}
