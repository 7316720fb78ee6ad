import Glibc
import RemindavICalendar
import RemindavPlatform
import RemindavReminders
import RemindavStore

/// Reports changes of the store by any process, and alarms, to open pages.
package final class StoreWatch: Sendable {
    /// A change or an alarm that open pages show.
    package enum Event: Sendable, Hashable {
        /// The content of the store may be different.
        case changed
        /// An alarm of the reminder with this title is due.
        case fired(title: String)
        /// Nothing has happened for ``quietSeconds``.
        case nothing
    }

    /// The maximum number of seconds between two events; a write then shows whether the client is connected.
    private static let quietSeconds = 25
    /// The pause in seconds between two questions for the version of a store without files, such as that of a tenant.
    private static let pollSeconds = 1
    /// The microseconds after a write to the store's files in which further writes belong to the same change.
    private static let debounceMicroseconds: UInt32 = 150_000

    private let alarms: AlarmTable
    private var useCases: UseCases { self.alarms.useCases }

    /// - Parameter alarms: the table whose store is watched, and whose alarms are reported.
    package init(_ alarms: AlarmTable) { self.alarms = alarms }

    /// Reports events on a thread of its own until `report` returns `false`.
    ///
    /// - Returns: whether the thread was started.
    package func start(_ report: @escaping @Sendable (Event) -> Bool) -> Bool {
        startThread(named: "open pages") { self.run(report) }
    }

    private func run(_ report: (Event) -> Bool) {
        // Without inotify, changes appear after `quietSeconds` instead.
        let folders = try? FolderWatch()
        if let folder = self.useCases.store.folder { _ = try? folders?.add(folder) }
        var version = self.version
        let isPolled = self.useCases.store.folder == nil
        var quiet = 0
        let isAwaited = self.alarms.isAwaited
        var next = try? self.alarms.next()
        if isAwaited, !report(.changed) { return }
        while true {
            let seconds = next.map { max(0, $0.time.secondsSince1970 - self.useCases.now.secondsSince1970) }
            let wait = min(Self.quietSeconds, seconds.map { Int(clamping: $0) } ?? .max)
            let pause = isPolled ? min(wait, Self.pollSeconds) : wait
            let isWritten = Self.waits(for: folders, seconds: pause)
            quiet += pause
            if isWritten {
                usleep(Self.debounceMicroseconds)
                _ = folders?.changes()
            }
            let now = self.useCases.now
            var events: [Event] = []
            if let due = next, due.time <= now {
                // The reminders may have been completed or deleted just before this moment.
                let present = (try? self.alarms.alarms(of: due.reminders, at: due.time)) ?? []
                events = present.map { .fired(title: $0.title) }
                next = try? self.alarms.next()
            }
            // A version that cannot be read now is read later.
            if let latest = self.version, latest != version {
                events.append(.changed)
                version = latest
                next = try? self.alarms.next()
            }
            if events.isEmpty, isWritten || quiet < wait { continue }
            quiet = 0
            for event in events.isEmpty ? [.nothing] : events where !report(event) { return }
        }
    }

    /// The version of the store; `nil` if it cannot be read now.
    private var version: ContentVersion? { try? self.useCases.contentVersion }

    /// Returns whether files in the watched folders were written; `false` after the given time.
    private static func waits(for folders: FolderWatch?, seconds: Int) -> Bool {
        var entry = pollfd(fd: folders?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, Int32(clamping: seconds * 1000)) > 0
    }
}
