import RemindavJSON

struct Finding: Hashable, Sendable {
    enum Level: String, Sendable {
        case ok
        case warning
        case problem
    }

    let level: Level
    let topic: String
    /// The result in words, and the advice.
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
