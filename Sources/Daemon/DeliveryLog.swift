import RemindavICalendar
import RemindavNotifications
import RemindavSQLiteStore
import RemindavStore

/// Writes the delivery state and failures; a failed write suppresses no alarm, because the disk may be full.
struct DeliveryLog {
    private let file: DeliveryStateFile
    var wasRecreated: Bool { self.file.wasRecreated }
    private(set) var failure: DeliveryFailure?
    /// The pauses between attempts to write; while an attempt is planned, the file differs from the state in memory.
    private(set) var backoff = Backoff()

    init(_ file: DeliveryStateFile, failure: DeliveryFailure?) {
        self.file = file
        self.failure = failure
    }

    mutating func save(_ changes: [DeliveryState.Change], of state: DeliveryState, at now: Int64) -> [DaemonLogEvent] {
        self.attempt(state, now) { file throws(DatabaseError) in try file.save(changes) }
    }

    mutating func retry(_ state: DeliveryState, at now: Int64) -> [DaemonLogEvent] {
        self.backoff.isDue(at: now) ? self.save([], of: state, at: now) : []
    }

    /// Updates the failure of delivery, and writes it if it has changed.
    ///
    /// `reason` is `nil` when the current service has not failed. `isReported` says whether the daemon's log already
    /// contains the reason.
    mutating func update(
        _ scheduler: AlarmScheduler,
        reason: String?,
        isReported: Bool,
        at moment: Instant,
        uptime now: Int64
    ) -> [DaemonLogEvent] {
        guard reason != nil || self.failure?.isOpen ?? false else { return [] }
        let known = self.failure
        self.failure = DeliveryFailure.now(
            after: known,
            unshown: scheduler.unshownCount,
            showing: scheduler.showingCount,
            reason: reason,
            at: moment
        )
        guard let failure, failure != known else { return [] }
        let isNew = failure.isOpen && !(known?.isOpen ?? false)
        let report: [DaemonLogEvent] = isNew && !isReported ? [.notShown(reason: failure.reason, advice: "")] : []
        return report
            + self.attempt(scheduler.records, now) { file throws(DatabaseError) in try file.save(failure) }
    }

    private mutating func attempt(
        _ state: DeliveryState,
        _ now: Int64,
        _ body: (DeliveryStateFile) throws(DatabaseError) -> Void
    ) -> [DaemonLogEvent] {
        do throws(DatabaseError) {
            if self.backoff.next == nil {
                try body(self.file)
            } else {
                try self.file.replace(DeliveryStateFile.Content(state: state, failure: self.failure))
            }
            self.backoff.succeeded()
            return []
        } catch {
            return self.backoff.failed(at: now) ? [.deliveryStateError(error)] : []
        }
    }
}
