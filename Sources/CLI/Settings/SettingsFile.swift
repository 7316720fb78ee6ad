import Bridge
import Platform

/// A line of the settings file that cannot be used, or all of it.
struct SettingsIssue: Hashable, Sendable {
    /// Counted from 1; `nil` for a file that cannot be read.
    let line: Int?
    /// Whole sentences: what is wrong, and what would be right; they name the file when there is no line.
    let sentence: String
}

/// Settings cannot be taken from a file with such a line.
struct SettingsError: Error, Hashable, Sendable {
    let path: String
    let issue: SettingsIssue
    /// How many more lines cannot be used.
    var others = 0

    /// The place and what is wrong there.
    ///
    /// `/home/ada/.config/remindav/config:7: There is no setting 'lst'.`
    var description: String {
        let place = self.issue.line.map { "\(Sanitizer.line(self.path)):\($0): " } ?? ""
        return place + Sanitizer.line(self.issue.sentence)
    }
}

/// The file with a person's settings: lines of `NAME = VALUE`; docs/decisions/0022-settings-file-format.md says why.
struct SettingsFile: Hashable, Sendable {
    /// As it was named, or found; `nil` when there is not even a home folder to look in.
    let path: String?
    /// Whether it is there.
    var exists = false
    var settings = Settings()
    /// The line in which each was set.
    var lines: [SettingKey: Int] = [:]
    /// What cannot be used, in the order of the lines.
    var issues: [SettingsIssue] = []

    /// A file with all settings and a remark for each has some 2 KiB; what is larger is another file.
    static let maximumBytes = 64 * 1024

    /// No file, nothing set.
    static let absent = Self(path: nil)

    /// The error that a command ends with which needs the settings; `nil` when all lines can be used.
    var error: SettingsError? {
        guard let issue = self.issues.first, let path else { return nil }
        return SettingsError(path: path, issue: issue, others: self.issues.count - 1)
    }

    /// The same for each of the issues.
    var errors: [SettingsError] { self.issues.map { SettingsError(path: self.path ?? "", issue: $0) } }

    /// Where it is: the option, else REMINDAV_CONFIG, else `remindav/config` in the configuration folder of the XDG Base
    /// Directory Specification.
    ///
    /// `nil` when there is not even a home folder.
    static func path(option: String?, environment: [String: String]) -> String? {
        if let path = option ?? environment.variable("REMINDAV_CONFIG") { return path }
        return environment.baseFolder("XDG_CONFIG_HOME", else: ".config").map { "\($0)/remindav/config" }
    }

    /// The file that the options or the environment name, read.
    ///
    /// - Parameter open: opens it; `nil` for the way in which any other file is opened.
    /// - Throws: `FileError` when it is there and cannot be read, or was named and is not there.
    static func read(
        _ options: GlobalOptions,
        in context: Context,
        from open: ((_ path: String) throws -> ByteSource)? = nil
    ) throws -> Self {
        try self.read(self.bytes(options, in: context, from: open ?? context.files.source), options, in: context)
    }

    /// The bytes of the file that the options or the environment name; `nil` when it is not there.
    ///
    /// - Parameter open: opens it.
    /// - Throws: `FileError` when it is there and cannot be read.
    static func bytes(
        _ options: GlobalOptions,
        in context: Context,
        from open: (_ path: String) throws -> ByteSource
    ) throws -> [UInt8]? {
        guard let path = self.path(option: options.config, environment: context.environment) else { return nil }
        do {
            return try context.contents(of: open(path), limit: Self.maximumBytes)
        } catch let error as FileError where error.code == .notFound {
            return nil
        }
    }

    /// The file that the options or the environment name, with these bytes.
    ///
    /// - Parameter bytes: `nil` when it is not there.
    /// - Throws: `FileError` when it was named and is not there.
    static func read(_ bytes: [UInt8]?, _ options: GlobalOptions, in context: Context) throws(FileError) -> Self {
        guard let path = self.path(option: options.config, environment: context.environment) else { return .absent }
        guard let bytes else {
            let isNamed = path == options.config || path == context.environment["REMINDAV_CONFIG"]
            if isNamed { throw FileError(code: .notFound, path: path) }
            return Self(path: path)
        }
        return Self(bytes, path: path, home: context.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 })
    }

    /// A file that is there, or was named, and cannot be read.
    static func unreadable(_ options: GlobalOptions, _ error: any Error, in context: Context) -> Self {
        var file = Self(path: self.path(option: options.config, environment: context.environment))
        file.exists = true
        file.issues = [SettingsIssue(line: nil, sentence: ErrorMessages.explain(error).sentence)]
        return file
    }
}

extension SettingsFile {
    // file = *( [ setting / remark ] line-end )
    // setting = name "=" value;  remark = "#" *anything;  spaces at both ends of name and value do not count
    //
    /// Reads the bytes of a file; what cannot be used becomes an issue, and the rest counts.
    ///
    /// - Parameters:
    ///   - path: only kept.
    ///   - home: what `~` stands for.
    init(_ bytes: [UInt8], path: String, home: String?) {
        self.init(path: path)
        self.exists = true
        // Some editors put a byte order mark before the first letter.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            do throws(UsageError) {
                try self.take(line, number: index + 1, home: home)
            } catch {
                self.issues.append(SettingsIssue(line: index + 1, sentence: error.sentence))
            }
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, number: Int, home: String?) throws(UsageError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(.badValue, "This line is not UTF-8. Save the file as UTF-8.")
        }
        let line = ArgumentValues.trimmed(text)
        if line.isEmpty || line.hasPrefix("#") { return }
        guard let equals = line.firstIndex(of: "=") else {
            throw UsageError(.badValue, "This is no 'NAME = VALUE'. A remark begins with '#'.")
        }
        let name = ArgumentValues.trimmed(String(line[..<equals]))
        guard let key = SettingKey(rawValue: name) else { throw Self.unknown(name) }
        if let first = self.lines[key] {
            throw UsageError(.badValue, "'\(name)' stands in line \(first) already. Take one of the two out.")
        }
        let value = Self.unquoted(ArgumentValues.trimmed(String(line[line.index(after: equals)...])))
        if value.isEmpty {
            throw UsageError(.badValue, "'\(name)' has no value. Take the line out to have what is usual.")
        }
        if value.unicodeScalars.contains(where: { Sanitizer.isDangerous($0) }) {
            throw UsageError(.badValue, "The value of '\(name)' has a character that nobody can see. Write it anew.")
        }
        try key.take(value, into: &self.settings, home: home)
        self.lines[key] = number
    }

    /// As it is between double quotes, where both are there.
    private static func unquoted(_ value: String) -> String {
        let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
        return isQuoted ? String(value.dropFirst().dropLast()) : value
    }

    private static func unknown(_ name: String) -> UsageError {
        let names = SettingKey.allCases.map(\.rawValue)
        let guess = Spelling.nearest(to: name, among: names).map { " Did you mean '\($0)'?" }
        return UsageError(
            .badValue,
            "There is no setting '\(Sanitizer.excerpt(name))'."
                + (guess ?? " 'remindav help config' shows all of them.")
        )
    }
}
