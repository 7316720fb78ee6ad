import Notifications
import Platform
import Reminders
import SQLiteStore
import Store

extension UseCases {
    /// Rings for the reminders of the store, on the thread that calls it, until SIGINT or SIGTERM comes.
    ///
    /// The program's own thread, and no task's: it sleeps for days.
    ///
    /// - Throws: `daemonIsRunning` when another process does; `DatabaseError` when the store cannot be used at all, or not
    ///   any more; `storeReplaced`.
    package func ring(_ settings: DaemonSettings, _ surroundings: DaemonEnvironment) throws {
        let folder = self.store.folder ?? self.configuration.storeFolder
        let lock = try Self.lockForDaemon(folder)
        defer { withExtendedLifetime(lock) {} }
        let pipe = try WakePipe()
        try pipe.handleTerminationSignals()
        let daemon = try AlarmDaemon(
            self,
            folder: folder,
            settings: settings,
            surroundings: surroundings,
            mailbox: MessageQueue(pipe),
            sources: try WakeSources(pipe)
        )
        try daemon.run()
    }

    /// Whether a process rings for the store in a folder; nothing is made or changed.
    package static func daemonIsRunning(in folder: String) -> Bool { DaemonLock.isHeld(folder: folder) }

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
