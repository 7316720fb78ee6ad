/// The times of a rule in each day, or in each hour or minute of a shorter rule: each hour with each minute and second.
///
/// The times are stored as masks, because a hostile rule can have all 86,400 times of a day.
struct TimeGrid: Sendable {
    // Bit n stands for the hour, minute or second n. Each mask has at least one bit.
    let hours: UInt32
    let minutes: UInt64
    let seconds: UInt64
    /// The times that BYSETPOS selects if each period has the same times, sorted; `nil` without BYSETPOS.
    private var chosen: [Int]?
    /// The number of times; 0 if BYSETPOS selects no time.
    private(set) var count: Int
    /// The earliest time in seconds after the beginning of the day, hour or minute.
    private(set) var first: Int

    init(hours: UInt32, minutes: UInt64, seconds: UInt64) {
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        self.count = hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount
        self.first =
            hours.trailingZeroBitCount * 3600 + minutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
    }

    /// Selects the times at these positions of BYSETPOS.
    mutating func choose(_ positions: [Int]) {
        let total = self.count
        let indices = positions.map { $0 > 0 ? $0 - 1 : total + $0 }.filter { $0 >= 0 && $0 < total }
        let times = Set(indices).sorted().map { self[$0] }
        self.chosen = times
        self.count = times.count
        self.first = times.first ?? 0
    }

    /// The time at `index`, in seconds; the earliest time has the index 0.
    subscript(index: Int) -> Int {
        if let chosen = self.chosen { return chosen[index] }
        let (perHour, perMinute) = (
            self.minutes.nonzeroBitCount * self.seconds.nonzeroBitCount, self.seconds.nonzeroBitCount
        )
        return UInt64(self.hours).bit(at: index / perHour) * 3600
            + self.minutes.bit(at: index % perHour / perMinute) * 60 + self.seconds.bit(at: index % perMinute)
    }

    func next(after time: Int) -> Int? {
        if let chosen = self.chosen { return chosen[chosen.firstIndex(after: time)...].first }
        guard self.count > 1 || time < self.first else { return nil }
        guard time >= self.first else { return self.first }
        let (hour, minute) = (time / 3600, time / 60 % 60)
        if self.hours & 1 << UInt32(hour) != 0 {
            if self.minutes & 1 << UInt64(minute) != 0, let second = self.seconds.firstBit(from: time % 60 + 1) {
                return hour * 3600 + minute * 60 + second
            }
            if let minute = self.minutes.firstBit(from: minute + 1) {
                return hour * 3600 + minute * 60 + self.seconds.trailingZeroBitCount
            }
        }
        return UInt64(self.hours).firstBit(from: hour + 1).map { hour in
            hour * 3600 + self.minutes.trailingZeroBitCount * 60 + self.seconds.trailingZeroBitCount
        }
    }

    func count(through time: Int) -> Int {
        if let chosen = self.chosen { return chosen.firstIndex(after: time) }
        if time < self.first { return 0 }
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        let seconds = self.seconds.nonzeroBitCount
        var count = (UInt64(self.hours) & .lowBits(hour)).nonzeroBitCount * self.minutes.nonzeroBitCount * seconds
        guard self.hours & 1 << UInt32(hour) != 0 else { return count }
        count += (self.minutes & .lowBits(minute)).nonzeroBitCount * seconds
        guard self.minutes & 1 << UInt64(minute) != 0 else { return count }
        return count + (self.seconds & .lowBits(second + 1)).nonzeroBitCount
    }
}

extension UInt64 {
    /// The index of a set bit; position 0 is the lowest set bit.
    func bit(at position: Int) -> Int {
        var word = self
        for _ in 0..<position { word &= word &- 1 }
        return word.trailingZeroBitCount
    }
}

extension [Int] {
    /// The index of the first number greater than `number` in a sorted array.
    func firstIndex(after number: Int) -> Int {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
