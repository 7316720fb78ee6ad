import Platform

/// Quotes words for the files that systemd and a desktop read.
///
/// No quoting exists for a control character in a path, which is refused before: see ``ServiceError/Code/oddPath``.
enum UnitText {
    /// A value of one word (systemd.syntax(7)), without specifiers (systemd.unit(5)).
    static func word(_ text: String) -> String {
        Self.quoted(text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("%", with: "%%"))
    }

    /// An argument of a command line, without variables (systemd.service(5)); the path of the program is a
    /// ``word(_:)``.
    static func argument(_ text: String) -> String { Self.word(text.replacing("$", with: "$$")) }

    /// An argument in `Exec` of a desktop entry, without field codes.
    ///
    /// The quoting of a command line is within that of a value, so a backslash is doubled (Desktop Entry Specification,
    /// "The Exec key").
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

    /// Whether a word of `Exec` needs no quotation marks, also in programs that know no quoting.
    ///
    /// False for white space, reserved characters, `%`, `=` and an empty word (Desktop Entry Specification, "The Exec
    /// key").
    static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { letter in
                !letter.properties.isWhitespace && !#""'\><~|&;$*?#()`%="#.unicodeScalars.contains(letter)
            }
    }

    /// A word for a shell (POSIX, "Quoting").
    static func shellWord(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
