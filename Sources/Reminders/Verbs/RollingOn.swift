import RemindavICalendar
import RemindavRecurrence

// Completion in a form that every program reads: the series moves to its next occurrence, and a completed copy remains.
extension OccurrenceEdit {
    struct Destination {
        let id: CalendarDateOrDateTime
        /// Whether RRULE generates this date; if not, RRULE has no further date and is removed.
        let keepsRule: Bool
        /// The number of dates by which COUNT decreases; `nil` means the dates of RRULE before this date.
        var passed: Int?
    }

    func rolled() throws(RecurrenceError) -> Completion {
        guard let main = self.series.series.main else {
            // The object has only overrides, because the series itself is in another calendar.
            return Completion(reminder: self.closedOverride(), copy: nil)
        }
        guard !self.reminder.hasSeveralRules else { throw .severalRules }
        let rule = self.rule
        let counted = try self.countedDestination(main, rule)
        guard counted.map({ !self.isEnd($0) }) ?? (self.next != nil) else {
            return Completion(reminder: try self.finished(main, rule), copy: nil)
        }
        let destination = if let counted { counted } else { try self.destination(main, rule) }
        // If the series still contains the completed date, an EXDATE excludes it.
        let returns =
            if counted != nil {
                false
            } else if let destination {
                !self.isBefore(self.id, destination.id)
            } else {
                try rule.contains(self.id)
            }
        let move = try destination.map { destination throws(RecurrenceError) in
            try self.move(main, to: destination, rule)
        }
        let futures = try self.futures(from: destination?.id)
        let snoozed = self.otherSnoozedOccurrences
        let reminder = self.reminder.edit(in: self.context) { object in
            // A completion on the day of the former one changes no date, but it is a change.
            object.edit(main, isAlwaysStamped: counted != nil) { editor in
                move?(&editor)
                self.dropPastDates(before: destination?.id, &editor)
                if returns { editor.add(ContentLine(.exdate, moment: self.id)) }
                editor.reset()
                editor.moveAlarms(bySeconds: destination.map { self.distance(to: $0.id, main) } ?? 0)
                main.removeSnoozeProperties(keeping: snoozed, &editor)
            }
            for override in self.passedOverrides { object.remove(override) }
            for future in futures { self.apply(future, to: &object) }
        }
        return Completion(reminder: reminder, copy: self.copy(before: counted?.id))
    }

    var countsFromCompletion: Bool { self.reminder.recurrenceRule?.countsFromCompletion ?? false }

    /// The next date of a series that counts from the completion; `nil` for any other series.
    ///
    /// The start keeps its distance to the due time. A series with overrides of all later dates (RANGE=THISANDFUTURE)
    /// counts from its due date, because another program has planned these dates. A skipped date counts as completed on
    /// its due date if that is later, so that the next date follows it.
    private func countedDestination(
        _ main: Component,
        _ rule: RecurrenceSet
    ) throws(RecurrenceError) -> Destination? {
        let due = main.due ?? rule.start
        let now = self.context.now
        let completed = self.skips ? max(now, self.series.zones.instant(of: due) ?? now) : now
        guard let text = self.reminder.recurrenceRule, self.series.series.futures.isEmpty,
            let next = text.due(after: due, completedAt: completed, zones: self.series.zones)
        else { return nil }
        var passed: Int?
        if let count = text.count {
            let isOfRule = try rule.contains(self.id)
            passed = try rule.count(before: self.id, limit: count) + (isOfRule ? 1 : 0)
        }
        let id = rule.start.moved(bySeconds: next.localSeconds - due.localSeconds)
        return Destination(id: id, keepsRule: true, passed: passed)
    }

    /// Whether COUNT or UNTIL ends the rule before a date that counts from the completion.
    private func isEnd(_ next: Destination) -> Bool {
        guard let rule = self.reminder.recurrenceRule else { return true }
        let isCounted = rule.count.map { $0 <= next.passed ?? 0 } ?? false
        return isCounted || rule.ends(before: next.id, zones: self.series.zones)
    }

    /// Completes an occurrence that is not the first open one: an EXDATE excludes it, and the series keeps its dates.
    func leftOut() throws(RecurrenceError) -> Completion {
        guard let main = self.series.series.main else {
            return Completion(reminder: self.closedOverride(), copy: nil)
        }
        guard !self.reminder.hasSeveralRules else { throw .severalRules }
        let futures = self.ownOverride == nil ? try self.futures(from: nil) : []
        let reminder = self.reminder.edit(in: self.context) { object in
            object.edit(main) { editor in
                editor.add(ContentLine(.exdate, moment: self.id))
                main.removeSnooze(of: self.focus.stamp, &editor)
            }
            if let own = self.ownOverride { object.remove(own) }
            for future in futures { self.apply(future, to: &object) }
        }
        return Completion(reminder: reminder, copy: self.copy())
    }

    /// ``Focus/stamp`` of each snoozed open occurrence except the completed one.
    var otherSnoozedOccurrences: Set<Int64> {
        let clock = AlarmClock(zones: self.series.zones, settings: AlarmSettings())
        return SeriesAlarms(self.series, clock: clock).openSnoozes.subtracting([self.focus.stamp])
    }

    /// The dates of RRULE with the start as the first date, without EXDATE and RDATE; without an RRULE, only the start.
    var rule: RecurrenceSet {
        let start = self.series.series.start ?? self.id
        let rules = self.reminder.recurrenceRule.map { [$0] } ?? []
        return RecurrenceSet(
            start: start,
            rules: rules,
            countsStart: true,
            resolver: self.series.zones,
            budget: self.series.series.budget
        )
    }

    private func finished(_ main: Component, _ rule: RecurrenceSet) throws(RecurrenceError) -> Reminder {
        let own = self.ownOverride
        let destination = Destination(id: self.id, keepsRule: try rule.contains(self.id))
        let move = own == nil ? try self.move(main, to: destination, rule) : nil
        return self.reminder.edit(in: self.context) { object in
            object.edit(main) { editor in
                move?(&editor)
                if own == nil { self.dropPastDates(before: self.id, &editor) }
                editor.remove(.kdeNextOccurrence)
                editor.writeCompletion(at: self.context.now)
                main.removeSnooze(&editor)
            }
            guard let own else { return }
            object.edit(own) { editor in
                editor.writeCompletion(at: self.context.now)
                own.removeSnooze(&editor)
            }
        }
    }

    /// The date to which the main VTODO moves: the first open date of RRULE, or else the first other open date.
    ///
    /// Open overrides of earlier dates remain, although RRULE then no longer generates their dates.
    func destination(_ main: Component, _ rule: RecurrenceSet) throws(RecurrenceError) -> Destination? {
        var named: CalendarDateOrDateTime?
        var extra: CalendarDateOrDateTime?
        for component in [main] + self.series.series.futures.map(\.component) {
            var open = try self.series.open(describedBy: component)
            while let occurrence = try open.next() {
                guard let id = occurrence.recurrenceID, !self.isCompleted(id) else { continue }
                if try rule.contains(id) {
                    named = self.earlier(named, id)
                    break
                }
                extra = self.earlier(extra, id)
            }
        }
        if let next = self.next, next.component.isSingle, let id = next.recurrenceID,
            !self.isBefore(id, rule.start), try rule.contains(id)
        {
            named = self.earlier(named, id)
        }
        if let named { return Destination(id: named, keepsRule: true) }
        return extra.map { Destination(id: $0, keepsRule: false) }
    }

    private func move(
        _ main: Component,
        to destination: Destination,
        _ rule: RecurrenceSet
    ) throws(RecurrenceError) -> (inout ComponentEditor) -> Void {
        guard let dates = self.series.series.occurrence(named: destination.id, describedBy: main) else {
            throw .unknownZone
        }
        let focus = self.series.focus(on: dates)
        let text = self.reminder.recurrenceRule
        var reduced = text
        if let count = text?.count {
            let passed =
                if let known = destination.passed { known } else {
                    try rule.count(before: destination.id, limit: count)
                }
            reduced?.count = max(1, count - passed)
        }
        return { editor in
            editor.write(dates: focus)
            if !destination.keepsRule {
                editor.remove(.rrule)
                editor.remove(.repeatFrom)
            } else if let reduced, reduced != text {
                editor.set(ContentLine(.rrule, value: reduced.wire))
            }
        }
    }

    private func distance(to id: CalendarDateOrDateTime, _ main: Component) -> Int {
        guard let dates = self.series.series.occurrence(named: id, describedBy: main) else { return 0 }
        return self.series.focus(on: dates).shift
    }

    /// Removes past EXDATE and RDATE values, but keeps RDATEs of open occurrences and EXDATEs of overridden dates.
    ///
    /// An EXDATE does not exclude the next date of a series that counts from the completion.
    private func dropPastDates(before start: CalendarDateOrDateTime?, _ editor: inout ComponentEditor) {
        let left = Set(self.moments(of: .exdate, editor.component).map(self.name))
        let overridden = Set(self.reminder.object.overrides.compactMap { $0.recurrenceID?.moment }.map(self.name))
        editor.keepDates(.exdate) { moment in
            let isStart = self.countsFromCompletion && start.map(self.name) == self.name(moment)
            let isPast = isStart || start.map { self.isBefore(moment, $0) } ?? false
            return !isPast || overridden.contains(self.name(moment))
        }
        editor.keepDates(.rdate) { moment in
            if self.isCompleted(moment) || self.isPassed(moment) { return false }
            let isPast = start.map { !self.isBefore($0, moment) } ?? false
            // An RDATE at the new start is not needed.
            return !isPast || start.map { self.isBefore(moment, $0) } == true && !left.contains(self.name(moment))
        }
    }

    private func moments(of name: Name, _ main: Component) -> [CalendarDateOrDateTime] {
        main.all(name).flatMap { property in
            property.listItems.compactMap { CalendarDateOrDateTime(wire: $0, tzid: property.parameter(.tzid)) }
        }
    }

    /// The override of the completed occurrence, and open overrides before KOrganizer's next date.
    private var passedOverrides: [Component] {
        self.reminder.object.overrides.filter { override in
            guard override.isSingle, let id = override.recurrenceID?.moment else { return false }
            return self.isCompleted(id) || !override.status.isClosed && self.isPassed(id)
        }
    }

    private func isPassed(_ id: CalendarDateOrDateTime) -> Bool {
        self.series.kdeNext.map { self.isBefore(id, $0) } ?? false
    }

    func isCompleted(_ id: CalendarDateOrDateTime) -> Bool { self.name(id) == self.name(self.id) }
    func name(_ id: CalendarDateOrDateTime) -> String { self.series.series.name(of: id) }

    func isBefore(_ one: CalendarDateOrDateTime, _ other: CalendarDateOrDateTime) -> Bool {
        self.series.series.local(one) < self.series.series.local(other)
    }

    private func earlier(_ one: CalendarDateOrDateTime?, _ other: CalendarDateOrDateTime) -> CalendarDateOrDateTime {
        one.map { self.isBefore(other, $0) ? other : $0 } ?? other
    }
}

extension ComponentEditor {
    fileprivate mutating func reset() {
        for name: Name in [.completed, .mozLastAck, .kdeNextOccurrence] { self.remove(name) }
        self.resetProgress()
    }

    mutating func resetProgress() {
        self.remove(.percentComplete)
        if self.component.first(.status) != nil { self.set(ContentLine(.status, value: "NEEDS-ACTION")) }
    }

    /// Keeps the dates for which the predicate is true, and unreadable values.
    fileprivate mutating func keepDates(_ name: Name, where isKept: (CalendarDateOrDateTime) -> Bool) {
        for property in self.component.all(name) {
            let zone = property.parameter(.tzid)
            let values = property.listItems
            let kept = values.filter { value in
                let start = value.split(separator: "/", maxSplits: 1).first.map(String.init) ?? value
                return CalendarDateOrDateTime(wire: start, tzid: zone).map(isKept) ?? true
            }
            guard kept != values else { continue }
            if kept.isEmpty {
                self.remove(property)
            } else {
                let line = ContentLine(name, property.parameters, value: kept.joined(separator: ","))
                self.replace(property, with: line.bytes(lineEnd: self.component.lineEnd))
            }
        }
    }
}
