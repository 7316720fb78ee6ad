import RemindavICalendar
import RemindavNotifications

/// The rules of docs/alarm-model.md.
extension History {
    var summarized: [ReminderID] { self.kept.slots.filter { $0.value.place == .summary }.keys.sorted() }

    /// Checks a reminder that is shown or delivered by the fallback.
    func check(_ reminder: ReminderID, _ notification: Notification) throws {
        guard let open = self.expectation.open[reminder], let last = open.last,
            let alarm = self.kept.slots[reminder]?.alarm
        else { throw Broken(description: "\(reminder) is shown, and has nothing to show") }
        let shown = Self.delivery(alarm)
        guard last == shown else {
            throw Broken(description: "\(reminder) is shown for \(shown), and not for \(last)")
        }
        if let early = open.unshown.first(where: { $0.fires > self.now }) {
            throw Broken(description: "\(reminder) is shown before its time, for \(early)")
        }
        let rings = self.world.rings(reminder, self.alarmBasis)
        guard rings.contains(where: { $0.fires == last.fires }) else {
            throw Broken(description: "\(reminder) is shown, and does not fire any more")
        }
        if notification.reminder != nil, !open.unshown.isEmpty {
            let isMissed = notification.text.body.hasPrefix("Missed")
            guard isMissed == (last.fires < self.now - 60) else {
                throw Broken(description: "\(reminder) has a wrong missed mark: \(last)")
            }
        }
        self.deliveredCount += open.unshown.count
        self.backingOff.remove(reminder)
    }

    static func delivery(_ alarm: DeliveredAlarm) -> Expectation.Delivery {
        Expectation.Delivery(occurrence: alarm.occurrence, fires: alarm.fires.secondsSince1970)
    }

    // MARK: After each event

    func check() throws {
        let expectation = self.expectation
        if let next = expectation.pending.values.compactMap({ $0 }).min() {
            guard let wake, wake <= next else { throw Broken(description: "no wake-up is set for \(next)") }
        }
        if let wake, wake <= self.now { throw Broken(description: "a wake-up in the past") }
        guard self.burst.all <= 2 * (SchedulerLimits.maximumAtOnce + SchedulerLimits.maximumMissed) else {
            throw Broken(description: "\(self.burst.all) notifications at once")
        }
        guard self.burst.late <= SchedulerLimits.maximumMissed, self.burst.onTime <= SchedulerLimits.maximumAtOnce
        else {
            throw Broken(description: "\(self.burst.late) that were missed and \(self.burst.onTime) others at once")
        }
        try self.checkUnshown()
        if self.quietEnd != nil, self.burst.all > 0 { throw Broken(description: "shown in quiet hours") }
        if self.events % 16 == 0 { try self.compare() }
    }

    /// Checks that every fired alarm is shown, or that a wake-up is set for the time when this is possible.
    private func checkUnshown() throws {
        let expectation = self.expectation
        // Unanswered requests are checked when their answer arrives.
        let inFlight = Set(expectation.asked.values.flatMap(\.serials.keys))
        let unshown = expectation.unshown.subtracting(inFlight)
        guard !unshown.isEmpty else { return }
        func needs(_ moment: Int64, _ reason: String) throws {
            guard moment > self.now, wake.map({ $0 > moment }) ?? true else { return }
            throw Broken(description: "no wake-up is set \(reason), at \(moment)")
        }
        let patience = self.missing.map { $0 + Int64(SchedulerLimits.patienceSeconds) }
        let isElsewhere = self.service == nil
        if isElsewhere, !self.settings.hasFallback { return }
        if let quietEnd { return try needs(quietEnd, "at the end of quiet hours") }
        if isElsewhere, let patience, self.now < patience { return try needs(patience, "for the fallback") }
        if expectation.asked.values.contains(where: \.isSummary) { return }
        for reminder in unshown.sorted() {
            let last = expectation.open[reminder]?.last
            // An action of the user is written first. An acknowledgement does not delay later alarms.
            let isBusy = self.kept.actions.values.contains { action in
                guard action.reminder == reminder else { return false }
                if case .acknowledge(let moment) = action.effect, let last {
                    return last.fires <= moment.secondsSince1970
                }
                return true
            }
            if isBusy { continue }
            // The reminder, or its summary, has to wait for another try.
            let waits = self.kept.slots[reminder]?.place == .summary && !self.backingOff.isEmpty
            guard self.backingOff.contains(reminder) || waits else {
                throw Broken(description: "\(reminder) is not shown, for \(last as Any)")
            }
            try needs(self.now + Int64(SchedulerLimits.longestPauseSeconds), "to try again")
        }
    }

    /// The end of the current quiet hours; `nil` outside quiet hours.
    var quietEnd: Int64? {
        guard let hours = self.settings.quietHours, hours.from != hours.to,
            let clock = self.world.clocks[self.expectation.alarmBasis.local]
        else { return nil }
        let today = clock.local(self.now) / 86_400
        for day in today - 2...today + 1 {
            let from = clock.utc(day * 86_400 + Int64(hours.from.secondsOfDay))
            let last = hours.from < hours.to ? day : day + 1
            let to = clock.utc(last * 86_400 + Int64(hours.to.secondsOfDay))
            if from <= self.now && self.now < to { return to }
        }
        return nil
    }

    func compare() throws {
        guard self.kept == self.scheduler.records else {
            throw Broken(description: "the stored state differs from the state in memory")
        }
        let now = self.now
        let near = now - Expectation.memory...now + Expectation.memory
        var kept: [ReminderID: Set<Expectation.Delivery>] = [:]
        for (reminder, alarms) in self.kept.delivered {
            let alarms = alarms.map {
                Expectation.Delivery(occurrence: $0.occurrence, fires: $0.fires.secondsSince1970)
            }
            kept[reminder] = Set(alarms.filter { near.contains($0.fires) })
        }
        let expected = self.expectation.delivered.mapValues { $0.filter { near.contains($0.fires) } }
        for reminder in Set(kept.keys).union(expected.keys).sorted()
        where kept[reminder] ?? [] != expected[reminder] ?? [] {
            throw Broken(
                description: "\(reminder): delivered \(kept[reminder] ?? []), expected \(expected[reminder] ?? [])"
            )
        }
        // Changes that were written a moment ago have not been reported to the program yet.
        for reminder in Set(self.kept.slots.keys).union(self.expectation.open.keys).subtracting(self.changed).sorted() {
            let slot = self.kept.slots[reminder]
            let open = self.expectation.open[reminder]
            guard slot?.alarm.map(Self.delivery) == open?.last else {
                throw Broken(
                    description: "\(reminder): open for \(slot?.alarm as Any), expected \(open?.last as Any)"
                )
            }
            // More than a hundred alarms are not listed.
            guard let slot, let open, slot.unlisted == nil else { continue }
            guard slot.unshown.map(Self.delivery) == open.unshown else {
                throw Broken(description: "\(reminder): unshown \(slot.unshown), expected \(open.unshown)")
            }
        }
        guard self.service != nil, self.answers.isEmpty, self.changed.isEmpty else { return }
        for (number, owner) in self.notifications {
            let notification = owner.map { self.kept.slots[$0]?.notification } ?? self.kept.summary
            let isKnown = notification?.number == number
            guard isKnown else {
                throw Broken(description: "notification \(number) of \(owner.map { "\($0)" } ?? "many") has no owner")
            }
        }
    }
}
