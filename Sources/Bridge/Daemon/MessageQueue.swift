import DesktopBus
import Notifications
import Platform
import Synchronization

/// What other threads have to tell the daemon.
enum DaemonMessage: Sendable {
    case bus(DesktopEvent)
    case shown(token: Int, ShownNotification)
    /// - Parameters:
    ///   - reason: in one clause.
    ///   - error: that of the notification service; `nil` where it was not asked.
    case notShown(token: Int, reason: String, _ error: DesktopBusError? = nil)
    case toldElsewhere(token: Int)
    /// A notification was asked to go, and is gone or was not there.
    case closed(ShownNotification)
    /// The notification service was asked to start, and is there or is not going to be.
    case askedForService
    case written(action: Int)
    /// - Parameter forGood: whether it never can be written.
    case notWritten(action: Int, forGood: Bool)
}

/// Where they put it.
final class MessageQueue: Sendable {
    private let mail = Mutex<[DaemonMessage]>([])
    private let pipe: WakePipe

    init(_ pipe: WakePipe) { self.pipe = pipe }

    func post(_ mail: DaemonMessage) {
        self.mail.withLock { $0.append(mail) }
        self.pipe.wake()
    }

    /// All that is there, in the order in which it came.
    func takeAll() -> [DaemonMessage] {
        self.mail.withLock { mail in
            defer { mail = [] }
            return mail
        }
    }
}
