import Dispatch
package import RemindavDesktopBus
import Synchronization

/// The desktop, for commands that wait for its answers; tests replace the functions.
///
/// Each answer arrives within ``DesktopTimeouts``, regardless of the bus and the service. The first call loads the bus
/// library.
package struct Desktop: Sendable {
    /// Describes the notification service, and starts it if the bus can start it on demand.
    package let describe: @Sendable () -> Result<DesktopService, DesktopBusError>
    package let showTest: @Sendable () -> Result<Void, DesktopBusError>

    package init(
        describe: @escaping @Sendable () -> Result<DesktopService, DesktopBusError>,
        showTest: @escaping @Sendable () -> Result<Void, DesktopBusError>
    ) {
        self.describe = describe
        self.showTest = showTest
    }

    /// The desktop of the session that the environment variables describe.
    package static func ofTheSession(_ environment: [String: String]) -> Self {
        Desktop(
            describe: { Self.ask(environment) { $0.findService(then: $1) } },
            showTest: { Self.ask(environment) { $0.show(.test, then: $1) }.map { _ in } }
        )
    }

    private static func ask<Value: Sendable>(
        _ environment: [String: String],
        _ question: (DesktopNotifier, @escaping @Sendable (Result<Value, DesktopBusError>) -> Void) -> Void
    ) -> Result<Value, DesktopBusError> {
        let address: BusAddress
        do {
            address = try BusAddress.session(in: environment)
        } catch {
            return .failure(error)
        }
        let notifier = DesktopNotifier(address: address, limits: DesktopTimeouts.limits) { _ in }
        defer { notifier.stop() }
        let answer = Awaited<Result<Value, DesktopBusError>>()
        question(notifier) { answer.set($0) }
        return answer.wait(seconds: DesktopTimeouts.seconds) ?? .failure(DesktopBusError(.serviceSilent))
    }
}

/// The time limits of commands that wait for the desktop.
enum DesktopTimeouts {
    /// The limit for connecting to the bus and for each call, in seconds; it is long enough for the start of a service.
    static let callSeconds = 5.0
    /// The limit for a whole answer, in seconds; it is less than the sum of the other limits, because a user waits.
    static let seconds = 8

    static var limits: BusLimits {
        var limits = BusLimits.standard
        limits.connectSeconds = self.callSeconds
        limits.callSeconds = self.callSeconds
        return limits
    }
}

extension DesktopNotification {
    /// This test names no desktop file: GNOME would close a notification with a desktop file when the command ends.
    fileprivate static let test = DesktopNotification(
        title: "Reminders",
        body: "This is a test. Your reminders are shown like this when they are due."
    )
}

/// A value that one thread sets and another thread waits for; after the time limit, the value is `nil`.
private final class Awaited<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ value: Value) {
        self.value.withLock { $0 = value }
        self.isSet.signal()
    }

    func wait(seconds: Int) -> Value? {
        guard self.isSet.wait(timeout: .now() + .seconds(seconds)) == .success else { return nil }
        return self.value.withLock { $0 }
    }
}
