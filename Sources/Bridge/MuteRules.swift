import Reminders
import Store

/// The muted lists and labels.
public struct MuteRules: Hashable, Sendable {
    /// The names of lists; case is ignored.
    public var lists: [String]
    /// The names of labels; case is ignored.
    public var labels: [String]

    /// Mutes the named lists and labels only.
    public init(lists: [String] = [], labels: [String] = []) {
        self.lists = lists
        self.labels = labels
    }
}

extension MuteRules {
    package static func key(ofList name: String) -> String { LabelKey(name).text }
    package var listKeys: Set<String> { Set(self.lists.map { Self.key(ofList: $0) }) }
}

/// The mute rules, resolved for one store.
struct MuteFilter {
    private let lists: Set<ListID>
    private let labels: Set<LabelKey>

    /// - Parameter names: the names of all lists of the store.
    init(_ rules: MuteRules, _ names: [ListID: String]) {
        let lists = rules.listKeys
        self.lists = Set(names.filter { lists.contains(MuteRules.key(ofList: $0.value)) }.keys)
        self.labels = Set(rules.labels.map(LabelKey.init))
    }

    func isMuted(_ record: ObjectRecord) -> Bool {
        self.lists.contains(record.list)
            || !self.labels.isEmpty && record.index.labels.contains { self.labels.contains(LabelKey($0)) }
    }
}
