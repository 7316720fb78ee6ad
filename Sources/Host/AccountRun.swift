import RemindavBridge
import RemindavHosting
import RemindavPlatform
import RemindavPostgresStore
import RemindavSQLiteStore
import RemindavStore

/// Syncs one account of a tenant, with the right of a run.
struct AccountRun: Sendable {
    /// The use cases on the store of a tenant; each write of the store checks the run.
    let useCases: @Sendable (WorkFence, LeaseClock) throws -> (UseCases, tenant: String)
    /// The words of a command that syncs an account in a process of its own; `nil` for no such process.
    ///
    /// The words are `nil` when the run is lost.
    let command: (@Sendable (_ tenant: String, _ fence: WorkFence) -> [String]?)?

    /// The memory of a process of its own, in kilobytes of address space; a sync of 100,000 reminders needs less.
    static let memoryKilobytes = 4 << 20
    /// The pause between two looks at a process, in seconds.
    private static let pollSeconds = 0.2

    func run(_ fence: WorkFence, _ clock: LeaseClock) async -> RunResult {
        var result = RunResult(outcome: .failed)
        do {
            let (useCases, tenant) = try self.useCases(fence, clock)
            guard let account = try useCases.scheduledAccount(AccountID(rawValue: fence.key.item)) else {
                return RunResult(outcome: .failed)
            }
            (result.interval, result.isOff) = (account.interval, account.isOff)
            if fence.tries >= HostSchedule.separateTry, let command {
                guard let words = command(tenant, fence) else { throw DatabaseError(.leaseLost) }
                (result.outcome, result.crashed) = await self.runApart(words, clock)
                result.reason = result.crashed ? "processEnded" : Self.reason(of: result.outcome)
                return result
            }
            var request = SyncRequest()
            request.account = account.name
            let summary = try await useCases.sync(request)
            result.outcome = Self.outcome(of: summary)
            let errors = summary.failedAccounts.map(\.error) + summary.lists.compactMap(\.error)
            result.reason = errors.first.map { ErrorCategory.word(for: $0) }
        } catch let error as DatabaseError where error.code == .leaseLost {
            result.outcome = .interrupted
        } catch {
            result.outcome = Self.outcome(of: error)
            result.reason = ErrorCategory.word(for: error)
        }
        // The transport has refused requests, which says nothing about the account.
        if clock.isEnded || !clock.mayWrite, result.outcome != .done { result.outcome = .interrupted }
        return result
    }

    // MARK: Outcomes

    static func outcome(of summary: SyncSummary) -> RunOutcome {
        if let pause = summary.requestedPause { return .busy(seconds: pause) }
        if let error = summary.failedAccounts.first?.error { return self.outcome(of: error) }
        let errors = summary.lists.compactMap(\.error)
        guard !errors.isEmpty else { return .done }
        let outcomes = errors.map { self.outcome(of: $0) }
        if outcomes.contains(.hostFailed) { return .hostFailed }
        let isUnreachable = errors.count == summary.lists.count && outcomes.allSatisfy { $0 == .unreachable }
        return isUnreachable ? .unreachable : .partlyDone
    }

    static func outcome(of error: any Error) -> RunOutcome {
        if let error = error as? UseCaseError {
            if self.hostErrors.contains(error.code) { return .hostFailed }
            return self.passwordErrors.contains(error.code) ? .refusedPassword : .failed
        }
        return switch ErrorCategory.of(error)?.kind {
        // For example, PostgreSQL was restarted during the sync.
        case .storeUnavailable, .storeOutcomeUnknown, .storeLocked, .storeFull, .storeReadOnly, .hostUnsuitable,
            .databaseRefused, .databaseMissing, .databaseLibrary, .noLibrary:
            .hostFailed
        // A run that its worker stops is interrupted, because its clock has ended. Any other cancellation is a fault of
        // the host: for example, no thread for requests can start.
        case .cancelled: .hostFailed
        case .authRejected, .authNotOffered, .appPasswordNeeded, .authUnsupported, .tokenRefused, .notAllowed:
            .refusedPassword
        case .unreachable, .timedOut, .nameNotFound, .brokenOff: .unreachable
        default: .failed
        }
    }

    /// The errors that an administrator ends.
    private static let hostErrors: Set<UseCaseError.Code> = [
        .hostKeyMissing, .hostKeyNotReadable, .hostKeyOpenToOthers, .hostKeyNotValid, .hostKeyWrong,
        .sealingUnavailable, .vaultUnavailable,
    ]
    /// The errors that a new password ends.
    private static let passwordErrors: Set<UseCaseError.Code> = [
        .passwordMissing, .passwordNotSealed, .secretDamaged,
    ]

    /// - Parameter status: the exit status of `remindav sync` (docs/manual.md).
    static func outcome(ofExit status: Int32) -> RunOutcome {
        switch status {
        case 0: .done
        case 3: .partlyDone
        case 5: .hostFailed
        case 6: .refusedPassword
        case 7: .unreachable
        default: .failed
        }
    }

    /// The code of an error that a process of its own has reported by its exit status; `nil` if the status names none.
    private static func reason(of outcome: RunOutcome) -> String? {
        switch outcome {
        case .refusedPassword: "\(ErrorCategory.Kind.authRejected)"
        case .unreachable: "\(ErrorCategory.Kind.unreachable)"
        case .done, .partlyDone, .busy, .failed, .hostFailed, .interrupted: nil
        }
    }

    // MARK: A process of its own

    /// Runs a command with limits, because an earlier run may have ended its process.
    private func runApart(_ words: [String], _ clock: LeaseClock) async -> (RunOutcome, crashed: Bool) {
        let limited = "ulimit -v \(Self.memoryKilobytes); exec \"$@\""
        // If this process is killed, the other one ends, too: its input ends.
        guard let process = try? Subprocess(["/bin/sh", "-c", limited, "sh"] + words, .tied) else {
            return (.failed, false)
        }
        // The worker cancels the task at the end of the maximum duration.
        while !clock.isEnded, !Task.isCancelled {
            switch process.ended() {
            case .status(let status) where status < Self.firstSignal: return (Self.outcome(ofExit: status), false)
            case .some: return (.failed, true)
            case nil: try? await Task.sleep(for: .seconds(Self.pollSeconds))
            }
        }
        process.kill()
        return (.interrupted, false)
    }

    /// From this status on, a signal or the limit of memory ended the process.
    private static let firstSignal: Int32 = 128
}
