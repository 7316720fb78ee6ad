import RemindavICalendar

/// The time of each reminder's next alarm, and a fast way to find the earliest.
struct NextAlarms: Sendable {
    private struct Entry {
        let time: Instant
        let reminder: ReminderID
    }

    private struct Known {
        /// The time of the next alarm; `nil` when the reminder has none.
        var time: Instant?
        /// The start of the search for the next alarm; no other alarm is between this time and ``time``.
        let looked: Instant
        let dependsOnLocalZone: Bool
    }

    private var times: [ReminderID: Known] = [:]
    /// A binary heap; an entry whose time differs from ``times`` is outdated and is skipped.
    private var heap: [Entry] = []

    /// All known reminders, including those without a next alarm, in no particular order.
    var reminders: some Collection<ReminderID> { self.times.keys }
    func knows(_ reminder: ReminderID) -> Bool { self.times[reminder] != nil }

    /// The reminders, sorted, that may have an earlier next alarm when the clock is put back to `now`.
    func lookedAfter(_ now: Instant) -> [ReminderID] {
        self.times.filter { $0.value.looked > now }.keys.sorted()
    }

    /// The reminders, sorted, with alarms in local time, which move when the time zone changes.
    var dependentOnLocalZone: [ReminderID] { self.times.filter(\.value.dependsOnLocalZone).keys.sorted() }

    mutating func set(_ reminder: ReminderID, _ time: Instant?, after looked: Instant, dependsOnLocalZone: Bool) {
        let known = Known(time: time, looked: looked, dependsOnLocalZone: dependsOnLocalZone)
        if let old = self.times.updateValue(known, forKey: reminder), old.time == time { return }
        guard let time else { return }
        // The heap is rebuilt when most entries are outdated, so that outdated entries do not accumulate.
        if self.heap.count > 2 * self.times.count + 64 {
            self.heap = []
            for (reminder, known) in self.times {
                if let time = known.time { self.push(Entry(time: time, reminder: reminder)) }
            }
        } else {
            self.push(Entry(time: time, reminder: reminder))
        }
    }

    mutating func remove(_ reminder: ReminderID) { self.times[reminder] = nil }

    mutating func first() -> Instant? {
        while let first = self.heap.first, self.times[first.reminder]?.time != first.time { self.pop() }
        return self.heap.first?.time
    }

    /// Returns the reminder with the earliest alarm if it is not after `now`, and removes that alarm.
    ///
    /// No alarm of the reminder is between the time `looked` and the returned alarm.
    mutating func removeFirst(upTo now: Instant) -> (reminder: ReminderID, looked: Instant)? {
        guard let time = self.first(), time <= now, let reminder = self.heap.first?.reminder,
            let looked = self.times[reminder]?.looked
        else { return nil }
        self.times[reminder]?.time = nil
        self.pop()
        return (reminder, looked)
    }

    private mutating func push(_ entry: Entry) {
        var place = self.heap.count
        self.heap.append(entry)
        while place > 0, self.heap[(place - 1) / 2].time > entry.time {
            self.heap[place] = self.heap[(place - 1) / 2]
            place = (place - 1) / 2
        }
        self.heap[place] = entry
    }

    private mutating func pop() {
        guard let last = self.heap.popLast(), !self.heap.isEmpty else { return }
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < self.heap.count else { break }
            if child + 1 < self.heap.count, self.heap[child + 1].time < self.heap[child].time { child += 1 }
            guard self.heap[child].time < last.time else { break }
            self.heap[place] = self.heap[child]
            place = child
        }
        self.heap[place] = last
    }
}
