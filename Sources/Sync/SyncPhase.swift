/// One phase of ``ListSync``.
protocol SyncPhase: Sendable {
    /// The findings so far, also those before an error.
    var recorder: SyncRecorder { get }
    /// - Returns: the changes for the next phase; `nil` when nothing is left to do.
    mutating func run() async throws -> LearnedChanges?
}
