import RemindavBridge
import RemindavICalendar
import RemindavPlatform
import RemindavStore
import Synchronization

/// Waits for changes of a store, for a time, and for changes of the clock, on a thread of its own.
final class StoreWaiter: Sendable {
    private let pipe: WakePipe
    /// Used by one thread at a time.
    private let sources: Mutex<WakeSources>

    /// The pause after a change, in which further writes belong to the same change.
    private static let debounce = Duration.milliseconds(150)

    /// - Parameter folder: the folder of the store; `nil` for a store in memory.
    init(folder: String?) throws(SystemError) {
        let pipe = try WakePipe()
        let sources = try WakeSources(pipe)
        if let folder { try sources.folders.add(folder) }
        self.pipe = pipe
        self.sources = Mutex(sources)
    }

    func wake() { self.pipe.wake() }

    /// Waits until `time`, or until a change or a call of ``wake()``; the cancellation of the task ends it too.
    ///
    /// - Parameter time: `nil` for no time.
    /// - Throws: an error when no thread can be started.
    func wait(until time: Instant?) async throws {
        let isStored = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Bool, any Error>) in
                let isStarted = startThread(named: "store changes") {
                    let events = self.sources.withLock { sources in
                        sources.wake(atClock: time?.secondsSince1970)
                        return sources.wait()
                    }
                    continuation.resume(returning: !(events.folders.files?.isEmpty ?? false))
                }
                if !isStarted { continuation.resume(throwing: SystemError.last("store changes")) }
            }
        } onCancel: {
            self.wake()
        }
        if isStored { try? await Task.sleep(for: Self.debounce) }
    }
}

extension Remindav {
    /// Returns an element after each change of the store by any process, until the loop over it ends.
    ///
    /// Changes in quick succession are one element. The program reads the reminders that it shows after each element.
    public nonisolated func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                try? await self.reportChanges { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func reportChanges(_ report: @Sendable () -> Void) async throws {
        var version = try? self.useCases.contentVersion
        try await self.withWaiter { waiter in
            while !Task.isCancelled {
                try await waiter.wait(until: nil)
                let latest = try? self.useCases.contentVersion
                if latest != version { report() }
                version = latest
            }
        }
    }

    func withWaiter(_ body: (StoreWaiter) async throws -> Void) async throws {
        let waiter = try StoreWaiter(folder: self.useCases.store.folder)
        if self.useCases.store.folder == nil { self.waiting[ObjectIdentifier(waiter)] = waiter }
        defer { self.waiting[ObjectIdentifier(waiter)] = nil }
        try await body(waiter)
    }
}
