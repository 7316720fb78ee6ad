import Bridge
import Reminders

/// What a word with `#`, `!` or `@` before it stands for; `nil` for a word that is no known mark, which stays.
struct TitleMarkers {
    private var lists = ListDirectory<String>()

    /// - Parameter lists: the names of the lists that there are.
    init(lists: [String]) {
        for name in lists { self.lists.add(name, named: name) }
    }

    /// `#home`, `#"two words"`: a label.
    ///
    /// Without quotation marks it begins with a letter, so that `#1` stays a number, and is no colour, such as `#F0A`.
    func label(_ name: Substring, isQuoted: Bool) -> String? {
        guard isQuoted || Self.isWord(name) && !Self.isColor(name) else { return nil }
        // What '--label' reads as no label at all is no label here.
        guard name.lowercased() != "none" else { return nil }
        return try? Label.checked(name: String(name))
    }

    /// `!high`, `!medium`, `!low`, and `!1` to `!9` as RFC 5545 §3.8.1.9 counts them.
    func priority(_ name: Substring) -> ReminderView.Priority? {
        switch name.lowercased() {
        case "high", "1", "2", "3", "4": .high
        case "medium", "5": .medium
        case "low", "6", "7", "8", "9": .low
        default: nil
        }
    }

    /// `@groceries`: a list that there is, whatever its capitals when only one is called so.
    func list(_ name: Substring) -> String? {
        let name = String(name)
        if let list = self.lists.named(name) { return list }
        let similar = self.lists.similar(to: name)
        return similar.count == 1 ? similar[0] : nil
    }

    /// Whether lists have that name but for the case of its letters.
    func hasSimilarLists(_ name: Substring) -> Bool { !self.lists.similar(to: String(name)).isEmpty }

    /// A letter first, a letter or a digit last, and between them nothing that ends a word.
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
