import Synchronization

/// A limit of steps that all searches for the occurrences of one object share.
///
/// A step examines one period, date or exception. It takes about 100 ns, and at most 1 µs. One operation on an object,
/// such as planning its alarms, creates one budget. A search that exceeds it throws ``RecurrenceError/budgetExceeded``.
public final class StepBudget: Sendable {
    /// The steps of one operation: twice the longest search that ``RecurrenceSet/maximumSteps`` allows.
    public static let maximumSteps = 200_000
    /// The number of steps that the start of a search in one rule costs.
    static let cursor = 8
    private let limit: Int
    private let total = Atomic(0)
    private let hasGivenUp = Atomic(false)

    /// Creates a budget with a number of allowed steps.
    public init(_ limit: Int = StepBudget.maximumSteps) { self.limit = limit }

    /// The number of steps since the creation of the budget or the last ``renew()``.
    public var used: Int { self.total.load(ordering: .relaxed) }
    /// Whether a search has exceeded the budget, or `giveUp()` was called; ``renew()`` does not reset this.
    public var wasExceeded: Bool { self.hasGivenUp.load(ordering: .relaxed) }

    /// Makes all steps available again: for the next operation, or for each result if the caller limits their number.
    public func renew() { self.total.store(0, ordering: .relaxed) }
    /// Records that a search was abandoned for another reason than this budget.
    package func giveUp() { self.hasGivenUp.store(true, ordering: .relaxed) }

    package func spend(_ steps: Int) throws(RecurrenceError) {
        guard self.total.wrappingAdd(steps, ordering: .relaxed).newValue > self.limit else { return }
        self.giveUp()
        throw .budgetExceeded
    }
}
