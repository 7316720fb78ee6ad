import RemindavNotifications

/// The notifications whose clicks are tracked, with the valid action keys of each.
struct ShownNotifications: Sendable {
    private struct Notification: Sendable {
        let keys: Set<String>
        var invocations = 0
        let turn: Int
    }

    private let limits: BusLimits
    private var notifications: [NotificationID: Notification] = [:]
    private var lastTurn = 0
    init(limits: BusLimits) { self.limits = limits }
    var count: Int { self.notifications.count }
    func contains(_ notification: NotificationID) -> Bool { self.notifications[notification] != nil }

    mutating func insert(_ notification: NotificationID, keys: Set<String>) {
        self.lastTurn += 1
        self.notifications[notification] = Notification(keys: keys, turn: self.lastTurn)
        guard self.notifications.count > self.limits.shownNotifications else { return }
        if let oldest = self.notifications.min(by: { $0.value.turn < $1.value.turn }) {
            self.notifications[oldest.key] = nil
        }
    }

    mutating func remove(_ notification: NotificationID) { self.notifications[notification] = nil }

    mutating func removeAll(but run: String) {
        self.notifications = self.notifications.filter { $0.key.service == run }
    }

    /// Whether a click is valid: its button was offered, and the notification has not had too many clicks.
    mutating func accepts(_ notification: NotificationID, key: String) -> Bool {
        guard var known = self.notifications[notification], known.keys.contains(key),
            known.invocations < self.limits.invocations
        else { return false }
        known.invocations += 1
        self.notifications[notification] = known
        return true
    }
}
