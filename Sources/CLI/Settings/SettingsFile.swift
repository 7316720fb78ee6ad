import RemindavBridge
import RemindavDatePhrases
import RemindavPlatform
import RemindavReminders

struct SettingsIssue: Hashable, Sendable {
    /// The number of the line, counted from 1; `nil` for a file that cannot be read.
    let line: Int?
    /// The problem and the advice; if `line` is `nil`, also the name of the file.
    let sentence: String
}

struct SettingsError: Error, Hashable, Sendable {
    let path: String
    let issue: SettingsIssue
    /// The number of other invalid lines.
    var others = 0

    /// The error as `/home/ada/.config/remindav/config:7: There is no setting 'lst'`.
    var description: String {
        let place = self.issue.line.map { "\(Sanitizer.line(self.path)):\($0): " } ?? ""
        return place + Sanitizer.line(self.issue.sentence)
    }
}

/// The settings file: lines of `NAME = VALUE` (docs/decisions/0022-settings-file-format.md).
struct SettingsFile: Hashable, Sendable {
    /// The path of the file; `nil` without a home folder.
    let path: String?
    var exists = false
    var settings = Settings()
    /// The number of the line of each setting, by the name of the setting.
    var lines: [String: Int] = [:]
    var issues: [SettingsIssue] = []

    /// The maximum size of the file in bytes; a file with all settings and a comment for each has about 2 KiB.
    static let maximumBytes = 64 * 1024

    static let absent = Self(path: nil)

    /// The error of commands that need valid settings; `nil` if all lines are valid.
    var error: SettingsError? {
        guard let issue = self.issues.first, let path else { return nil }
        return SettingsError(path: path, issue: issue, others: self.issues.count - 1)
    }

    var errors: [SettingsError] { self.issues.map { SettingsError(path: self.path ?? "", issue: $0) } }

    /// The path from the option, from REMINDAV_CONFIG, or by the XDG Base Directory Specification, in this order.
    static func path(option: String?, environment: [String: String]) -> String? {
        if let path = option ?? environment.variable("REMINDAV_CONFIG") { return path }
        return environment.baseFolder("XDG_CONFIG_HOME", else: ".config").map { "\($0)/remindav/config" }
    }

    /// - Throws: `FileError` if the file cannot be read, or if the user named a file that does not exist.
    static func read(
        option: String?,
        _ environment: [String: String],
        from open: (_ path: String) throws -> ByteSource
    ) throws -> Self {
        try self.parse(self.bytes(option: option, environment, from: open), option: option, environment)
    }

    /// The content of the file; `nil` if it does not exist.
    static func bytes(
        option: String?,
        _ environment: [String: String],
        from open: (_ path: String) throws -> ByteSource
    ) throws -> [UInt8]? {
        guard let path = self.path(option: option, environment: environment) else { return nil }
        do {
            return try open(path).contents(limit: Self.maximumBytes)
        } catch let error as FileError where error.code == .notFound {
            return nil
        }
    }

    /// - Parameter bytes: the content; `nil` if the file does not exist, which is an error if the user named the file.
    static func parse(_ bytes: [UInt8]?, option: String?, _ environment: [String: String]) throws(FileError) -> Self {
        guard let path = self.path(option: option, environment: environment) else { return .absent }
        guard let bytes else {
            let isNamed = path == option || path == environment["REMINDAV_CONFIG"]
            if isNamed { throw FileError(code: .notFound, path: path) }
            return Self(path: path)
        }
        return Self(bytes, path: path, home: environment["HOME"].flatMap { $0.isEmpty ? nil : $0 })
    }

    static func unreadable(path: String?, sentence: String) -> Self {
        var file = Self(path: path)
        file.exists = true
        file.issues = [SettingsIssue(line: nil, sentence: sentence)]
        return file
    }
}

extension SettingsFile {
    // file = *( [ setting / comment ] line-end )
    // setting = name "=" value;  comment = "#" *anything;  spaces around name and value are ignored
    // An invalid line becomes an issue, and the other lines are used.
    init(_ bytes: [UInt8], path: String, home: String?) {
        self.init(path: path)
        self.exists = true
        // Some editors write a byte order mark.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            do throws(UsageError) {
                try self.readLine(line, number: index + 1, home: home)
            } catch {
                self.issues.append(SettingsIssue(line: index + 1, sentence: error.sentence))
            }
        }
    }

    private mutating func readLine(_ bytes: ArraySlice<UInt8>, number: Int, home: String?) throws(UsageError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(.badValue, "This line is not UTF-8. Save the file as UTF-8.")
        }
        let line = text.trimmingWhiteSpace
        if line.isEmpty || line.hasPrefix("#") { return }
        guard let name = Self.name(of: line), let equals = line.firstIndex(of: "=") else {
            throw UsageError(.badValue, "A line must be 'NAME = VALUE'. A comment begins with '#'.")
        }
        guard let setting = Setting.named(name) else { throw Self.unknown(name) }
        if let first = self.lines[name] {
            throw UsageError(.badValue, "'\(name)' is already set in line \(first). Remove one of the two lines.")
        }
        let value = Self.unquoted(String(line[line.index(after: equals)...]).trimmingWhiteSpace)
        if value.isEmpty {
            throw UsageError(.badValue, "'\(name)' has no value. Remove the line to use the default.")
        }
        if value.unicodeScalars.contains(where: { Sanitizer.isDangerous($0) }) {
            throw UsageError(.badValue, "The value of '\(name)' contains an invisible character. Type it again.")
        }
        try setting.read(SettingValue(name: name, text: value, home: home), &self.settings)
        self.lines[name] = number
    }

    /// The name that a line without surrounding spaces sets; `nil` for any other line.
    static func name(of line: String) -> String? {
        guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { return nil }
        return String(line[..<equals]).trimmingWhiteSpace
    }

    private static func unquoted(_ value: String) -> String {
        let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
        return isQuoted ? String(value.dropFirst().dropLast()) : value
    }

    static func unknown(_ name: String) -> UsageError {
        if let present = Setting.renamed[name] {
            return UsageError(.badValue, "The setting '\(name)' is now called '\(present)'. Rename it in this line.")
        }
        if name.hasPrefix(Setting.filterPrefix) {
            return UsageError(
                .badValue,
                "'\(Sanitizer.excerpt(name))' is not a name for a saved filter. Use small letters, digits, '-' and '_', "
                    + "but not the name of a section."
            )
        }
        let guess = Spelling.nearest(to: name, among: Setting.all.map(\.name)).map { " Did you mean '\($0)'?" }
        return UsageError(
            .badValue,
            "There is no setting '\(Sanitizer.excerpt(name))'."
                + (guess ?? " 'remindav help config' lists all of them.")
        )
    }
}
