import Platform

/// Words of the files that systemd and a desktop read, each written so that it is read back as it is.
///
/// A path with a control character has no way of being written in all of these places, and is refused before: see
/// ``ServiceError/Code/oddPath``.
enum UnitText {
    /// A value of one word (systemd.syntax(7)), in which `%` begins no specifier (systemd.unit(5)).
    static func word(_ text: String) -> String {
        Self.quoted(text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("%", with: "%%"))
    }

    /// An argument of a command line, in which `$` begins no variable either (systemd.service(5)).
    ///
    /// The program itself is a ``word(_:)``: no variable is looked for in the path that is run.
    static func argument(_ text: String) -> String { Self.word(text.replacing("$", with: "$$")) }

    /// An argument in `Exec` of a desktop entry, in which `%` begins no field code.
    ///
    /// The quoting of a command line is within that of a value: a backslash before a letter is two in the file (Desktop
    /// Entry Specification, "The Exec key").
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

    /// Whether a word of `Exec` is read as it is without quotation marks, by programs that know no quoting too.
    ///
    /// False for white space and the reserved characters (Desktop Entry Specification, "The Exec key"), for `%`, which
    /// begins a field code, for `=`, which the path of a program may not have, and for an empty word.
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
