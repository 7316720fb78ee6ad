/// The notification service of a desktop (Desktop Notifications Specification), over the session bus.
///
/// One connection with one thread, which begins to connect at once, connects again when the connection ends, and sleeps
/// while nothing happens. Nothing blocks the caller, and nothing waits for longer than ``BusLimits`` says.
package final class DesktopNotifier: Sendable {
    /// What the service has to tell, in the order in which it came, for one reader.
    ///
    /// Ends when the notifier does. What nobody reads is kept; it cannot grow without end, since it is of bubbles that were
    /// asked for, and a service that comes and goes is looked at only now and then.
    package let events: AsyncStream<DesktopEvent>
    private let driver: BusDriver
    private let lastID = Lock<UInt64>(0)

    package init(address: BusAddress, limits: BusLimits = .standard) {
        let (events, continuation) = AsyncStream<DesktopEvent>.makeStream()
        self.events = events
        self.driver = BusDriver(address: address, limits: limits, events: continuation)
    }

    deinit { self.driver.stop() }

    /// Ends the connection.
    ///
    /// What is on the screen stays there; what waits is called off.
    package func stop() { self.driver.stop() }

    /// Shows something, and says what to call it when it is on the screen.
    ///
    /// - Parameter replaced: whose place it takes. Of another run of the service it is gone, and has no place.
    package func show(
        _ notification: DesktopNotification,
        replacing replaced: ShownNotification? = nil
    ) async throws(DesktopBusError) -> ShownNotification {
        guard case .shown(let bubble) = try await self.ask(.show(notification, replacing: replaced)) else {
            throw DesktopBusError(.badAnswer)
        }
        return bubble
    }

    /// Takes something off the screen; no error when it belongs to another run of the service and is gone with it.
    ///
    /// The service tells that it is closed as well, if it was there.
    package func close(_ bubble: ShownNotification) async throws(DesktopBusError) {
        _ = try await self.ask(.close(bubble))
    }

    /// Who shows notifications, and what it can.
    package func service() async throws(DesktopBusError) -> DesktopService {
        guard case .service(let service) = try await self.ask(.describe) else { throw DesktopBusError(.badAnswer) }
        return service
    }

    /// Listens for clicks on what was shown before this program was started, if the same run of the service is still there.
    ///
    /// - Parameter keys: of the actions that it was shown with.
    package func adopt(_ bubble: ShownNotification, keys: Set<String>) { self.driver.adopt(bubble, keys: keys) }

    private func ask(_ request: Conversation.Request) async throws(DesktopBusError) -> Conversation.Answer {
        let id = self.lastID.withLock { counter in
            counter += 1
            return counter
        }
        let isCancelled = Lock(false)
        let outcome: BusDriver.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.driver.ask(
                    BusDriver.Ticket(id: id, request: request, continuation: continuation) {
                        isCancelled.withLock { $0 }
                    }
                )
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            self.driver.cancel(id)
        }
        return try outcome.get()
    }
}
