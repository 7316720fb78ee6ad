import RemindavNotifications
import Synchronization

/// Passes the calls of the scheduler to a presenter, one after the other.
final class PresenterQueue: NotificationPresenter {
    private enum Call: Sendable {
        case show(Alarm, report: @Sendable (Result<NotificationID, any Error>) -> Void)
        case remove(Alarm.ID, report: @Sendable () -> Void)
    }

    /// A name for this run of the presenter, because it does not know the alarms of an earlier run.
    let instance: String
    /// The scheduler asks for few notifications at a time (``SchedulerLimits``), and waits for the report of each one.
    private let calls = AsyncStream.makeStream(of: Call.self)
    private let lastNumber = Mutex<UInt32>(0)

    init(instance: String) { self.instance = instance }

    func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    ) {
        let id = Alarm.ID(run: self.instance, number: notification.replaces?.number ?? self.newNumber())
        self.calls.continuation.yield(.show(Alarm(notification, id: id), report: report))
    }

    func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void) {
        self.calls.continuation.yield(
            .remove(Alarm.ID(run: self.instance, number: notification.number), report: report)
        )
    }

    private func newNumber() -> UInt32 {
        self.lastNumber.withLock { last in
            last += 1
            return last
        }
    }

    /// Performs the calls until the task is cancelled.
    func forward(to presenter: any AlarmPresenter) async {
        for await call in self.calls.stream {
            switch call {
            case .show(let alarm, let report):
                do {
                    try await presenter.show(alarm)
                    report(.success(NotificationID(number: alarm.id.number, service: self.instance)))
                } catch {
                    report(.failure(error))
                }
            case .remove(let alarm, let report):
                await presenter.remove(alarm)
                report()
            }
        }
    }
}
