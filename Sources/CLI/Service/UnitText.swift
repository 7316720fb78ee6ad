import RemindavPlatform

/// Quotes words for unit files and desktop entries; ``ServiceError/Code/oddPath`` refuses control characters earlier.
enum UnitText {
    /// A word as the value of a setting of systemd (systemd.syntax(7)); `%` is escaped (systemd.unit(5)).
    static func word(_ text: String) -> String {
        Self.quoted(text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("%", with: "%%"))
    }

    /// An argument in a command line of systemd; `$` is escaped (systemd.service(5)), but not in the program's path.
    static func argument(_ text: String) -> String { Self.word(text.replacing("$", with: "$$")) }

    /// An argument in `Exec` (Desktop Entry Specification); backslashes are escaped for the command line and the value.
    static func desktopArgument(_ text: String) -> String {
        var escaped = ""
        for letter in text.unicodeScalars {
            switch letter {
            case "\\": escaped += #"\\\\"#
            case "\"", "`", "$": escaped += #"\\"# + String(letter)
            case "%": escaped += "%%"
            default: escaped.unicodeScalars.append(letter)
            }
        }
        return Self.quoted(escaped)
    }

    /// Whether a word of `Exec` needs no quotation marks (Desktop Entry Specification, "The Exec key").
    static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { letter in
                !letter.properties.isWhitespace && !#""'\><~|&;$*?#()`%="#.unicodeScalars.contains(letter)
            }
    }

    /// A word in single quotes for a shell (POSIX, "Quoting").
    static func shellWord(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
