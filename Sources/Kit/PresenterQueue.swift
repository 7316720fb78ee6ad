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
    private let calls = AsyncStream.makeStream(of: Call.self)
    private let lastID = Mutex<UInt32>(0)

    init(instance: String) { self.instance = instance }

    func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    ) {
        let id = notification.replaces?.number ?? self.newID()
        self.calls.continuation.yield(.show(Alarm(notification, id: id), report: report))
    }

    func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void) {
        self.calls.continuation.yield(.remove(notification.number, report: report))
    }

    private func newID() -> Alarm.ID {
        self.lastID.withLock { last in
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
                    report(.success(NotificationID(number: alarm.id, service: self.instance)))
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
