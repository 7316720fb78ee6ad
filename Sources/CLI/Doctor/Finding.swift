import JSON

/// One line of `doctor`.
struct Finding: Hashable, Sendable {
    enum Level: String, Sendable {
        /// Nothing is to be done.
        case ok
        /// It works, and something should be looked at.
        case warning
        /// Something does not work.
        case problem
    }

    let level: Level
    /// What it is about, one word.
    let topic: String
    /// What was found, and what to do about it.
    let sentence: String

    init(_ level: Level, _ topic: String, _ sentence: String) {
        self.level = level
        self.topic = topic
        self.sentence = sentence
    }
}

extension Finding: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("level") { $0.level.rawValue },
        JSONMember("topic") { $0.topic },
        JSONMember("sentence") { $0.sentence },
    ]
}
