package import RemindavNotifications
internal import Synchronization

/// The client of the desktop's notification service (Desktop Notifications Specification) on the session bus.
///
/// It has one connection with one thread. The thread connects at once, connects again after the connection has ended,
/// and sleeps while there is no work. No method blocks the caller, and no wait is longer than ``BusLimits`` allows.
/// Requests are carried out in their order. Completion handlers run on the thread and must return quickly.
package final class DesktopNotifier: Sendable {
    private let driver: BusDriver
    private let lastID = Mutex<UInt64>(0)

    /// - Parameter onEvent: receives events of the requested notifications and changes of the service, in their order.
    package init(
        address: BusAddress,
        limits: BusLimits = .standard,
        ended: @escaping @Sendable () -> Void = {},
        onEvent: @escaping @Sendable (DesktopEvent) -> Void
    ) {
        self.driver = BusDriver(address: address, limits: limits, onEvent: onEvent, ended: ended)
    }

    deinit { self.driver.stop() }

    /// Cancels waiting requests and ends the connection; notifications stay on the screen.
    package func stop() { self.driver.stop() }

    /// Shows a notification; `replaced` is ignored if it belongs to another service instance.
    package func show(
        _ notification: DesktopNotification,
        replacing replaced: NotificationID? = nil,
        then: @escaping @Sendable (Result<NotificationID, DesktopBusError>) -> Void
    ) {
        self.ask(.show(notification, replacing: replaced)) { outcome in
            then(Self.read(outcome) { if case .shown(let notification) = $0 { notification } else { nil } })
        }
    }

    /// Closes a notification; an error is not reported, because it means that the notification or its service is gone.
    ///
    /// If the notification existed, the service also sends an event that it was closed.
    package func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void) {
        self.ask(.close(notification)) { _ in report() }
    }

    /// Describes the service, and starts it if the bus can start it on demand.
    package func findService(then: @escaping @Sendable (Result<DesktopService, DesktopBusError>) -> Void) {
        self.ask(.describe) { outcome in
            then(Self.read(outcome) { if case .service(let service) = $0 { service } else { nil } })
        }
    }

    /// Accepts clicks on a notification of an earlier process, if the same service instance is still running.
    package func adopt(_ notification: NotificationID, keys: Set<String>) {
        self.driver.post(.adopted(notification, keys: keys))
    }

    /// Shows a number on the program's icon in docks, also in docks that start later; 0 shows no number.
    package func showCount(_ count: Int) { self.driver.post(.counted(count)) }

    @discardableResult
    func ask(_ request: NotificationProtocol.Request, then: @escaping BusDriver.Completion) -> UInt64 {
        let id = self.lastID.withLock { counter in
            counter += 1
            return counter
        }
        self.driver.post(.asked(id, request), then: then)
        return id
    }

    /// Cancels a request; if the request has not ended, it ends with ``DesktopBusError/Code/cancelled``.
    func cancel(_ id: UInt64) { self.driver.post(.cancelled(id)) }

    private static func read<Value>(
        _ outcome: BusDriver.Outcome,
        _ value: (NotificationProtocol.Answer) -> Value?
    ) -> Result<Value, DesktopBusError> {
        outcome.flatMap { answer in value(answer).map(Result.success) ?? .failure(DesktopBusError(.badAnswer)) }
    }
}
