public import ICalendar

/// Occurrences in the order of time, each worked out when it is asked for.
public struct Occurrences: Sendable {
    private let clock: StartClock
    private var rules: [RuleCursor]
    private var dates: AscendingNumbers
    private var exceptions: AscendingNumbers
    private var exceptionDays: AscendingNumbers
    private var exceptionRules: [RuleCursor]
    private let hasExceptions: Bool
    private let budget: StepBudget?

    /// Single steps of an exception rule before it is repositioned: most often it is as dense as the rule.
    private static let nearExceptions = 4

    init(
        clock: StartClock,
        rules: [RuleCursor],
        dates: AscendingNumbers,
        exceptions: AscendingNumbers,
        exceptionDays: AscendingNumbers,
        exceptionRules: [RuleCursor],
        budget: StepBudget? = nil
    ) {
        self.budget = budget
        self.clock = clock
        self.rules = rules
        self.dates = dates
        self.exceptions = exceptions
        self.exceptionDays = exceptionDays
        self.exceptionRules = exceptionRules
        self.hasExceptions = !(exceptions.isEmpty && exceptionDays.isEmpty && exceptionRules.isEmpty)
    }

    /// The next occurrence, in the start's form and zone; `nil` after the last.
    public mutating func next() throws(RecurrenceError) -> CalendarDateOrDateTime? {
        guard let local = try self.nextLocal() else { return nil }
        return self.clock.moment(local)
    }

    /// The next occurrence in local seconds of the start's clock.
    mutating func nextLocal() throws(RecurrenceError) -> Int? {
        guard self.hasExceptions else { return try self.nextCandidate() }
        // Exceptions may be a rule as endless as the one that they take everything from.
        var steps = 0
        let maximum = RecurrenceSet.maximumSteps + self.exceptions.count
        while steps < maximum {
            guard let local = try self.nextCandidate() else { return nil }
            let before = steps
            if try !self.isException(local, &steps) { return local }
            steps += 1
            try self.budget?.spend(steps - before)
        }
        throw .budgetExceeded
    }

    /// - Parameter steps: those that the exception rules take are added to it.
    private mutating func isException(_ local: Int, _ steps: inout Int) throws(RecurrenceError) -> Bool {
        if self.exceptions.takes(local) { return true }
        // A day takes all that is on it, wherever one begins to ask.
        if self.exceptionDays.has(local.flooredQuotient(by: ClockTime.secondsPerDay)) { return true }
        for index in self.exceptionRules.indices where try self.takesOut(local, index, &steps) { return true }
        return false
    }

    /// Whether an exception rule names `local`, to which it goes on.
    private mutating func takesOut(_ local: Int, _ index: Int, _ steps: inout Int) throws(RecurrenceError) -> Bool {
        for _ in 0..<Self.nearExceptions {
            guard let exception = try self.exceptionRules[index].peek().map(self.place) else { return false }
            if exception >= local { return exception == local }
            _ = try self.exceptionRules[index].next()
            steps += 1
        }
        try self.exceptionRules[index].skip(through: local - 1)
        steps += StepBudget.cursor
        return try self.exceptionRules[index].peek().map(self.place) == local
    }

    /// The earliest of all sources, taken from each that has it.
    private mutating func nextCandidate() throws(RecurrenceError) -> Int? {
        if self.rules.count == 1, self.dates.isEmpty { return try self.rules[0].next().map(self.place) }
        var earliest = self.dates.first
        for index in self.rules.indices {
            guard let local = try self.rules[index].peek().map(self.place) else { continue }
            earliest = earliest.map { min($0, local) } ?? local
        }
        guard let local = earliest else { return nil }
        _ = self.dates.takes(local)
        for index in self.rules.indices where try self.rules[index].peek().map(self.place) == local {
            _ = try self.rules[index].next()
        }
        return local
    }

    /// Where a rule's time counts: on a series of days at the beginning of its day (every 36 hours is a day, and a day
    /// and a half later the next but one).
    private func place(_ local: Int) -> Int {
        guard self.clock.start.isDate else { return local }
        return local - local.flooredRemainder(by: ClockTime.secondsPerDay)
    }
}

/// Numbers in ascending order, from which those that have gone by are taken away.
struct AscendingNumbers: Sendable {
    private let numbers: [Int]
    private var index: Int

    /// - Parameters:
    ///   - numbers: in any order.
    ///   - floor: only greater ones are wanted.
    init(_ numbers: [Int], after floor: Int = .min) {
        self.numbers = numbers.count < 2 ? numbers : numbers.sorted()
        self.index = self.numbers.firstIndex(after: floor)
    }

    /// The same, beginning after `floor`.
    func after(_ floor: Int) -> AscendingNumbers {
        var copy = self
        copy.index = self.numbers.firstIndex(after: floor)
        return copy
    }

    /// How many are left, doubles counted.
    var count: Int { self.numbers.count - self.index }
    var isEmpty: Bool { self.index >= self.numbers.count }
    var first: Int? { self.isEmpty ? nil : self.numbers[self.index] }

    /// Whether `number` is there; all smaller ones are taken away.
    mutating func has(_ number: Int) -> Bool {
        while self.index < self.numbers.count, self.numbers[self.index] < number { self.index += 1 }
        return self.first == number
    }

    /// Whether `number` is there; it and all smaller ones are taken away.
    mutating func takes(_ number: Int) -> Bool {
        var isThere = false
        while self.index < self.numbers.count, self.numbers[self.index] <= number {
            isThere = self.numbers[self.index] == number
            self.index += 1
        }
        return isThere
    }
}
