import ICalendar

/// The times of day that a rule takes: every combination of its hours, minutes and seconds.
///
/// Never written out: a hostile rule can name all 86,400.
struct TimeGrid: Sendable {
    /// Each sorted, without doubles, not empty.
    let hours: [Int]
    let minutes: [Int]
    let seconds: [Int]

    var count: Int { self.hours.count * self.minutes.count * self.seconds.count }

    /// Seconds after midnight of the combination at `index`, counted in the order of the day.
    subscript(index: Int) -> Int {
        let second = self.seconds[index % self.seconds.count]
        let rest = index / self.seconds.count
        let minute = self.minutes[rest % self.minutes.count]
        return self.hours[rest / self.minutes.count] * 3600 + minute * 60 + second
    }
}

/// The candidates of one period of a rule: days times times of day, then BYSETPOS (RFC 5545 §3.3.10).
struct Period: Sendable {
    /// Day numbers, sorted, without doubles.
    private let days: [Int]
    private let grid: TimeGrid
    /// Which combinations BYSETPOS leaves, sorted; `nil` without BYSETPOS.
    private let selected: [Int]?

    /// - Parameter positions: the values of BYSETPOS; empty for all.
    init(days: [Int], grid: TimeGrid, positions: [Int]) {
        self.days = days
        self.grid = grid
        guard !positions.isEmpty else {
            self.selected = nil
            return
        }
        let total = days.count * grid.count
        let indices = positions.map { $0 > 0 ? $0 - 1 : total + $0 }.filter { (0..<total).contains($0) }
        self.selected = Set(indices).sorted()
    }

    var count: Int { self.selected?.count ?? self.days.count * self.grid.count }

    /// The candidate at `index`, in local seconds.
    subscript(index: Int) -> Int {
        let place = self.selected?[index] ?? index
        return self.days[place / self.grid.count] * ClockTime.secondsPerDay + self.grid[place % self.grid.count]
    }

    /// The index of the first candidate after `local`; ``count`` when there is none.
    func firstIndex(after local: Int) -> Int {
        var low = 0
        var high = self.count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > local { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
