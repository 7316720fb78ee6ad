/// The abilities of an account's server, found by trying.
///
/// The name of a server is never used. An unknown server is expected to have every ability; the first refusal shows
/// otherwise, and stands until it is forgotten.
public struct Capabilities: Hashable, Sendable {
    /// Something that not every server does.
    public enum Ability: String, Hashable, Sendable, CaseIterable {
        /// Sends the texts with the answer to sync-collection when asked for `calendar-data`.
        case textsWithChanges = "texts-with-changes"
        /// Sends every text of a list in answer to one calendar-query.
        case textsByQuery = "texts-by-query"
        /// Takes a whole list by one PUT on the list's own address, under a condition.
        case wholeListPut = "whole-list-put"
        /// Moves an item from one list to another (MOVE, RFC 4918 §9.9).
        case moveBetweenLists = "move-between-lists"
        /// Stores a changed text as it was sent if it answers with an entity tag (RFC 4791 section 5.3.4).
        case keepsWrittenTexts = "keeps-written-texts"
        /// The same of a new text: a changed one may have the server's additions already.
        case keepsNewTexts = "keeps-new-texts"
        /// Keeps a property of ours at a calendar home (``CalDAVClient/keep(labels:in:)``).
        case keepsLabels = "keeps-labels"
    }

    /// The findings by ability; an ability without an entry was never tried.
    public var abilities: [Ability: Bool] = [:]
    /// Items that a multiget was last answered for without trouble; `nil` when none was sent.
    public var multigetItems: Int?

    /// Names of properties that were written and that the server did not keep.
    public var notKept: Set<String> = []

    /// More names than these are not remembered.
    ///
    /// Programs write some hundred different properties; further names of such a server add nothing.
    static let maximumNotKept = 100

    /// Nothing known.
    public init() {}

    /// Whether it is worth trying.
    func mayHave(_ ability: Ability) -> Bool { self.abilities[ability] ?? true }
}

extension Capabilities {
    private static let multigetItems = "multiget-items"
    private static let notKept = "not-kept"

    /// Reads findings by their names; unknown names are ignored.
    public init(_ findings: [String: String]) {
        for (name, value) in findings {
            if let ability = Ability(rawValue: name) {
                self.abilities[ability] = value == "yes"
            } else if name == Self.multigetItems {
                self.multigetItems = Int(value).flatMap { $0 > 0 ? $0 : nil }
            } else if name == Self.notKept {
                self.notKept = Set(value.split(separator: ",").map(String.init))
            }
        }
    }

    /// The findings by name, to be kept.
    public var findings: [String: String] {
        var findings = Dictionary(
            uniqueKeysWithValues: self.abilities.map { ($0.key.rawValue, $0.value ? "yes" : "no") }
        )
        findings[Self.multigetItems] = self.multigetItems.map(String.init)
        if !self.notKept.isEmpty { findings[Self.notKept] = self.notKept.sorted().joined(separator: ",") }
        return findings
    }
}
