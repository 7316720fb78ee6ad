package import RemindavBridge
import RemindavPlatform
import RemindavSQLiteStore
import RemindavStore

extension UseCases {
    /// Delivers the alarms of the store until SIGINT or SIGTERM, on the calling thread.
    ///
    /// - Throws: `daemonIsRunning` when another process delivers the alarms; `DatabaseError` when the store becomes
    ///   unusable; `storeReplaced` when another file has replaced the store.
    package func runDaemon(_ settings: DaemonSettings, in environment: DaemonEnvironment) throws {
        let folder = self.store.folder ?? self.configuration.storeFolder
        let lock = try Self.lockDelivery(folder)
        defer { withExtendedLifetime(lock) {} }
        let pipe = try WakePipe()
        try pipe.handleTerminationSignals()
        let daemon = try AlarmDaemon(
            self,
            folder: folder,
            settings: settings,
            environment: environment,
            messages: MessageQueue { pipe.wake() },
            sources: try WakeSources(pipe)
        )
        try daemon.run()
    }

    /// Acquires the lock that allows only this process to deliver the alarms of a store.
    static func lockDelivery(_ folder: String) throws -> DaemonLock {
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
