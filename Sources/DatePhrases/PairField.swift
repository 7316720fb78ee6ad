/// The meaning of the key of a pair in taskwarrior or todo.txt, such as `due` in `due:friday`.
package enum PairField: Hashable, Sendable, CaseIterable {
    case due, priority, list, rule, label, status, title, dependencies
    /// The day on which the work begins, which taskwarrior calls `wait` and `scheduled`.
    case wait
    /// In taskwarrior the time at which the work has begun; here it is the day too.
    case start
    case creation, completion, until

    /// - Returns: `nil` for an unknown key.
    package init?(key: some StringProtocol) {
        guard let field = Self.allCases.first(where: { field in field.keys.contains { $0 == key } }) else { return nil }
        self = field
    }

    /// The maximum length of a key in characters: `description` has eleven.
    package static let longestKey = 11

    /// The spellings of the key.
    var keys: [String] {
        switch self {
        case .due: ["due"]
        case .priority: ["pri", "priority"]
        case .list: ["pro", "proj", "project"]
        case .rule: ["recur", "rec"]
        case .label: ["tag", "tags"]
        case .status: ["status"]
        case .title: ["description", "desc"]
        case .dependencies: ["depends", "dep"]
        case .wait: ["wait", "scheduled", "sched"]
        case .start: ["start"]
        case .creation: ["entry"]
        case .completion: ["end"]
        case .until: ["until"]
        }
    }
}
