import ICalendar
public import Recurrence

/// What completing a reminder leaves behind.
public struct Completion: Sendable {
    /// The reminder: done, or moved on to its next occurrence.
    public let reminder: Reminder
    /// The finished occurrence of one that moved on, as a reminder of its own, to be added; `nil` for any other.
    public let copy: Reminder?
}

extension Reminder {
    /// Marks it as done at `context.now`.
    ///
    /// One that comes again moves on to its first occurrence after now, and a completed copy of the finished occurrence
    /// stays behind. The copy's UID follows from the series and the occurrence, so that two machines that complete the
    /// same occurrence make the same copy. A series without a further occurrence is completed as a whole.
    ///
    /// - Throws: `RecurrenceError` when the next occurrence cannot be computed; nothing is changed then.
    public func completing(in context: EditingContext, zones: TimeZoneResolver) throws(RecurrenceError) -> Completion {
        guard self.status != .completed else { return Completion(reminder: self, copy: nil) }
        guard self.isSeries, let next = try self.nextOccurrence(after: context.now, zones: zones) else {
            return Completion(reminder: self.closed(in: context), copy: nil)
        }
        return Completion(reminder: self.rolled(to: next, in: context), copy: self.completedCopy(in: context))
    }

    /// Marks it as not done.
    public func reopening(in context: EditingContext) -> Reminder {
        guard self.status.isClosed else { return self }
        return self.edit(in: context) { editor in
            editor.remove(.completed)
            editor.remove(.percentComplete)
            editor.set(ContentLine(.status, value: "NEEDS-ACTION"))
        }
    }

    private func closed(in context: EditingContext) -> Reminder {
        self.edit(in: context) { editor in
            self.writeCompletion(at: context.now, to: &editor)
            self.removeSnooze(&editor)
        }
    }

    /// STATUS, COMPLETED and PERCENT-COMPLETE, together (RFC 5545 §3.8.1.11, §3.8.2.1, §3.8.1.8).
    private func writeCompletion(at now: Instant, to editor: inout ComponentEditor) {
        editor.set(ContentLine(.status, value: "COMPLETED"))
        editor.set(
            ContentLine(.completed, value: CalendarDateTime(localSeconds: now.secondsSince1970, zone: .utc).wire)
        )
        editor.set(ContentLine(.percentComplete, value: "100"))
    }

    /// The occurrence to move on to.
    private struct NextOccurrence {
        /// How much later than the finished one it is, by the clock on the wall.
        let distance: Int64
        /// The same by the seconds that pass; alarms at a fixed time move by these.
        let elapsed: Int64
        /// Where DTSTART, or DUE where there is none, moves to.
        let start: CalendarMoment
        /// How many occurrences of the rule were left behind, the finished one included.
        let passed: Int
    }

    /// The moment that the rule and its exceptions count from: DTSTART, else DUE (RFC 5545 §3.8.5.3).
    private var anchor: CalendarMoment? { self.todo.first(.dtstart)?.moment ?? self.due }

    private func nextOccurrence(
        after now: Instant,
        zones: TimeZoneResolver
    ) throws(RecurrenceError) -> NextOccurrence? {
        guard let anchor = self.anchor, self.recurrenceText == nil || self.recurrenceRule != nil else {
            throw .unreadableRule
        }
        let rule = self.recurrenceRule
        let extraDates = self.moments(of: .rdate)
        let untilDue = self.secondsUntilDue(from: anchor, zones)
        let isDay = anchor.isDate || self.due?.isDate ?? false
        let set = RecurrenceSet(
            start: anchor,
            rules: rule.map { [$0.withoutCount] } ?? [],
            dates: extraDates,
            exceptions: self.moments(of: .exdate) + self.closedOccurrences,
            resolver: zones
        )
        var last = anchor
        for skipped in 0...Self.skippedOccurrences {
            guard let moment = try set.next(after: last) else { return nil }
            last = moment
            // A whole day is still ahead until it is over.
            let due = moment.moved(bySeconds: untilDue + (isDay ? 86400 : 0))
            let isAhead = zones.instant(of: due).map { $0 > now } ?? true
            guard isAhead || skipped == Self.skippedOccurrences else { continue }
            if rule != nil, extraDates.contains(moment) { throw .extraDate }
            let passed = try self.occurrences(of: rule, from: anchor, before: moment, zones: zones)
            if let count = rule?.count, passed >= count { return nil }
            let distance = moment.localSeconds - anchor.localSeconds
            let elapsed = zones.instant(of: moment).flatMap { end in
                zones.instant(of: anchor).map { end.secondsSince1970 - $0.secondsSince1970 }
            }
            return NextOccurrence(distance: distance, elapsed: elapsed ?? distance, start: moment, passed: passed)
        }
        return nil
    }

    /// How long after `anchor` it is due: by the clock on the wall, where each is on its own by the seconds that pass.
    private func secondsUntilDue(from anchor: CalendarMoment, _ zones: TimeZoneResolver) -> Int64 {
        let due = self.due ?? anchor
        guard case .dateTime(let first) = anchor, case .dateTime(let last) = due, first.zone != last.zone,
            let from = zones.instant(of: first), let to = zones.instant(of: last)
        else { return due.localSeconds - anchor.localSeconds }
        return to.secondsSince1970 - from.secondsSince1970
    }

    /// How many of the rule's own occurrences lie in `anchor ..< end`; COUNT counts those that are left out, too.
    private func occurrences(
        of rule: RecurrenceRule?,
        from anchor: CalendarMoment,
        before end: CalendarMoment,
        zones: TimeZoneResolver
    ) throws(RecurrenceError) -> Int {
        guard let rule, rule.count != nil else { return 1 }
        let set = RecurrenceSet(start: anchor, rules: [rule.withoutCount], dates: [], exceptions: [], resolver: zones)
        var count = 1
        var last = anchor
        while let moment = try set.next(after: last), moment.localSeconds < end.localSeconds {
            count += 1
            last = moment
        }
        return count
    }

    /// Whether it comes again, by a rule or on certain dates.
    private var isSeries: Bool { self.recurrenceText != nil || self.todo.first(.rdate) != nil }

    /// Occurrences that were done or dropped by themselves, as Thunderbird does it.
    private var closedOccurrences: [CalendarMoment] {
        self.object.overrides.compactMap { override in
            let status = override.first(.status)?.value.trimmingSpaces.uppercased()
            guard status == "COMPLETED" || status == "CANCELLED" else { return nil }
            return override.recurrenceID?.moment
        }
    }

    /// How many missed occurrences are skipped at most: nobody has missed more, but a rule by the second has.
    private static let skippedOccurrences = 10_000

    private func moments(of name: Name) -> [CalendarMoment] {
        self.todo.all(name).flatMap { property in
            property.listItems.compactMap { CalendarMoment(wire: $0, tzid: property.parameter(.tzid)) }
        }
    }

    private func rolled(to next: NextOccurrence, in context: EditingContext) -> Reminder {
        self.edit(in: context) { editor in
            if let due = self.due {
                editor.remove(.duration)
                editor.set(ContentLine(.due, moment: due.moved(bySeconds: next.distance)))
            }
            if self.todo.first(.dtstart) != nil { editor.set(ContentLine(.dtstart, moment: next.start)) }
            if let rule = self.recurrenceRule, let count = rule.count {
                var reduced = rule
                reduced.count = max(1, count - next.passed)
                editor.set(ContentLine(.rrule, value: reduced.wire))
            }
            self.dropPastDates(before: next.start, from: &editor)
            for override in self.object.overrides {
                guard let moment = override.recurrenceID?.moment,
                    moment.localSeconds < next.start.localSeconds
                else { continue }
                editor.remove(override)
            }
            for name: Name in [.completed, .percentComplete] { editor.remove(name) }
            if self.todo.first(.status) != nil { editor.set(ContentLine(.status, value: "NEEDS-ACTION")) }
            self.removeSnooze(&editor)
            self.moveAlarms(bySeconds: next.elapsed, in: &editor)
        }
    }

    /// EXDATE and RDATE before the new start have done their work.
    private func dropPastDates(before moment: CalendarMoment, from editor: inout ComponentEditor) {
        for name: Name in [.exdate, .rdate] {
            for property in self.todo.all(name) {
                let zone = property.parameter(.tzid)
                let values = property.listItems
                let kept = values.filter { value in
                    guard let date = CalendarMoment(wire: value, tzid: zone) else { return true }
                    return date.localSeconds > moment.localSeconds
                }
                guard kept != values else { continue }
                if kept.isEmpty {
                    editor.remove(property)
                } else {
                    let line = ContentLine(name, property.parameters, value: kept.joined(separator: ","))
                    editor.replace(property, with: line.bytes(lineEnd: self.todo.lineEnd))
                }
            }
        }
    }

    /// Alarms at a fixed time move along; what was said about the last occurrence is forgotten.
    private func moveAlarms(bySeconds distance: Int64, in editor: inout ComponentEditor) {
        editor.remove(.mozLastAck)
        for component in self.todo.components(.valarm) where !component.isSnooze {
            var inner = ComponentEditor(component)
            inner.remove(.acknowledged)
            if case .absolute(let instant)? = Alarm(component).trigger {
                let moved = CalendarDateTime(localSeconds: instant.secondsSince1970 + distance, zone: .utc)
                inner.set(ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: moved.wire))
            }
            editor.merge(inner)
        }
    }

    private func completedCopy(in context: EditingContext) -> Reminder? {
        guard let occurrence = self.due ?? self.anchor else { return nil }
        let uid = NameUUID.make("\(self.uid)\n\(occurrence.wire)")
        var editor = ComponentEditor(self.todo)
        editor.set(ContentLine(.uid, text: uid))
        for name: Name in [.rrule, .exdate, .rdate, .mozLastAck] { editor.remove(name) }
        for alarm in self.todo.components(.valarm) { editor.remove(alarm) }
        self.removeSnoozeProperties(&editor)
        self.writeCompletion(at: context.now, to: &editor)
        editor.add(ContentLine(.relatedTo, [Parameter(.reltype, "SIBLING")], text: self.uid))
        for override in self.object.overrides { editor.remove(override) }
        return Reminder(self.object.document.applying(editor.edits))?.stamped(in: context)
    }

    /// With stamps of now, whether anything else changed or not.
    private func stamped(in context: EditingContext) -> Reminder {
        let wire = CalendarDateTime(localSeconds: context.now.secondsSince1970, zone: .utc).wire
        var editor = ComponentEditor(self.todo)
        editor.set(ContentLine(.dtstamp, value: wire))
        editor.set(ContentLine(.lastModified, value: wire))
        return Reminder(self.object.document.applying(editor.edits)) ?? self
    }
}

extension RecurrenceRule {
    /// The rule without its COUNT, which whoever rolls keeps himself.
    fileprivate var withoutCount: Self {
        var rule = self
        rule.count = nil
        return rule
    }
}
