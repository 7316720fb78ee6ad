/// The notification service of a desktop (Desktop Notifications Specification), over the session bus.
///
/// One connection with one thread, which begins to connect at once, connects again when the connection ends, and sleeps
/// while nothing happens. Nothing blocks the caller, and nothing waits for longer than ``BusLimits`` says. What is asked
/// for is done in the order in which it was asked. What comes of it is told on that thread: who is told puts it down and
/// returns.
package final class DesktopNotifier: Sendable {
    private let driver: BusDriver
    private let lastID = Lock<UInt64>(0)

    /// - Parameter hear: told what the service has to tell, in the order in which it came. It is of bubbles that were asked
    ///   for, and a service that comes and goes is looked at only now and then.
    package convenience init(
        address: BusAddress,
        limits: BusLimits = .standard,
        hear: @escaping @Sendable (DesktopEvent) -> Void
    ) {
        self.init(address: address, limits: limits, hear: hear, ended: {})
    }

    init(
        address: BusAddress,
        limits: BusLimits,
        hear: @escaping @Sendable (DesktopEvent) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        self.driver = BusDriver(address: address, limits: limits, hear: hear, ended: ended)
    }

    deinit { self.driver.stop() }

    /// Ends the connection.
    ///
    /// What is on the screen stays there; what waits is called off.
    package func stop() { self.driver.stop() }

    /// Shows something, and tells what to call it when it is on the screen.
    ///
    /// - Parameter replaced: whose place it takes. Of another run of the service it is gone, and has no place.
    package func show(
        _ notification: DesktopNotification,
        replacing replaced: ShownNotification? = nil,
        then: @escaping @Sendable (Result<ShownNotification, DesktopBusError>) -> Void
    ) {
        self.ask(.show(notification, replacing: replaced)) { outcome in
            then(Self.read(outcome) { if case .shown(let bubble) = $0 { bubble } else { nil } })
        }
    }

    /// Takes something off the screen; no error when it belongs to another run of the service and is gone with it.
    ///
    /// The service tells that it is closed as well, if it was there.
    package func close(
        _ bubble: ShownNotification,
        then: @escaping @Sendable (Result<Void, DesktopBusError>) -> Void
    ) {
        self.ask(.close(bubble)) { then($0.map { _ in }) }
    }

    /// Tells who shows notifications, and what it can; has it started, where it is one that starts when somebody asks.
    package func askForService(then: @escaping @Sendable (Result<DesktopService, DesktopBusError>) -> Void) {
        self.ask(.describe) { outcome in
            then(Self.read(outcome) { if case .service(let service) = $0 { service } else { nil } })
        }
    }

    /// Listens for clicks on what was shown before this program was started, if the same run of the service is still there.
    ///
    /// - Parameter keys: of the actions that it was shown with.
    package func adopt(_ bubble: ShownNotification, keys: Set<String>) { self.driver.adopt(bubble, keys: keys) }

    /// Has docks show a number on the program's icon, none for 0; nothing happens where nobody listens.
    ///
    /// It is told when it is another than before, and to a desktop that comes later.
    package func showCount(_ count: Int) { self.driver.count(count) }

    /// - Returns: by which to call it off.
    @discardableResult
    func ask(_ request: Conversation.Request, then: @escaping @Sendable (BusDriver.Outcome) -> Void) -> UInt64 {
        let id = self.lastID.withLock { counter in
            counter += 1
            return counter
        }
        self.driver.ask(BusDriver.Ticket(id: id, request: request, then: then))
        return id
    }

    /// Nobody waits for this any more; it ends with ``DesktopBusError/Code/cancelled`` if it has not ended.
    func cancel(_ id: UInt64) { self.driver.cancel(id) }

    private static func read<Value>(
        _ outcome: BusDriver.Outcome,
        _ value: (Conversation.Answer) -> Value?
    ) -> Result<Value, DesktopBusError> {
        outcome.flatMap { answer in value(answer).map(Result.success) ?? .failure(DesktopBusError(.badAnswer)) }
    }
}
