import Synchronization

/// The limit of steps for all searches for the occurrences of one object together.
///
/// A step is one examined period, candidate or exception; it takes about 100 ns, at most 1 µs. One operation on an
/// object, such as indexing it or planning its alarms, creates one budget for all its searches. A search that exceeds
/// the budget throws ``RecurrenceError/budgetExceeded``.
public final class StepBudget: Sendable {
    /// The steps of one operation: twice the longest search that ``RecurrenceSet/maximumSteps`` allows.
    public static let maximumSteps = 200_000
    /// The number of steps charged for creating a cursor.
    static let cursor = 8

    private let limit: Int
    private let total = Atomic(0)
    private let hasGivenUp = Atomic(false)

    /// - Parameter limit: the number of allowed steps.
    public init(_ limit: Int = StepBudget.maximumSteps) { self.limit = limit }

    /// The steps taken so far.
    public var used: Int { self.total.load(ordering: .relaxed) }

    /// Whether a search was abandoned, now or before ``renew()``.
    public var wasExceeded: Bool { self.hasGivenUp.load(ordering: .relaxed) }

    /// Makes all steps available again: for the next operation on the same object, or for a search with results limited
    /// by the caller.
    public func renew() { self.total.store(0, ordering: .relaxed) }

    /// Records that a search was abandoned for another reason than this budget.
    package func giveUp() { self.hasGivenUp.store(true, ordering: .relaxed) }

    /// Takes steps out of the budget.
    package func spend(_ steps: Int) throws(RecurrenceError) {
        guard self.total.wrappingAdd(steps, ordering: .relaxed).newValue > self.limit else { return }
        self.giveUp()
        throw .budgetExceeded
    }
}
