import RemindavNotifications

@testable import RemindavDesktopBus

/// A ``DesktopNotifier`` with calls that wait for their answer and can be cancelled.
final class AwaitedNotifier: Sendable {
    /// The events of the service, for one reader.
    ///
    /// The stream ends with the notifier.
    let events: AsyncStream<DesktopEvent>
    private let notifier: DesktopNotifier

    init(address: BusAddress, limits: BusLimits = .standard) {
        let (events, continuation) = AsyncStream<DesktopEvent>.makeStream()
        self.events = events
        self.notifier = DesktopNotifier(
            address: address,
            limits: limits,
            ended: { continuation.finish() },
            onEvent: { continuation.yield($0) }
        )
    }

    func stop() { self.notifier.stop() }

    func show(
        _ notification: DesktopNotification,
        replacing replaced: NotificationID? = nil
    ) async throws(DesktopBusError) -> NotificationID {
        guard case .shown(let notification) = try await self.ask(.show(notification, replacing: replaced)) else {
            throw DesktopBusError(.badAnswer)
        }
        return notification
    }

    func close(_ notification: NotificationID) async throws(DesktopBusError) {
        _ = try await self.ask(.close(notification))
    }

    func service() async throws(DesktopBusError) -> DesktopService {
        guard case .service(let service) = try await self.ask(.describe) else { throw DesktopBusError(.badAnswer) }
        return service
    }

    func adopt(_ notification: NotificationID, keys: Set<String>) { self.notifier.adopt(notification, keys: keys) }

    private func ask(_ request: NotificationProtocol.Request) async throws(DesktopBusError)
        -> NotificationProtocol.Answer
    {
        let state = Locked((id: UInt64?.none, isCancelled: false))
        let outcome: BusDriver.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = self.notifier.ask(request) { continuation.resume(returning: $0) }
                let isCancelled = state.withLock { state in
                    state.id = id
                    return state.isCancelled
                }
                if isCancelled { self.notifier.cancel(id) }
            }
        } onCancel: {
            let id = state.withLock { state in
                state.isCancelled = true
                return state.id
            }
            if let id { self.notifier.cancel(id) }
        }
        return try outcome.get()
    }
}
