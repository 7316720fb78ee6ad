import Bridge
import DatePhrases
import ICalendar
import Reminders

struct SettingValue: Sendable {
    /// The name of the setting, for error messages.
    let name: String
    let text: String
    /// The folder that `~` stands for; `nil` without a home folder.
    let home: String?

    /// The error `'port' must be a number, not 'x'`.
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
}

/// How the values of a type are parsed and formatted.
struct SettingFormat<Value>: Sendable {
    let parse: @Sendable (_ value: SettingValue) throws(UsageError) -> Value
    /// `nil` for a value that the file cannot contain: the setting is absent.
    let text: @Sendable (Value) -> String?
}

extension SettingFormat<String?> {
    static var text: Self { Self(parse: { $0.text }, text: { $0 }) }

    static var folder: Self {
        Self(
            parse: { value throws(UsageError) in
                if value.text.hasPrefix("/") { return value.text }
                guard value.text == "~" || value.text.hasPrefix("~/") else {
                    throw value.error("a path that begins with / or ~/")
                }
                guard let home = value.home else { throw UsageError.noHome }
                return home + value.text.dropFirst()
            },
            text: { $0 }
        )
    }

    static var delay: Self {
        Self(
            parse: { value throws(UsageError) in
                guard case .later? = try? When(value.text) else {
                    throw value.error("a number of minutes or hours, such as 15m or 2h")
                }
                return value.text
            },
            text: { $0 }
        )
    }
}

extension SettingFormat<ColorChoice> {
    static var color: Self {
        Self(
            parse: { value throws(UsageError) in
                guard let color = ColorChoice(rawValue: value.text) else { throw value.error("auto, always or never") }
                return color
            },
            text: { $0.rawValue }
        )
    }
}

extension SettingFormat<DefaultDue> {
    static var due: Self {
        Self(
            parse: { value throws(UsageError) in try ArgumentValues.defaultDue(value.text, called: value.name) },
            text: { $0.rawValue }
        )
    }
}

extension SettingFormat<[AlarmChoice]> {
    static var alarms: Self {
        Self(
            parse: { value throws(UsageError) in try ArgumentValues.defaultAlarms(value.text, called: value.name) },
            text: { AlarmFormatter.text($0) }
        )
    }
}

extension SettingFormat<ClockTime> {
    static var time: Self {
        Self(
            parse: { value throws(UsageError) in
                guard let time = Self.clock(value.text) else { throw value.error("a time such as 09:00") }
                return time
            },
            text: { $0.hoursAndMinutes }
        )
    }

    // 2DIGIT ":" 2DIGIT
    fileprivate static func clock(_ text: some StringProtocol) -> ClockTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 2, numbers.count == 2 else { return nil }
        return ClockTime(hour: numbers[0], minute: numbers[1], second: 0)
    }
}

extension SettingFormat<UInt16> {
    static var port: Self {
        Self(
            parse: { value throws(UsageError) in
                guard let port = UInt16(value.text) else { throw value.error("a number from 0 to 65535") }
                return port
            },
            text: { String($0) }
        )
    }
}

extension SettingFormat<FeedSite?> {
    static var site: Self {
        Self(
            parse: { value throws(UsageError) in try ArgumentValues.feedSite(value.text, of: value.name) },
            text: { $0?.text }
        )
    }
}

extension SettingFormat<Bool> {
    static var flag: Self {
        Self(
            parse: { value throws(UsageError) in
                guard ["yes", "no"].contains(value.text) else { throw value.error("yes or no") }
                return value.text == "yes"
            },
            text: { $0 ? "yes" : "no" }
        )
    }
}

extension SettingFormat<HoursOfDay?> {
    // hours = time "-" time
    static var hours: Self {
        Self(
            parse: { value throws(UsageError) in
                let times = value.text.split(separator: "-", omittingEmptySubsequences: false).map {
                    SettingFormat<ClockTime>.clock(String($0).trimmingWhiteSpace)
                }
                guard times.count == 2, let from = times[0], let to = times[1] else {
                    throw value.error("two times such as 22:00-07:00")
                }
                guard from != to else {
                    throw UsageError(
                        .badValue,
                        "'\(value.name)' begins and ends at the same time. Change the end, or remove the line for no quiet hours."
                    )
                }
                return HoursOfDay(from: from, to: to)
            },
            text: { $0.map { "\($0.from.hoursAndMinutes)-\($0.to.hoursAndMinutes)" } }
        )
    }
}

extension SettingFormat<[String]> {
    // names = name / array
    static var names: Self {
        Self(
            parse: { value throws(UsageError) in
                guard value.text.hasPrefix("[") else {
                    // A quotation mark without brackets is an incomplete array.
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
}

extension SettingFormat<[String]?> {
    /// A program and its arguments.
    static var command: Self {
        Self(
            parse: { value throws(UsageError) in
                var words = try value.words()
                guard let program = words.first, !program.isEmpty else {
                    throw UsageError(.badValue, "'\(value.name)' names no program. Remove the line to use none.")
                }
                if program.hasPrefix("~/") {
                    guard let home = value.home else { throw UsageError.noHome }
                    words[0] = home + program.dropFirst()
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

extension SettingFormat<Int?> {
    // interval = 1*DIGIT ( "m" / "h" ) / "never"
    static var interval: Self {
        Self(
            parse: { value throws(UsageError) in
                guard let interval = SyncInterval(value.text) else {
                    throw value.error("from 1m to 24h, such as 15m, or never")
                }
                return interval.seconds
            },
            text: { seconds in
                guard let seconds else { return "never" }
                return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds / 60)m"
            }
        )
    }
}

extension UsageError {
    fileprivate static let noHome = Self(.badValue, "There is no home folder for '~'. Write a path that begins with /.")
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
        while true {
            Self.skipSpaces(&rest)
            if rest.first == "]" { break }
            words.append(try Self.word(&rest))
            Self.skipSpaces(&rest)
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

    private static func skipSpaces(_ rest: inout Substring) {
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }

    /// The text that ``words(_:)`` parses to these words.
    static func text(_ words: [String]) -> String {
        let quoted = words.map { "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
        return "[" + quoted.joined(separator: ", ") + "]"
    }
}
