import RemindavReminders
import RemindavStore

/// Lists and labels with muted reminders; the alarms of these reminders show no notification.
public struct MuteRules: Hashable, Sendable {
    /// The names of muted lists; case is ignored.
    public var lists: [String]
    /// The names of muted labels; case is ignored.
    public var labels: [String]

    /// Creates rules that mute only these lists and labels.
    public init(lists: [String] = [], labels: [String] = []) {
        self.lists = lists
        self.labels = labels
    }
}

extension MuteRules {
    package static func key(ofList name: String) -> String { LabelKey(name).text }
    package var listKeys: Set<String> { Set(self.lists.map { Self.key(ofList: $0) }) }
}

/// The mute rules with the numbers of the lists in one store.
struct MuteFilter {
    private let lists: Set<ListID>
    private let labels: Set<LabelKey>

    /// - Parameter names: the names of all lists of the store.
    init(_ rules: MuteRules, _ names: [ListID: String]) {
        let lists = rules.listKeys
        self.lists = Set(names.filter { lists.contains(MuteRules.key(ofList: $0.value)) }.keys)
        self.labels = Set(rules.labels.map(LabelKey.init))
    }

    func isMuted(_ list: ListID) -> Bool { self.lists.contains(list) }

    func isMuted(_ record: ObjectRecord) -> Bool {
        self.isMuted(record.list)
            || !self.labels.isEmpty && record.index.labels.contains { self.labels.contains(LabelKey($0)) }
    }
}
