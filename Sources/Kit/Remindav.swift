import Glibc
public import RemindavBridge
import RemindavICalendar
import RemindavSQLiteStore
import RemindavStore

/// The reminders of one store, with their lists, labels, accounts, alarms and feeds.
///
/// Several processes may use a store at the same time, among them the program `remindav`. All functions throw
/// ``RemindavError``. A function that changes reminders changes all of them or none, and records one run that
/// ``undo(run:)`` reverts.
///
/// ```swift
/// let remindav = try Remindav(.system(storeFolder: folder))
/// let id = try await remindav.add(ReminderDraft(title: "Call Ben")).id
/// try await remindav.complete(id)
/// ```
public actor Remindav {
    let useCases: UseCases
    /// The delivery of alarms, during ``deliverAlarms(to:settings:muted:)``.
    var delivery: AlarmDelivery?
    /// The waiting tasks that a change wakes, for a store in memory, which has no files to watch.
    var waiting: [ObjectIdentifier: StoreWaiter] = [:]

    /// Opens the store in the folder of the configuration; a missing folder and store are created.
    ///
    /// A store of an older version is migrated.
    public init(_ configuration: Configuration) throws(RemindavError) {
        self.useCases = try Self.converting { try UseCases.open(configuration) }
    }

    /// Creates an empty store in memory, such as for tests and previews.
    public init(inMemory configuration: Configuration) throws(RemindavError) {
        self.useCases = try Self.converting {
            UseCases(configuration: configuration, store: try ReminderStore.inMemory())
        }
    }

    /// Performs a step of the use cases, and converts its error.
    func perform<Value>(_ body: () throws -> Value) throws(RemindavError) -> Value {
        defer { self.wakeWaiting() }
        return try Self.converting(body)
    }

    /// Performs a step that waits for a server, and converts its error.
    func perform<Value: Sendable>(_ body: () async throws -> Value) async throws(RemindavError) -> Value {
        defer { self.wakeWaiting() }
        do { return try await body() } catch { throw RemindavError(error) }
    }

    private func wakeWaiting() {
        for waiter in self.waiting.values { waiter.wake() }
    }

    private static func converting<Value>(_ body: () throws -> Value) throws(RemindavError) -> Value {
        do { return try body() } catch { throw RemindavError(error) }
    }
}

extension Configuration {
    /// A configuration with the clock, the zone and the time zone database of the operating system.
    ///
    /// - Parameter storeFolder: the absolute path of the folder with the store and the stored passwords.
    public static func system(storeFolder: String) -> Self {
        var environment: [String: String] = [:]
        for name in ["TZ", "TZDIR"] { environment[name] = unsafe getenv(name).map { unsafe String(cString: $0) } }
        return Configuration(
            localZone: Self.localZoneName(environment: environment),
            zones: Self.systemZones(environment: environment),
            storeFolder: storeFolder,
            now: { Instant(secondsSince1970: Int64(time(nil))) }
        )
    }
}
