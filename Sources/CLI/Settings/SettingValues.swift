import Bridge
import ICalendar

extension SettingKey {
    /// Whether: `yes` or `no`.
    func choice(_ value: String) throws(UsageError) -> Bool {
        guard value == "yes" || value == "no" else {
            throw UsageError(.badValue, "'\(self.rawValue)' is yes or no, not '\(Sanitizer.excerpt(value))'.")
        }
        return value == "yes"
    }

    static func word(_ choice: Bool) -> String { choice ? "yes" : "no" }

    // hours = time "-" time
    func hours(_ value: String) throws(UsageError) -> HoursOfDay {
        let times = value.split(separator: "-", omittingEmptySubsequences: false).map {
            Self.time(ArgumentValues.trimmed(String($0)))
        }
        guard times.count == 2, let from = times[0], let to = times[1] else {
            throw UsageError(
                .badValue,
                "'\(self.rawValue)' is a time and a time such as 22:00-07:00, not '\(Sanitizer.excerpt(value))'."
            )
        }
        guard from != to else {
            throw UsageError(
                .badValue,
                "'\(self.rawValue)' ends when it begins. Give another end, or take the line out to be told at all hours."
            )
        }
        return HoursOfDay(from: from, to: to)
    }

    // names = name / array
    func names(_ value: String) throws(UsageError) -> [String] {
        guard value.hasPrefix("[") else {
            // What looks like an array that has lost its brackets is no name.
            if !value.contains("\"") { return [value] }
            throw UsageError(
                .badValue,
                "'\(self.rawValue)' is a name, or names such as [\"Work\", \"Old\"], not '\(Sanitizer.excerpt(value))'."
            )
        }
        let names = try self.array(value)
        if names.contains(where: { ArgumentValues.trimmed($0).isEmpty }) {
            throw UsageError(.badValue, "'\(self.rawValue)' has a name without a letter in it. Take it out.")
        }
        return names
    }

    /// A program and its arguments.
    ///
    /// - Parameter home: what `~` stands for at the beginning of the program; `nil` when there is no home folder.
    func command(_ value: String, home: String?) throws(UsageError) -> [String] {
        var words = try self.array(value)
        guard let program = words.first, !program.isEmpty else {
            throw UsageError(.badValue, "'\(self.rawValue)' names no program. Take the line out to have none.")
        }
        if program.hasPrefix("~/") {
            guard let home else {
                throw UsageError(.badValue, "There is no home folder for '~'; begin the program's path with /.")
            }
            words[0] = home + program.dropFirst()
        } else if !program.hasPrefix("/"), program.contains("/") {
            throw UsageError(
                .badValue,
                "The program of '\(self.rawValue)' is a name, or a path that begins with / or ~/, "
                    + "not '\(Sanitizer.excerpt(program))'."
            )
        }
        return words
    }

    private func array(_ value: String) throws(UsageError) -> [String] {
        do throws(WordArray.Fault) {
            return try WordArray.words(value)
        } catch {
            throw UsageError(
                .badValue,
                "'\(self.rawValue)' is words such as [\"one\", \"two\"]; here \(error.rawValue)."
            )
        }
    }

    // interval = 1*DIGIT ( "m" / "h" ) / "never"
    func interval(_ value: String) throws(UsageError) -> Int? {
        if let interval = SyncInterval(value) { return interval.seconds }
        throw UsageError(
            .badValue,
            "'\(self.rawValue)' is from 1m to 24h, such as 15m, or never, not '\(Sanitizer.excerpt(value))'."
        )
    }

    static func interval(_ seconds: Int?) -> String {
        guard let seconds else { return "never" }
        return seconds % 3600 == 0 ? "\(seconds / 3600)h" : "\(seconds / 60)m"
    }
}

/// Words in brackets: `["pass", "show", "dav"]`, of which all are arrays of strings in TOML as well.
enum WordArray {
    enum Fault: String, Error {
        case noBracket = "there is no '[' at the beginning"
        case notClosed = "there is no ']' at the end"
        case noQuote = "a word has no quotation marks"
        case wordNotClosed = "a word has no quotation mark at its end"
        case noComma = "two words have no comma between them"
        case escape = "a '\\' stands before something else than '\\' or '\"'; within '…' it is itself"
        case rest = "something stands behind the ']'"
    }

    // array = "[" [ word *( "," word ) [ "," ] ] "]";  spaces between them do not count
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

    /// The text that ``words(_:)`` reads these words from.
    static func text(_ words: [String]) -> String {
        let quoted = words.map { "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
        return "[" + quoted.joined(separator: ", ") + "]"
    }
}
