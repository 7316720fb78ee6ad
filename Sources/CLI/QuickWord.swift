import RemindavReminders

/// A word that stands for an option, in the form that it has in the title of a new reminder: `+home`, `@Work`, `p1`, and
/// also `due:friday` or `pri:H`.
enum QuickWord: Hashable, Sendable {
    case label(String)
    /// `-+home`: without the label.
    case noLabel(String)
    case list(String)
    /// `p1` or `p1,p2`, with the words of `--priority`.
    case priority(String)
    /// `/milk` or `/milk/`: with this text.
    case text(String)
    case pair(AttributePair)
    /// `*15m`: with this alarm, or without one for `*none`.
    case alarm(String)

    /// The beginning of a word such as `-+home`, which is no option although it begins with a hyphen.
    static let withoutLabel = "-+"

    static let listSign = "@"

    init?(_ word: String) {
        let rest = String(word.dropFirst())
        switch word.first {
        case "+" where rest.first?.isLetter == true, "#" where rest.first?.isLetter == true: self = .label(rest)
        case "-" where rest.first == "+" && rest.count > 1: self = .noLabel(String(rest.dropFirst()))
        case "@" where !rest.isEmpty: self = .list(rest)
        case "*" where rest.first?.isNumber == true || rest == "none": self = .alarm(rest)
        case "p" where word.split(separator: ",").allSatisfy { Priority(word: String($0)) != nil }:
            self = .priority(word)
        case "!" where rest.first == "!" && Priority(word: word) != nil: self = .priority(word)
        case "!" where Priority(word: rest) != nil: self = .priority(rest)
        case "/":
            let text = rest.hasSuffix("/") ? String(rest.dropLast()) : rest
            // Two slashes are the path of a file.
            guard !text.isEmpty, !text.contains("/") else { return nil }
            self = .text(text)
        default:
            guard let pair = AttributePair(word) else { return nil }
            self = .pair(pair)
        }
    }

    /// The option of `list` with this meaning, as `edit` names it if `ofEdit` is true; `nil` for a pair that is
    /// no filter, such as `recur:weekly`.
    func filter(ofEdit: Bool = false) -> OptionValue? {
        switch self {
        case .label(let name): OptionValue("--with-label", name)
        case .noLabel(let name): OptionValue("--without-label", name)
        case .list(let name): OptionValue(ofEdit ? "--from-list" : "--list", name)
        case .priority(let word): OptionValue(ofEdit ? "--from-priority" : "--priority", word)
        case .text(let text): OptionValue("--text", text)
        case .pair(let pair): pair.filter(ofEdit: ofEdit)
        case .alarm: nil
        }
    }

    /// The option of `edit` that changes a reminder; `nil` for a text or a comparison.
    var change: OptionValue? {
        switch self {
        case .label(let name): OptionValue("--label", "+" + name)
        case .noLabel(let name): OptionValue("--label", "-" + name)
        case .list(let name): OptionValue("--list", name)
        case .priority(let word): OptionValue("--priority", word)
        case .text: nil
        case .pair(let pair): pair.change
        case .alarm(let text): OptionValue("--alarm", text)
        }
    }

    /// The lines about these words in help pages.
    static let details = """
        Short forms of filters: +home means --with-label home, -+home --without-label home,
        @Work --list Work, p1 to p4 --priority high, medium, low and none, and /milk
        --text milk. Also pri:H, project:Work, tag:home, due:friday, due.before:friday, due:
        (no date), status:pending (open) and status:completed.
        """
}

/// An option with its value, as the user could have typed it.
struct OptionValue: Hashable, Sendable {
    let name: String
    /// `nil` for an option without a value.
    let value: String?

    init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    /// `status:pending`: only `export` has this option, and the other commands select open reminders without it.
    static let open = OptionValue("--open")
}
