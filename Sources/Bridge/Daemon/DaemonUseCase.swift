import Notifications
import Reminders
import Store

extension UseCases {
    /// Rings for the reminders of the store until the task is cancelled.
    ///
    /// - Throws: `daemonIsRunning` when another process does; `DatabaseError` when the store cannot be used at all.
    package func ring(_ settings: DaemonSettings, _ surroundings: DaemonSurroundings) async throws {
        let folder = self.store.folder ?? self.configuration.storeFolder
        let lock = try Self.lockForDaemon(folder)
        defer { withExtendedLifetime(lock) {} }
        var settings = settings
        settings.rings.tellsElsewhere = settings.notifyCommand != nil || surroundings.tell != nil
        settings.rings.silentLists = Set(settings.silent.lists.map { LabelKey($0).text })
        settings.rings.silentLabels = Set(settings.silent.labels.map(LabelKey.init))
        let chosen = settings
        let bell = try WakeSources.Bell()
        let mailbox = Mailbox(bell)
        try await withTaskCancellationHandler {
            // A thread of its own: it sleeps, which no thread of Swift's tasks may.
            try await OwnThread.run {
                let sources = try WakeSources(bell)
                let daemon = try AlarmDaemon(
                    self,
                    folder: folder,
                    settings: chosen,
                    surroundings: surroundings,
                    mailbox: mailbox,
                    sources: sources
                )
                try daemon.run()
            }
        } onCancel: {
            mailbox.post(.stop)
        }
    }

    private static func lockForDaemon(_ folder: String) throws -> DaemonLock {
        do throws(DaemonLock.Failure) {
            return try DaemonLock(folder: folder)
        } catch {
            switch error {
            case .store(let error): throw error
            case .held(let process):
                throw UseCaseError(.daemonIsRunning, subject: process.map { "process \($0)" })
            }
        }
    }
}
