package import RemindavStore

/// A visit of a feed.
package struct FeedVisit: Sendable {
    /// The SHA-256 hash of the feed's token.
    package let tokenHash: [UInt8]
    package let record: FeedVisitRecord
}

/// Counts the visits of feeds, and writes them to the store after the answers, with a pause after each write.
///
/// A visit is kept in memory until it is written, as one value for each feed and ``SubscriberProgram``.
package actor FeedVisits {
    /// The pause after a write, in seconds; the store is therefore written to at most once a minute.
    package static let pauseSeconds = 60
    private struct Visitor: Hashable {
        let tokenHash: [UInt8]
        let program: String
    }

    /// The visits that are not written yet; `agent` is the whole header User-Agent.
    private var waiting: [Visitor: FeedVisitRecord] = [:]
    private var writer: Task<Void, Never>?
    private let now: @Sendable () -> Int64
    private let pause: @Sendable (_ seconds: Int) async throws -> Void
    private let executor: (any TaskExecutor)?
    private let write: @Sendable ([FeedVisit]) -> [FeedVisit]

    /// - Parameters:
    ///   - now: the time in seconds since 1970.
    ///   - pause: waits; throws when the task is cancelled.
    ///   - executor: runs `write`, which may wait for the store; `nil` for Swift's own threads.
    ///   - write: writes the visits, and returns those that were not written; they are written with the next ones.
    package init(
        now: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (_ seconds: Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) },
        executor: (any TaskExecutor)? = nil,
        write: @escaping @Sendable ([FeedVisit]) -> [FeedVisit]
    ) {
        self.now = now
        self.pause = pause
        self.executor = executor
        self.write = write
    }

    func add(_ tokenHash: [UInt8], by program: SubscriberProgram, userAgent: String, status: Int) {
        let visitor = Visitor(tokenHash: tokenHash, program: program.rawValue)
        self.waiting[visitor] = FeedVisitRecord(
            program: program.rawValue,
            at: self.now(),
            status: status,
            agent: userAgent,
            visits: (self.waiting[visitor]?.visits ?? 0) + 1
        )
        if self.writer == nil { self.writer = Task { await self.writeAll() } }
    }

    private func writeAll() async {
        while !self.waiting.isEmpty, !Task.isCancelled {
            await self.flush()
            do { try await self.pause(Self.pauseSeconds) } catch { break }
        }
        self.writer = nil
    }

    /// Writes outside of the actor, so that no answer waits for the store.
    private func flush() async {
        guard !self.waiting.isEmpty else { return }
        // The agents are shortened here and not for each answer.
        let visits = self.waiting.map { visitor, visit in
            FeedVisit(
                tokenHash: visitor.tokenHash,
                record: FeedVisitRecord(
                    program: visit.program,
                    at: visit.at,
                    status: visit.status,
                    agent: RecordedAgent.text(visit.agent),
                    visits: visit.visits
                )
            )
        }
        self.waiting = [:]
        let write = self.write
        let unwritten = await Task.detached(executorPreference: self.executor) { write(visits) }.value
        for visit in unwritten { self.keep(visit) }
    }

    /// Adds visits that were not written to those that came meanwhile.
    private func keep(_ visit: FeedVisit) {
        let visitor = Visitor(tokenHash: visit.tokenHash, program: visit.record.program)
        let newer = self.waiting[visitor] ?? visit.record
        self.waiting[visitor] = FeedVisitRecord(
            program: newer.program,
            at: newer.at,
            status: newer.status,
            agent: newer.agent,
            visits: visit.record.visits + (self.waiting[visitor]?.visits ?? 0)
        )
    }

    /// Writes the visits that are not written yet, and ends the pause; called when the server has stopped.
    package func finish() async {
        let writer = self.writer
        writer?.cancel()
        await writer?.value
        await self.flush()
    }
}
