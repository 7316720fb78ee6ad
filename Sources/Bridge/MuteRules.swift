import Reminders
import Store

/// What a person wants to hear nothing of.
public struct MuteRules: Hashable, Sendable {
    /// The names of lists, in whatever case.
    public var lists: [String]
    /// The names of labels.
    public var labels: [String]

    /// Nothing, unless it is named.
    public init(lists: [String] = [], labels: [String] = []) {
        self.lists = lists
        self.labels = labels
    }
}

extension MuteRules {
    /// What a list is known by, here and where alarms ring.
    static func key(ofList name: String) -> String { LabelKey(name).text }

    /// The names of the lists, as they are compared.
    var namesOfLists: Set<String> { Set(self.lists.map { Self.key(ofList: $0) }) }
}

/// What is silent in one store.
struct MuteFilter {
    private let lists: Set<ListID>
    private let labels: Set<LabelKey>

    /// - Parameter names: of the lists that are there.
    init(_ silent: MuteRules, _ names: [ListID: String]) {
        let lists = silent.namesOfLists
        self.lists = Set(names.filter { lists.contains(MuteRules.key(ofList: $0.value)) }.keys)
        self.labels = Set(silent.labels.map(LabelKey.init))
    }

    /// Whether the reminder does not ring.
    func holds(_ record: ObjectRecord) -> Bool {
        self.lists.contains(record.list)
            || !self.labels.isEmpty && record.index.labels.contains { self.labels.contains(LabelKey($0)) }
    }
}
