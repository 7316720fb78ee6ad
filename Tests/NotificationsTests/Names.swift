public import RemindavNotifications

/// Reminder ids from short names. The order of the ids is the order of the names.
extension ReminderID: ExpressibleByStringLiteral {
    /// Creates the id of the reminder with this name.
    public init(stringLiteral name: String) { self.init(named: name) }

    /// - Parameter name: at most eight ASCII characters.
    init(named name: String) {
        precondition(name.utf8.count <= 8 && name.utf8.allSatisfy { $0 < 0x80 }, name)
        let bytes = Array(name.utf8) + Array(repeating: 0, count: 8 - name.utf8.count)
        self.init(bytes.reduce(0) { $0 << 8 | Int64($1) })
    }

    var name: String {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: self.rawValue >> (56 - 8 * $0)) }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
