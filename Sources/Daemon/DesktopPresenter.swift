import RemindavDesktopBus
package import RemindavNotifications
import RemindavReminders

extension DesktopNotifier: NotificationPresenter {
    /// Shows a notification on the desktop.
    package func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    ) {
        self.show(DesktopNotification(notification), replacing: notification.replaces) { outcome in
            report(outcome.mapError { $0 })
        }
    }
}

extension DesktopNotifier {
    /// Accepts clicks on notifications of an earlier daemon, if the notification service has not restarted since.
    func adopt(_ state: DeliveryState) {
        let keys = Set(NotificationAction.ofReminder.map(\.key))
        for notification in state.slots.values.compactMap(\.notification) + state.closing {
            self.adopt(notification, keys: keys)
        }
        let summarized = state.slots.values.count { $0.place == .summary }
        let summaryKeys = Set(NotificationAction.ofSummary(of: summarized).map(\.key))
        if let summary = state.summary { self.adopt(summary, keys: summaryKeys) }
    }
}

extension DesktopNotification {
    /// Creates a notification that stays until the user closes it.
    init(_ notification: Notification) {
        self.init(title: notification.text.title, body: notification.text.body)
        self.urgency = Self.urgency(notification.priority)
        self.category = ReminderAlarm.category
        self.sound = ReminderAlarm.sound
        self.desktopEntry = "remindav"
        self.actions = notification.actions
        self.isPersistent = true
        self.appearance = notification.appearance
    }

    private static func urgency(_ priority: Priority) -> Urgency {
        switch priority {
        case .high: .critical
        case .medium, .undefined: .normal
        case .low: .low
        }
    }
}

/// The daemon's knowledge of the notification service; it converts messages to events of the scheduler and the log.
struct NotificationServiceState {
    private(set) var service: String?
    /// The reason of the last failure; `nil` when the current service has not failed.
    private(set) var failureReason: String?
    private(set) var reported: Set<DesktopBusError.Code> = []
    /// Notifications whose number arrived before the event that announces their service.
    private var early: [(token: Int, notification: NotificationID)] = []

    mutating func handle(_ event: DesktopEvent) -> (events: [SchedulerEvent], log: [DaemonLogEvent]) {
        switch event {
        case .service(let service):
            self.failureReason = nil
            return (self.change(to: service.run), [.service(name: service.name)])
        case .unavailable(let error):
            let log = self.unavailable(error)
            return (self.change(to: nil), log)
        case .invoked(let notification, let key):
            return (self.isCurrent(notification) ? [.invoked(number: notification.number, action: key)] : [], [])
        case .closed(let notification, let reason): return (self.closed(notification, reason), [])
        }
    }

    mutating func unavailable(_ error: DesktopBusError) -> [DaemonLogEvent] {
        self.failureReason = error.description
        return [.noService(reason: error.description, advice: error.advice)]
    }

    mutating func closed(_ notification: NotificationID, _ reason: CloseReason) -> [SchedulerEvent] {
        self.isCurrent(notification) ? [.closed(number: notification.number, reason)] : []
    }

    mutating func shown(_ token: Int, _ notification: NotificationID) -> [SchedulerEvent] {
        guard self.isCurrent(notification) else {
            self.early.append((token, notification))
            return []
        }
        return [.shown(token: token, number: notification.number)]
    }

    /// - Parameter error: the error of the notification service; `nil` for an error of the notify command.
    /// - Returns: an event for the log. Each kind of failure of a service is logged once.
    mutating func notShown(_ reason: String, _ error: DesktopBusError?) -> [DaemonLogEvent] {
        self.failureReason = reason
        let ofService: Set<DesktopBusError.Code> = [.serviceSilent, .serviceRefused, .badAnswer]
        guard let error, self.service != nil, ofService.contains(error.code), self.reported.insert(error.code).inserted
        else { return [] }
        return [.notShown(reason: error.description, advice: error.advice)]
    }

    private func isCurrent(_ notification: NotificationID) -> Bool { notification.service == self.service }

    private mutating func change(to service: String?) -> [SchedulerEvent] {
        self.service = service
        self.reported = []
        defer { self.early = [] }
        let shown = self.early.filter { self.isCurrent($0.notification) }
        return [.service(service)] + shown.map { .shown(token: $0.token, number: $0.notification.number) }
    }
}
