import RemindavBridge
import RemindavICalendar
import Synchronization

/// The syncs that the pages started, and their results.
///
/// A sync runs in a task of its own, so that a slow server delays no page.
final class SyncJobs: Sendable {
    struct Key: Hashable, Sendable {
        let account: String
        let isDryRun: Bool
    }

    enum End: Sendable {
        case summary(SyncSummary)
        case failed(any Error)
        /// The deletions to confirm are not those that the page showed; nothing was done.
        case otherDeletions(SyncSummary)
    }

    struct Job: Sendable {
        let startedAt: Instant
        /// The state of a running sync in words, such as `sending 3 of 10`.
        var progress = "asking the server"
        var endedAt: Instant?
        /// `nil` while the sync runs.
        var end: End?
    }

    /// The seconds that a request waits for the end of a sync; most syncs of a near server take less than one.
    static let waitingSeconds = 3.0
    private let jobs = Mutex<[Key: Job]>([:])
    private let executor: (any TaskExecutor)?

    init(_ executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// The last or the running sync of an account; `nil` if the pages started none.
    subscript(account: String, isDryRun isDryRun: Bool) -> Job? {
        self.jobs.withLock { $0[Key(account: account, isDryRun: isDryRun)] }
    }

    /// Starts a sync of the account of the request; a running one continues.
    ///
    /// - Parameter deletions: the digest of the deletions that the user confirmed; others are not carried out.
    /// - Returns: `false` if a sync runs already.
    @discardableResult
    func start(_ request: SyncRequest, _ useCases: UseCases, deletions: String? = nil) -> Bool {
        let key = Key(account: request.account ?? "", isDryRun: request.isDryRun)
        let isNew = self.jobs.withLock { jobs in
            if let job = jobs[key], job.end == nil { return false }
            jobs[key] = Job(startedAt: useCases.now)
            return true
        }
        guard isNew else { return false }
        Task(executorPreference: self.executor) {
            let end: End
            do {
                end = try await self.run(request, useCases.withOwnConnection(), key, deletions)
            } catch {
                end = .failed(error)
            }
            let now = useCases.now
            self.jobs.withLock { jobs in
                jobs[key]?.end = end
                jobs[key]?.endedAt = now
                // After a sync, an older dry run is not the plan any more.
                if !key.isDryRun { jobs[Key(account: key.account, isDryRun: true)] = nil }
            }
        }
        return true
    }

    private func run(
        _ request: SyncRequest,
        _ useCases: UseCases,
        _ key: Key,
        _ deletions: String?
    ) async throws -> End {
        if let deletions {
            var dryRun = request
            dryRun.isDryRun = true
            let summary = try await useCases.sync(dryRun)
            let held = HeldDeletions(summary)
            guard held.digest == deletions else { return .otherDeletions(summary) }
            var confirmed = request
            // Reminders that are deleted after the dry run are not among them, and wait for another confirmation.
            confirmed.confirmedDeletions = Set((held.here + held.onServer).map(\.id))
            return .summary(try await useCases.sync(confirmed) { self.note($0, key) })
        }
        return .summary(try await useCases.sync(request) { self.note($0, key) })
    }

    private func note(_ progress: SyncProgress, _ key: Key) {
        let words =
            progress.toSend > 0
            ? "sending \(progress.sent) of \(progress.toSend)"
            : progress.done > 0 ? "\(progress.done) done" : "asking the server"
        self.jobs.withLock { $0[key]?.progress = words }
    }

    /// Waits until the jobs end, at most ``waitingSeconds``.
    func wait(for accounts: [String], isDryRun: Bool = false) async {
        await Waiting.until(seconds: Self.waitingSeconds) {
            accounts.allSatisfy { self[$0, isDryRun: isDryRun]?.end != nil }
        }
    }
}

extension SyncRequest {
    init(account: String) {
        self.init()
        self.account = account
    }
}
