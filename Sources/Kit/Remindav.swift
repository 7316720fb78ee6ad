import Glibc
public import RemindavBridge
import RemindavICalendar
import RemindavSQLiteStore
import RemindavStore

/// The reminders of one store, with their lists, labels, accounts, alarms and feeds.
///
/// Several processes may use a store at the same time, among them the program `remindav`. All functions throw
/// ``RemindavError``. A function without `async` changes everything or nothing, and records one run that ``undo(run:)``
/// reverts. A function with `async` may have changed the server, or a part of the lists, before it failed.
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

    /// Performs a step that waits for a server or a command, and converts its error.
    ///
    /// The step runs outside of the actor, so that a slow command for a password delays neither alarms nor other calls.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UseCases) async throws -> Value
    ) async throws(RemindavError) -> Value {
        defer { self.wakeWaiting() }
        return try await Self.concurrently(self.useCases, body)
    }

    @concurrent
    private static func concurrently<Value: Sendable>(
        _ useCases: UseCases,
        _ body: @Sendable (UseCases) async throws -> Value
    ) async throws(RemindavError) -> Value {
        do { return try await body(useCases) } catch { throw RemindavError(error) }
    }

    /// Wakes the tasks that wait for changes of a store in memory, except `own`.
    func wakeWaiting(except own: StoreWaiter? = nil) {
        for waiter in self.waiting.values where waiter !== own { waiter.wake() }
    }

    private static func converting<Value>(_ body: () throws -> Value) throws(RemindavError) -> Value {
        do { return try body() } catch { throw RemindavError(error) }
    }
}

extension Configuration {
    /// A configuration with the clock, the zone, the zone files, the keyring and the name servers of the operating system.
    ///
    /// - Parameter storeFolder: the absolute path of the folder with the store and the stored passwords.
    public static func system(storeFolder: String) -> Self {
        var environment: [String: String] = [:]
        for name in ["TZ", "TZDIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] {
            environment[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return Configuration(
            storeFolder: storeFolder,
            localZone: Self.localZoneName(environment: environment),
            zones: Self.systemZones(environment: environment),
            now: { Instant(secondsSince1970: Int64(time(nil))) },
            keyring: Keyring.secretService(environment: environment),
            resolver: SystemResolver()
        )
    }
}
