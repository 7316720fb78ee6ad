public import RemindavICalendar

/// The occurrences of a ``RecurrenceSet`` in the order of time; each is computed on request.
public struct Occurrences: Sendable {
    let clock: StartClock
    var rules: [RuleCursor]
    var dates: AscendingNumbers
    var exceptions: AscendingNumbers
    var exceptionDays: AscendingNumbers
    var exceptionRules: [RuleCursor]
    let hasExceptions: Bool
    let budget: StepBudget?
    /// The number of dates of an exception rule that are tested singly before ``RuleCursor/skip(through:)`` is used.
    private static let nearExceptions = 4

    /// The next occurrence, in the form and time zone of the start; `nil` after the last one.
    public mutating func next() throws(RecurrenceError) -> CalendarDateOrDateTime? {
        guard let local = try self.nextLocal() else { return nil }
        return self.clock.moment(local)
    }

    mutating func nextLocal() throws(RecurrenceError) -> Int? {
        guard self.hasExceptions else { return try self.nextCandidate() }
        // An endless exception rule may exclude every date of an endless rule, so the steps are limited.
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

    private mutating func isException(_ local: Int, _ steps: inout Int) throws(RecurrenceError) -> Bool {
        if self.exceptions.consumes(local) { return true }
        // An EXDATE without a time excludes all occurrences of its day, so it is not removed from the list.
        if self.exceptionDays.reaches(local.flooredQuotient(by: ClockTime.secondsPerDay)) { return true }
        for index in self.exceptionRules.indices where try self.excludes(local, index, &steps) { return true }
        return false
    }

    /// Whether the exception rule at `index` produces `local`; the dates of this rule before `local` are dropped.
    private mutating func excludes(_ local: Int, _ index: Int, _ steps: inout Int) throws(RecurrenceError) -> Bool {
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

    /// The earliest remaining date of the rules and RDATE; it is removed from all of them.
    private mutating func nextCandidate() throws(RecurrenceError) -> Int? {
        if self.rules.count == 1, self.dates.isEmpty { return try self.rules[0].next().map(self.place) }
        var earliest = self.dates.first
        for index in self.rules.indices {
            guard let local = try self.rules[index].peek().map(self.place) else { continue }
            earliest = earliest.map { min($0, local) } ?? local
        }
        guard let local = earliest else { return nil }
        _ = self.dates.consumes(local)
        for index in self.rules.indices where try self.rules[index].peek().map(self.place) == local {
            _ = try self.rules[index].next()
        }
        return local
    }

    /// `local`, or its midnight in an all-day series: FREQ=HOURLY with INTERVAL=36 gives the days 0, 1, 3, 4 and so on.
    private func place(_ local: Int) -> Int {
        guard self.clock.start.isDate else { return local }
        return local - local.flooredRemainder(by: ClockTime.secondsPerDay)
    }
}

/// Numbers in ascending order; numbers that a search has passed are dropped.
struct AscendingNumbers: Sendable {
    private let numbers: [Int]
    private var index: Int

    /// - Parameter numbers: in any order.
    init(_ numbers: [Int] = []) {
        self.numbers = numbers.count < 2 ? numbers : numbers.sorted()
        self.index = 0
    }

    func after(_ floor: Int) -> AscendingNumbers {
        var copy = self
        copy.index = self.numbers.firstIndex(after: floor)
        return copy
    }

    var count: Int { self.numbers.count - self.index }
    var isEmpty: Bool { self.index >= self.numbers.count }
    var first: Int? { self.isEmpty ? nil : self.numbers[self.index] }

    /// Whether the sequence contains `number`; all smaller numbers are dropped.
    mutating func reaches(_ number: Int) -> Bool {
        while self.index < self.numbers.count, self.numbers[self.index] < number { self.index += 1 }
        return self.first == number
    }

    /// Whether the sequence contains `number`; `number` and all smaller numbers are dropped.
    mutating func consumes(_ number: Int) -> Bool {
        guard self.reaches(number) else { return false }
        while self.first == number { self.index += 1 }
        return true
    }
}
