/// The abilities of an account's server, found by trying; never by the server's name.
///
/// An unknown server is expected to have every ability; the first refusal is kept.
public struct Capabilities: Hashable, Sendable {
    /// An ability that not every server has.
    public enum Ability: String, Hashable, Sendable, CaseIterable {
        case textsWithChanges = "texts-with-changes"
        case textsByQuery = "texts-by-query"
        /// Accepts a whole list by one PUT on the list's address, under a condition.
        case wholeListPut = "whole-list-put"
        case moveBetweenLists = "move-between-lists"
        /// Stores a changed text as it was sent if it answers with an entity tag (RFC 4791 §5.3.4).
        case keepsWrittenTexts = "keeps-written-texts"
        /// The same for a new text: a changed one may contain the server's additions already.
        case keepsNewTexts = "keeps-new-texts"
        case keepsLabels = "keeps-labels"
    }

    /// The findings by ability; an ability without an entry was never tried.
    public var abilities: [Ability: Bool] = [:]
    /// The number of items in the last successful multiget; `nil` without one.
    public var multigetItems: Int?
    /// Names of written properties that the server did not keep.
    public var notKept: Set<String> = []
    /// Programs write some hundred different properties; further names add nothing.
    static let maximumNotKept = 100
    /// Nothing known.
    public init() {}
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
