import Reminders

/// The values of words that begin with `#`, `!` or `@`; `nil` for an unknown marker, which stays in the title.
struct TitleMarkers {
    private var lists = ListDirectory<String>()

    init(lists: [String]) {
        for name in lists { self.lists.add(name, named: name) }
    }

    /// `#home`, `#"two words"`: a label.
    ///
    /// Without quotation marks it must begin with a letter, because `#1` is a number, and must not be a colour such as `#F0A`.
    func label(_ name: Substring, isQuoted: Bool) -> String? {
        guard isQuoted || Self.isWord(name) && !Self.isColor(name) else { return nil }
        // '--label none' means no label.
        guard name.lowercased() != "none" else { return nil }
        return try? Label.checked(name: String(name))
    }

    /// `!high`, `!medium`, `!low`, and `!1` to `!9` as RFC 5545 §3.8.1.9 counts them.
    func priority(_ name: Substring) -> Priority? {
        switch name.lowercased() {
        case "high", "1", "2", "3", "4": .high
        case "medium", "5": .medium
        case "low", "6", "7", "8", "9": .low
        default: nil
        }
    }

    /// `@groceries`: an existing list; case is ignored if only one list matches.
    func list(_ name: Substring) -> String? {
        let name = String(name)
        if let list = self.lists.named(name) { return list }
        let similar = self.lists.similar(to: name)
        return similar.count == 1 ? similar[0] : nil
    }

    /// Begins with a letter, ends with a letter or a digit, and contains no word separator.
    static func isWord(_ name: Substring) -> Bool {
        guard let first = name.first, let last = name.last, first.isLetter, last.isLetter || last.isNumber else {
            return false
        }
        return name.allSatisfy { $0.isLetter || $0.isNumber || "-_/.&+'\u{2019}".contains($0) }
    }

    /// Three or six hexadecimal digits, not all of them letters: `#decade` is a word.
    private static func isColor(_ name: Substring) -> Bool {
        [3, 6].contains(name.utf8.count) && name.allSatisfy(\.isHexDigit) && name.contains { $0.isPhraseDigit }
    }
}
