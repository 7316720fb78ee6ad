/// One phase of ``ListSync``.
protocol SyncPhase: Sendable {
    /// The results of the sync until now, even if the phase has failed.
    var recorder: SyncRecorder { get }
    /// - Returns: the changes for the next phase; `nil` when nothing is left to do.
    mutating func run() async throws -> LearnedChanges?
}
