package import RemindavICalendar
import RemindavRecurrence
import RemindavReminders
import RemindavSQLiteStore
package import RemindavStore

/// The operations on a store, for the command line and other interfaces.
package struct UseCases: Sendable {
    package let configuration: Configuration
    package let store: ReminderStore
    /// Makes use cases with another store object on the same content; `nil` for a store in files or in memory.
    private let reopen: (@Sendable () -> UseCases)?

    /// Opens the store, and creates a missing one (folder 0700, files 0600).
    ///
    /// - Throws: `DatabaseError` when the store is locked, damaged or from a newer version of this program.
    package static func open(_ configuration: Configuration) throws(DatabaseError) -> UseCases {
        UseCases(configuration: configuration, store: try ReminderStore.open(folder: configuration.storeFolder))
    }

    /// Creates the use cases of an open store, which may be in memory.
    ///
    /// - Parameter reopen: makes use cases with another store object on the same content; `nil` for a store in files or in
    ///   memory.
    package init(
        configuration: Configuration,
        store: ReminderStore,
        reopen: (@Sendable () -> UseCases)? = nil
    ) {
        self.configuration = configuration
        self.store = store
        self.reopen = reopen
    }

    /// The version of the store's content, as this connection counts it.
    package var contentVersion: ContentVersion {
        get throws(DatabaseError) {
            try self.store.read { snapshot throws(DatabaseError) in try snapshot.contentVersion() }
        }
    }

    /// The same use cases with a connection of their own to the store, which does not wait for other work.
    ///
    /// A store in memory has only one connection, which is used again.
    package func withOwnConnection() throws -> UseCases {
        if let reopen { return reopen() }
        return self.store.folder == nil ? self : try UseCases.open(self.configuration)
    }

    /// The inputs of an edit besides the reminder, such as the time for all time stamps of one use case.
    var editing: EditingContext {
        let zones = self.configuration.zones
        let now = self.configuration.now()
        let year = CalendarDateTime(localSeconds: now.secondsSince1970, zone: .utc).date.year
        var context = EditingContext(now: now) { name in
            zones.rules(named: name).map { VTimeZoneWriter.lines(name: name, rules: $0, year: year) }
        }
        context.dayTime = self.configuration.defaults.dayTime
        return context
    }

    var reader: ReminderReader { ReminderReader(self.configuration) }

    /// The current time.
    package var now: Instant { self.configuration.now() }

    /// The current time, in seconds since 1970.
    var seconds: Int64 { self.configuration.now().secondsSince1970 }

    /// A key that cannot be guessed, such as for an upload.
    package func randomKey() -> String { self.configuration.randomBytes(16).hexadecimal }

    /// A random identifier for a new reminder or label.
    package func newUID() -> String { NameUUID.random(self.configuration.randomBytes(16)) }
}

package typealias ListNames = [ListID: String]

extension StoreSnapshot {
    package func listNames() throws(DatabaseError) -> ListNames {
        Dictionary(uniqueKeysWithValues: try self.lists().map { ($0.id, $0.name) })
    }
}
