import Glibc
import ICalendar
import Platform
package import Reminders
import Store

/// Reports changes of the store by any process, and alarms, to open pages.
package final class StoreWatch: Sendable {
    package enum Event: Sendable, Hashable {
        /// The content of the store may be different.
        case changed
        /// An alarm is due of the reminder with this title.
        case fired(title: String)
        /// Nothing has happened for ``quietSeconds``.
        case nothing
    }

    /// The maximum number of seconds between two events; after it, the streams show whether their clients are there.
    private static let quietSeconds = 25
    /// The microseconds after a write to the store's files in which further writes belong to the same change.
    private static let debounceMicroseconds: UInt32 = 150_000

    private let useCases: UseCases
    private let settings: AlarmSettings
    private let muted: MuteRules

    package init(_ useCases: UseCases, settings: AlarmSettings = AlarmSettings(), muted: MuteRules = MuteRules()) {
        self.useCases = useCases
        self.settings = settings
        self.muted = muted
    }

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
        var next = self.nextAlarms
        while true {
            let seconds = next.first.map { max(0, $0.fires.secondsSince1970 - self.useCases.now.secondsSince1970) }
            let wait = min(Self.quietSeconds, seconds.map { Int(clamping: $0) } ?? .max)
            let isWritten = Self.waits(for: folders, seconds: wait)
            if isWritten {
                usleep(Self.debounceMicroseconds)
                _ = folders?.changes()
            }
            let now = self.useCases.now
            var events: [Event] = []
            if let due = next.first?.fires, due <= now {
                events = self.present(next, at: due).map { .fired(title: $0.title) }
                next = self.nextAlarms
            }
            let latest = self.version
            if latest != version {
                events.append(.changed)
                version = latest
                next = self.nextAlarms
            }
            if events.isEmpty, isWritten { continue }
            for event in events.isEmpty ? [.nothing] : events where !report(event) { return }
        }
    }

    /// The version of the store; `nil` if it cannot be read now.
    private var version: ContentVersion? { try? self.useCases.contentVersion }

    /// The next alarms, which all fire at the same time.
    private var nextAlarms: [ReminderAlarm] {
        let alarms = (try? self.useCases.pendingAlarms(settings: self.settings, muted: self.muted)) ?? []
        return alarms.map(\.alarm).prefix { $0.fires == alarms.first?.alarm.fires }.map(\.self)
    }

    /// The alarms that still exist: their reminders may have been completed or deleted just before this moment.
    private func present(_ alarms: [ReminderAlarm], at due: Instant) -> [ReminderAlarm] {
        let before = due.adding(seconds: -1)
        let present = (try? self.useCases.alarms(after: before, upTo: due, settings: self.settings)) ?? []
        let ids = Set(present.map(\.id))
        return alarms.filter { ids.contains($0.id) }
    }

    /// Returns whether files in the watched folders were written; `false` after the given time.
    private static func waits(for folders: FolderWatch?, seconds: Int) -> Bool {
        var entry = pollfd(fd: folders?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, Int32(clamping: seconds * 1000)) > 0
    }
}
