import DesktopBus
import Dispatch
import Synchronization

/// What a person's desktop can be asked by a command that waits for the answer.
///
/// A door, since what lies beyond cannot be had in a test. Each question is answered within ``DesktopTimeouts``, whatever
/// the bus and the service do, and the library that speaks to the bus is loaded by the first of them.
package struct Desktop: Sendable {
    /// Who shows notifications; has it started, where it is one that starts when somebody asks.
    package let look: @Sendable () -> Result<NotificationProgram, NotificationFailure>
    /// Shows a notification that says how reminders are shown.
    package let showTest: @Sendable () -> Result<Void, NotificationFailure>

    /// A desktop of which each part is given, as by a test.
    package init(
        look: @escaping @Sendable () -> Result<NotificationProgram, NotificationFailure>,
        showTest: @escaping @Sendable () -> Result<Void, NotificationFailure>
    ) {
        self.look = look
        self.showTest = showTest
    }

    /// That of the session which an environment names.
    package static func ofTheSession(_ environment: [String: String]) -> Self {
        Desktop(
            look: {
                Self.ask(environment) { $0.askForService(then: $1) }
                    .map(NotificationProgram.init).mapError(NotificationFailure.init)
            },
            showTest: {
                Self.ask(environment) { $0.show(.test, then: $1) }
                    .map { _ in }.mapError(NotificationFailure.init)
            }
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
        question(notifier) { answer.give($0) }
        return answer.wait(seconds: DesktopTimeouts.seconds) ?? .failure(DesktopBusError(.serviceSilent))
    }
}

/// How long somebody who has typed a command waits for the desktop.
enum DesktopTimeouts {
    /// Seconds for a connection, and for each call after it; a service that has to be started may start in them.
    static let callSeconds = 5.0
    /// Seconds for all of it, after which it is given up though nobody has said so: a connection and a call that both
    /// take nearly all their time are too slow for somebody who waits.
    static let seconds = 8

    static var limits: BusLimits {
        var limits = BusLimits.standard
        limits.connectSeconds = self.callSeconds
        limits.callSeconds = self.callSeconds
        return limits
    }
}

/// The program that shows notifications, by what it says of itself.
package struct NotificationProgram: Hashable, Sendable {
    /// Empty where it did not say.
    package let name: String
    /// Empty where it did not say.
    package let version: String
    /// What it says it can, in the words of the Desktop Notifications Specification: `actions`, `body-markup`, `sound`.
    package let capabilities: Set<String>
    /// Why it is not known what it can; `nil` when it has said.
    package let trouble: NotificationFailure?

    /// A program of which each part is given.
    package init(name: String, version: String, capabilities: Set<String>, trouble: NotificationFailure? = nil) {
        self.name = name
        self.version = version
        self.capabilities = capabilities
        self.trouble = trouble
    }

    init(_ service: DesktopService) {
        self.init(
            name: service.name,
            version: service.version,
            capabilities: service.capabilities,
            trouble: service.trouble.map(NotificationFailure.init)
        )
    }
}

/// Why the desktop shows no notification: nothing of what was to be shown is in it.
package struct NotificationFailure: Error, Hashable, Sendable {
    /// What happened, in one clause.
    package let reason: String
    /// What a person can do about it, in sentences; empty when it mends itself or there is nothing.
    package let advice: String
    /// Whether this process is outside of any session, and so cannot tell what there is in one.
    package let isOutside: Bool

    /// A trouble of which each part is given.
    package init(reason: String, advice: String, isOutside: Bool = false) {
        self.reason = reason
        self.advice = advice
        self.isOutside = isOutside
    }

    init(_ error: DesktopBusError) {
        self.init(reason: error.description, advice: error.advice, isOutside: error.code == .noAddress)
    }
}

extension DesktopNotification {
    /// What shows a person how reminders are shown.
    ///
    /// It names no desktop file: GNOME takes away what a program with one has shown when that ends, as a command does.
    fileprivate static let test = DesktopNotification(
        title: "Reminders",
        body: "This is a test. Your reminders are shown like this when they are due."
    )
}

/// Something that another thread gives, and one thread waits for.
private final class Awaited<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ value: Value) {
        self.value.withLock { $0 = value }
        self.isThere.signal()
    }

    /// - Returns: `nil` when it does not come in time.
    func wait(seconds: Int) -> Value? {
        guard self.isThere.wait(timeout: .now() + .seconds(seconds)) == .success else { return nil }
        return self.value.withLock { $0 }
    }
}
