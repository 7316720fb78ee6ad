import Notifications

/// The notifications with tracked clicks, and the valid actions of each.
struct ShownNotifications: Sendable {
    private struct Notification: Sendable {
        let keys: Set<String>
        var invocations = 0
        let turn: Int
    }

    private let limits: BusLimits
    private var notifications: [NotificationID: Notification] = [:]
    /// In the order of arrival, with gaps.
    private var order: [(notification: NotificationID, turn: Int)] = []
    /// The number of leading entries that are no longer valid.
    private var passed = 0
    private var lastTurn = 0

    init(limits: BusLimits) { self.limits = limits }

    var count: Int { self.notifications.count }

    func contains(_ notification: NotificationID) -> Bool { self.notifications[notification] != nil }

    mutating func insert(_ notification: NotificationID, keys: Set<String>) {
        self.lastTurn += 1
        self.notifications[notification] = Notification(keys: keys, turn: self.lastTurn)
        self.order.append((notification, self.lastTurn))
        while self.notifications.count > self.limits.shownNotifications, self.passed < self.order.count {
            let (oldest, turn) = self.order[self.passed]
            if self.notifications[oldest]?.turn == turn { self.notifications[oldest] = nil }
            self.passed += 1
        }
        guard self.order.count > 2 * self.limits.shownNotifications else { return }
        // Rarely done, so that the average cost is very small.
        self.order.removeAll { self.notifications[$0.notification]?.turn != $0.turn }
        self.passed = 0
    }

    mutating func remove(_ notification: NotificationID) { self.notifications[notification] = nil }

    /// Removes the notifications of all other service instances.
    mutating func removeAll(but run: String) {
        self.notifications = self.notifications.filter { $0.key.service == run }
        self.order.removeAll { self.notifications[$0.notification]?.turn != $0.turn }
        self.passed = 0
    }

    /// Whether a click counts: its button was offered, and the limit of clicks is not reached.
    mutating func accepts(_ notification: NotificationID, key: String) -> Bool {
        guard var known = self.notifications[notification], known.keys.contains(key),
            known.invocations < self.limits.invocations
        else { return false }
        known.invocations += 1
        self.notifications[notification] = known
        return true
    }
}
