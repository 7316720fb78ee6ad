import RemindavBridge
import RemindavCurlTransport
import RemindavDatePhrases
import RemindavHost
import RemindavHosting
import RemindavICalendar
import RemindavNotifications
import RemindavPostgresStore
import RemindavReminders

/// The text of a value in the settings file.
struct SettingValue: Sendable {
    let name: String
    let text: String
    /// The home folder, which `~` stands for; `nil` if there is none.
    let home: String?

    /// The error about an invalid value, such as `'port' must be a number, not 'x'`.
    func error(_ expected: String) -> UsageError {
        UsageError(.badValue, "'\(self.name)' must be \(expected), not '\(Sanitizer.excerpt(self.text))'.")
    }

    func words() throws(UsageError) -> [String] {
        do throws(WordArray.Fault) { return try WordArray.words(self.text) } catch {
            throw UsageError(
                .badValue,
                "'\(self.name)' must be words such as [\"one\", \"two\"]. Problem: \(error.rawValue)."
            )
        }
    }

    /// A path; `~/` at its beginning is replaced by the home folder.
    fileprivate func path(_ text: String) throws(UsageError) -> String {
        if let home { return home + text.dropFirst() }
        throw UsageError(.badValue, "There is no home folder for '~'. Write a path that begins with /.")
    }
}

/// The functions that parse and format the values of a type.
struct SettingFormat<Value>: Sendable {
    let parse: @Sendable (_ value: SettingValue) throws(UsageError) -> Value
    /// The value as text; `nil` if the setting is not set.
    let text: @Sendable (Value) -> String?

    init(
        parse: @escaping @Sendable (_ value: SettingValue) throws(UsageError) -> Value,
        text: @escaping @Sendable (Value) -> String?
    ) {
        self.parse = parse
        self.text = text
    }

    /// - Parameter expected: the valid values in words, for the error if `parse` returns `nil`.
    init(
        _ expected: String,
        _ parse: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String?
    ) {
        self.init(
            parse: { value throws(UsageError) in
                guard let parsed = parse(value.text) else { throw value.error(expected) }
                return parsed
            },
            text: text
        )
    }
}

extension SettingFormat {
    static var color: SettingFormat<ColorChoice> {
        .init("auto, always or never", { ColorChoice(rawValue: $0) }, text: { $0.rawValue })
    }
    static var time: SettingFormat<ClockTime> {
        .init("a time such as 09:00", { ClockTime(hoursAndMinutes: $0) }, text: { $0.hoursAndMinutes })
    }
    static var port: SettingFormat<UInt16> {
        .init("a number from 0 to 65535", { UInt16($0) }, text: { String($0) })
    }
    static var flag: SettingFormat<Bool> {
        .init("yes or no", { ["yes": true, "no": false][$0] }, text: { $0 ? "yes" : "no" })
    }
    static var text: SettingFormat<String?> { .init(parse: { $0.text }, text: { $0 }) }
    static var delay: SettingFormat<String?> {
        .init(
            "a number of minutes or hours, such as 15m or 2h",
            { text in if case .later? = try? When(text) { .some(text) } else { nil } },
            text: { $0 }
        )
    }
    // interval = 1*DIGIT ( "m" / "h" ) / "never"
    static var interval: SettingFormat<Int?> {
        .init("from 1m to 24h, such as 15m, or never", { SyncInterval($0).map(\.seconds) }) { seconds in
            guard let seconds else { return "never" }
            return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds / 60)m"
        }
    }
    static var due: SettingFormat<DefaultDue> {
        .init(
            parse: { value throws(UsageError) in try ArgumentValues.defaultDue(value.text, called: value.name) },
            text: { $0.rawValue }
        )
    }
    static var alarms: SettingFormat<[AlarmChoice]> {
        .init(
            parse: { value throws(UsageError) in try ArgumentValues.defaultAlarms(value.text, called: value.name) },
            text: { AlarmFormatter.text($0) }
        )
    }
    static var site: SettingFormat<FeedSite?> {
        .init(
            parse: { value throws(UsageError) in try ArgumentValues.feedSite(value.text, of: value.name) },
            text: { $0?.text }
        )
    }
    static var folder: SettingFormat<String?> {
        .init(
            parse: { value throws(UsageError) in
                if value.text.hasPrefix("/") { return value.text }
                guard value.text == "~" || value.text.hasPrefix("~/") else {
                    throw value.error("a path that begins with / or ~/")
                }
                return try value.path(value.text)
            },
            text: { $0 }
        )
    }
    static var secret: SettingFormat<SecretSource?> {
        .init(
            parse: { value throws(UsageError) in
                let text = value.text.hasPrefix("~/") ? try value.path(value.text) : value.text
                guard let source = SecretSource(text) else {
                    throw value.error("a path that begins with / or ~/, credential:NAME, or command:WORDS")
                }
                return source
            },
            text: { $0?.text }
        )
    }
    static var database: SettingFormat<String?> {
        .init(
            parse: { value throws(UsageError) in
                // libpq reads any other text as the name of a database, which is often a misspelt option.
                guard value.text.contains("=") || value.text.contains("://") else {
                    throw value.error("a connection string of libpq such as dbname=remindav")
                }
                if DatabasePlace(value.text).hasPassword {
                    throw UsageError(
                        .badValue,
                        "'\(value.name)' contains a password. Remove it; libpq reads passwords from ~/.pgpass."
                    )
                }
                return value.text
            },
            text: { $0 }
        )
    }
    static var relay: SettingFormat<MailRelay?> {
        .init(
            "smtps://[USER@]HOST[:PORT], or smtp:// for STARTTLS, without a password",
            { text in MailRelay(text).map { .some($0) } },
            text: { $0?.text }
        )
    }
    static var mail: SettingFormat<String?> {
        .init("an address such as alarms@example.org", { AlarmDestination.mail($0).map { .some($0) } }, text: { $0 })
    }
    // header = 1*( ALPHA / DIGIT / "-" )
    static var header: SettingFormat<String?> {
        .init(
            "the name of a header, such as Remote-User",
            { text in ProxyTrust.isHeaderName(text) ? .some(text) : nil },
            text: { $0 }
        )
    }
    static var user: SettingFormat<UInt32?> {
        .init("the number of a user, as 'id -u NAME' prints it", { UInt32($0) }, text: { $0.map { String($0) } })
    }
    static var contact: SettingFormat<String?> {
        .init(
            "an email address or a URL, such as dav@example.org",
            { text in HostAgent.isContact(text) ? .some(text) : nil },
            text: { $0 }
        )
    }
    // networks = network *( "," network )
    static var networks: SettingFormat<[AddressRange]> {
        .init(
            "networks such as 10.1.0.0/16,fd00::/8",
            { text in
                let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                let networks = parts.compactMap { AddressRange(String($0).trimmingWhiteSpace) }
                return networks.count == parts.count ? networks : nil
            },
            text: { $0.isEmpty ? nil : $0.map(\.text).joined(separator: ",") }
        )
    }
    // ports = port *( "," port )
    static var ports: SettingFormat<Set<UInt16>> {
        .init(
            "ports such as 5232,8800",
            { text in
                let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                let ports = parts.compactMap { UInt16(String($0).trimmingWhiteSpace) }.filter { $0 > 0 }
                return ports.count == parts.count ? Set(ports) : nil
            },
            text: { $0.isEmpty ? nil : $0.sorted().map(String.init).joined(separator: ",") }
        )
    }
    static var hours: SettingFormat<QuietHours?> {
        .init(
            parse: { value throws(UsageError) in
                guard let hours = QuietHours(value.text) else { throw value.error("two times such as 22:00-07:00") }
                guard hours.from != hours.to else {
                    throw UsageError(
                        .badValue,
                        "'\(value.name)' begins and ends at the same time. Change the end, or remove the line for no quiet hours."
                    )
                }
                return hours
            },
            text: { $0?.text }
        )
    }
    // names = name / array
    static var names: SettingFormat<[String]> {
        .init(
            parse: { value throws(UsageError) in
                guard value.text.hasPrefix("[") else {
                    // A value with quotation marks but without brackets is an array with missing brackets.
                    if !value.text.contains("\"") { return [value.text] }
                    throw value.error("a name, or names such as [\"Work\", \"Old\"]")
                }
                let names = try value.words()
                if names.contains(where: { $0.trimmingWhiteSpace.isEmpty }) {
                    throw UsageError(.badValue, "'\(value.name)' contains an empty name. Remove it.")
                }
                return names
            },
            text: { $0.isEmpty ? nil : WordArray.text($0) }
        )
    }
    /// A program and its arguments, such as `["say", "-v"]`.
    static var command: SettingFormat<[String]?> {
        .init(
            parse: { value throws(UsageError) in
                var words = try value.words()
                guard let program = words.first, !program.isEmpty else {
                    throw UsageError(.badValue, "'\(value.name)' contains no program. Remove the line to use none.")
                }
                if program.hasPrefix("~/") {
                    words[0] = try value.path(program)
                } else if !program.hasPrefix("/"), program.contains("/") {
                    throw UsageError(
                        .badValue,
                        "The program of '\(value.name)' must be a name, or a path that begins with / or ~/, "
                            + "not '\(Sanitizer.excerpt(program))'."
                    )
                }
                return words
            },
            text: { $0.map(WordArray.text) }
        )
    }
}

/// Words in brackets, as in TOML: `["pass", "show", "dav"]`.
enum WordArray {
    enum Fault: String, Error {
        case noBracket = "the '[' at the beginning is missing"
        case notClosed = "the ']' at the end is missing"
        case noQuote = "a word has no quotation marks"
        case wordNotClosed = "a word has no closing quotation mark"
        case noComma = "a comma between two words is missing"
        case escape = "a '\\' is followed by a character other than '\\' or '\"'; within '…' it needs no escape"
        case rest = "there is text after the ']'"
    }

    // array = "[" [ word *( "," word ) [ "," ] ] "]";  spaces between words are ignored
    static func words(_ text: String) throws(Fault) -> [String] {
        var rest = text[...]
        guard rest.popFirst() == "[" else { throw .noBracket }
        var words: [String] = []
        let skipSpaces = { (text: inout Substring) in text = text.drop { $0 == " " || $0 == "\t" } }
        while true {
            skipSpaces(&rest)
            if rest.first == "]" { break }
            words.append(try Self.word(&rest))
            skipSpaces(&rest)
            if rest.first == "," {
                rest.removeFirst()
            } else if rest.first != "]" {
                throw rest.isEmpty ? .notClosed : .noComma
            }
        }
        guard rest.dropFirst().isEmpty else { throw .rest }
        return words
    }

    // word = DQUOTE *( "\\" / "\" DQUOTE / any ) DQUOTE / "'" *any "'"
    private static func word(_ rest: inout Substring) throws(Fault) -> String {
        guard let quote = rest.popFirst() else { throw .notClosed }
        guard quote == "\"" || quote == "'" else { throw .noQuote }
        var word = ""
        while let letter = rest.popFirst() {
            if letter == quote { return word }
            if letter == "\\", quote == "\"" {
                guard let next = rest.popFirst(), next == "\\" || next == "\"" else { throw .escape }
                word.append(next)
            } else {
                word.append(letter)
            }
        }
        throw .wordNotClosed
    }

    /// The text of an array with these words, which ``words(_:)`` can parse.
    static func text(_ words: [String]) -> String {
        let quoted = words.map { "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
        return "[" + quoted.joined(separator: ", ") + "]"
    }
}
