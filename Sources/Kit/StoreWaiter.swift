import RemindavICalendar
import RemindavPlatform
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
