import RemindavBridge
import RemindavICalendar
import RemindavStore

extension Remindav {
    /// Returns one element at once, and one after each change of the store by any process, until the loop over it ends.
    ///
    /// Changes in quick succession are one element. The program reads the reminders that it shows after each element. If
    /// the system refuses to watch the files of the store, the store is examined every 25 seconds.
    public nonisolated func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                await self.reportChanges { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The pause between two looks at a store whose files cannot be watched.
    private static let examinationPause = Duration.seconds(25)

    private func reportChanges(_ report: @escaping @Sendable () -> Void) async {
        let waiter = try? self.makeWaiter()
        defer { self.release(waiter) }
        var version = try? self.useCases.contentVersion
        report()
        while !Task.isCancelled {
            // Without a waiter or a thread, this is a look at fixed times. The end of the sleep by a cancellation ends the loop.
            if (try? await waiter?.wait(until: nil)) == nil { try? await Task.sleep(for: Self.examinationPause) }
            let latest = try? self.useCases.contentVersion
            if latest != version { report() }
            version = latest
        }
    }

    /// Makes a waiter that the functions of this actor wake if the store has no files.
    func makeWaiter() throws -> StoreWaiter {
        let waiter = try StoreWaiter(folder: self.useCases.store.folder)
        if self.useCases.store.folder == nil { self.waiting[ObjectIdentifier(waiter)] = waiter }
        return waiter
    }

    func release(_ waiter: StoreWaiter?) {
        if let waiter { self.waiting[ObjectIdentifier(waiter)] = nil }
    }
}
