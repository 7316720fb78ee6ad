package import Notifications
internal import Synchronization

/// The notification service of a desktop (Desktop Notifications Specification), over the session bus.
///
/// It has one connection with one thread. The thread connects at once, reconnects when the connection ends, and sleeps
/// while there is no work. No call blocks the caller, and no wait is longer than ``BusLimits`` allows. Requests are
/// carried out in their order. Completion handlers run on that thread and must return quickly.
package final class DesktopNotifier: Sendable {
    private let driver: BusDriver
    private let lastID = Mutex<UInt64>(0)

    /// Starts the connection.
    ///
    /// - Parameter onEvent: receives the events of the service, in order. They concern requested notifications; changes of
    ///   the service itself are checked only now and then.
    package convenience init(
        address: BusAddress,
        limits: BusLimits = .standard,
        onEvent: @escaping @Sendable (DesktopEvent) -> Void
    ) {
        self.init(address: address, limits: limits, onEvent: onEvent, ended: {})
    }

    init(
        address: BusAddress,
        limits: BusLimits,
        onEvent: @escaping @Sendable (DesktopEvent) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        self.driver = BusDriver(address: address, limits: limits, onEvent: onEvent, ended: ended)
    }

    deinit { self.driver.stop() }

    /// Ends the connection.
    ///
    /// Notifications stay on the screen; waiting requests are cancelled.
    package func stop() { self.driver.stop() }

    /// Shows a notification, and returns its number when it is on the screen.
    ///
    /// - Parameter replaced: the notification to replace. A notification of another service instance is gone and is not
    ///   replaced.
    package func show(
        _ notification: DesktopNotification,
        replacing replaced: NotificationID? = nil,
        then: @escaping @Sendable (Result<NotificationID, DesktopBusError>) -> Void
    ) {
        self.ask(.show(notification, replacing: replaced)) { outcome in
            then(Self.read(outcome) { if case .shown(let notification) = $0 { notification } else { nil } })
        }
    }

    /// Closes a notification; no error if it belonged to another service instance and is already gone.
    ///
    /// The service also sends a closed event, if the notification existed.
    package func close(
        _ notification: NotificationID,
        then: @escaping @Sendable (Result<Void, DesktopBusError>) -> Void
    ) {
        self.ask(.close(notification)) { then($0.map { _ in }) }
    }

    /// Returns the name and the capabilities of the service, and starts the service if the bus can start it on demand.
    package func askForService(then: @escaping @Sendable (Result<DesktopService, DesktopBusError>) -> Void) {
        self.ask(.describe) { outcome in
            then(Self.read(outcome) { if case .service(let service) = $0 { service } else { nil } })
        }
    }

    /// Accepts clicks on notifications that an earlier process showed, if the same service instance is still running.
    ///
    /// - Parameter keys: the keys of its actions.
    package func adopt(_ notification: NotificationID, keys: Set<String>) {
        self.driver.adopt(notification, keys: keys)
    }

    /// Shows a number on the program's icon in docks, none for 0; without a dock it has no effect.
    ///
    /// It is sent when it changes, and again to a desktop that starts later.
    package func showCount(_ count: Int) { self.driver.count(count) }

    /// Posts a request.
    ///
    /// - Returns: the identifier to cancel it with.
    @discardableResult
    func ask(_ request: NotificationProtocol.Request, then: @escaping @Sendable (BusDriver.Outcome) -> Void) -> UInt64 {
        let id = self.lastID.withLock { counter in
            counter += 1
            return counter
        }
        self.driver.ask(BusDriver.Ticket(id: id, request: request, then: then))
        return id
    }

    /// Cancels a request; if it has not ended, it ends with ``DesktopBusError/Code/cancelled``.
    func cancel(_ id: UInt64) { self.driver.cancel(id) }

    private static func read<Value>(
        _ outcome: BusDriver.Outcome,
        _ value: (NotificationProtocol.Answer) -> Value?
    ) -> Result<Value, DesktopBusError> {
        outcome.flatMap { answer in value(answer).map(Result.success) ?? .failure(DesktopBusError(.badAnswer)) }
    }
}
