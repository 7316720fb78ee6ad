/// The abilities of an account's server, found by requests and never derived from the name of the server.
///
/// The client assumes that a server has an ability until the server refuses it.
public struct Capabilities: Hashable, Sendable {
    /// An ability that some servers lack.
    public enum Ability: String, Hashable, Sendable, CaseIterable {
        /// The report of changes contains the texts of the changed objects (RFC 6578 §3.2).
        case textsWithChanges = "texts-with-changes"
        /// A query returns the texts of all to-dos (RFC 4791 §7.8).
        case textsByQuery = "texts-by-query"
        /// The server accepts a whole list by one conditional PUT to the list's address.
        case wholeListPut = "whole-list-put"
        /// MOVE transfers an object to another calendar (RFC 4918 §9.9).
        case moveBetweenLists = "move-between-lists"
        /// The server stores a changed text exactly as sent if its answer has an entity tag (RFC 4791 §5.3.4).
        case keepsWrittenTexts = "keeps-written-texts"
        /// The server stores a new text exactly as sent if its answer has an entity tag.
        case keepsNewTexts = "keeps-new-texts"
        /// The calendar home stores the property with the labels of this project.
        case keepsLabels = "keeps-labels"
    }

    /// Whether the server has each ability; an ability that was never tried has no entry.
    public var abilities: [Ability: Bool] = [:]
    /// The size of the next multiget: the last full batch that worked, or half of a refused one; `nil` without either.
    public var multigetItems: Int?
    /// Names of properties that were written but that the server did not store.
    public var notKept: Set<String> = []
    /// The largest number of names in ``notKept``; all programs together write about a hundred different properties.
    static let maximumNotKept = 100
    /// Creates capabilities of a server about which nothing is known.
    public init() {}
    func mayHave(_ ability: Ability) -> Bool { self.abilities[ability] ?? true }
}

extension Capabilities {
    private static let multigetItems = "multiget-items"
    private static let notKept = "not-kept"

    /// Reads stored ``findings``; unknown names are ignored.
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

    /// The capabilities as names and values, for storage.
    public var findings: [String: String] {
        var findings = Dictionary(
            uniqueKeysWithValues: self.abilities.map { ($0.key.rawValue, $0.value ? "yes" : "no") }
        )
        findings[Self.multigetItems] = self.multigetItems.map(String.init)
        if !self.notKept.isEmpty { findings[Self.notKept] = self.notKept.sorted().joined(separator: ",") }
        return findings
    }
}
