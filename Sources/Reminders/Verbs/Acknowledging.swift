public import ICalendar
public import Recurrence

extension Reminder {
    /// Says that somebody has seen to all that it rang for up to a moment, that moment included.
    ///
    /// Written in both dialects: X-MOZ-LASTACK (Thunderbird, Tasks.org), and ACKNOWLEDGED in each alarm that has rung until
    /// then (RFC 9074 §6.1). What says the same already, or of a later moment, stays as it is; so does a reminder whose
    /// occurrence is not open any more.
    ///
    /// - Parameters:
    ///   - name: the occurrence that it rang for (``AlarmID/occurrence``); `nil` where there is only one.
    ///   - settings: by which it rang.
    public func acknowledging(
        upTo moment: Instant,
        occurrence name: String? = nil,
        in context: EditingContext,
        zones: TimeZoneResolver,
        settings: AlarmSettings = AlarmSettings()
    ) -> Reminder {
        guard let focused = self.openOccurrence(name, zones: zones) else { return self }
        let time = CalendarDateTime(utc: moment).wire
        let todo = focused.todo
        let clock = AlarmClock(zones: zones, settings: settings)
        let heard = todo.components(.valarm).filter { component in
            let alarm = todo.alarm(component)
            let rings = clock.rings(of: alarm, start: focused.start, due: focused.due)
            return rings.contains { $0 <= moment } && alarm.acknowledged.map { $0 < moment } ?? true
        }
        let isNews = self.main.lastAcknowledged.map { $0 < moment } ?? true
        guard isNews || !heard.isEmpty else { return self }
        return self.edit(in: context) { object in
            object.edit(self.main) { editor in
                if isNews { editor.set(ContentLine(.mozLastAck, value: time)) }
                if todo.range == self.main.range { Self.acknowledge(heard, time, &editor) }
            }
            guard todo.range != self.main.range else { return }
            object.edit(todo) { editor in Self.acknowledge(heard, time, &editor) }
        }
    }

    /// The same of each occurrence that it has rung for: what it rings for up to then is over, and what is to come is not.
    ///
    /// X-MOZ-LASTACK is of the whole reminder, ACKNOWLEDGED of the alarms in one component: each component whose occurrence
    /// has rung gets its own.
    public func acknowledgingAll(
        upTo moment: Instant,
        in context: EditingContext,
        zones: TimeZoneResolver,
        settings: AlarmSettings = AlarmSettings()
    ) -> Reminder {
        let plan = AlarmPlan(self, zones: zones, settings: settings)
        var names: [String?] = []
        var heard: Set<OccurrenceAlarms.Ring> = []
        // The last first: where one component describes all, the nearest occurrence of each of its alarms is enough.
        // They may be of different ones: an alarm a day ahead is of tomorrow's when another is of today's.
        for alarm in plan.alarms(after: plan.beginning, upTo: moment).reversed() {
            let isFirst = heard.insert(OccurrenceAlarms.Ring(cause: alarm.cause, number: alarm.ring)).inserted
            guard isFirst || self.object.todos.count > 1, !names.contains(alarm.id.occurrence) else { continue }
            names.append(alarm.id.occurrence)
            if names.count == Self.maximumAcknowledged { break }
        }
        let seen = names.reduce(self) { seen, name in
            seen.acknowledging(upTo: moment, occurrence: name, in: context, zones: zones, settings: settings)
        }
        // An occurrence behind too many others cannot be had by its name; what is said of the whole counts for it.
        guard !names.isEmpty, seen.main.lastAcknowledged.map({ $0 < moment }) ?? true else { return seen }
        return seen.edit(in: context) { object in
            object.edit(seen.main) { $0.set(ContentLine(.mozLastAck, value: CalendarDateTime(utc: moment).wire)) }
        }
    }

    /// Occurrences of a reminder that are seen to one by one: nobody changes more of those that have not been, and what
    /// is said of the whole counts for the others.
    static let maximumAcknowledged = 100

    private static func acknowledge(_ alarms: [Component], _ time: String, _ editor: inout ComponentEditor) {
        for alarm in alarms {
            var inner = ComponentEditor(alarm)
            inner.set(ContentLine(.acknowledged, value: time))
            editor.merge(inner)
        }
    }

    /// The reminder read at an open occurrence; `nil` when that is not open, or the whole is done.
    ///
    /// - Parameter name: as alarms name it; `nil` for one that does not come again.
    package func openOccurrence(_ name: String?, zones: TimeZoneResolver) -> Reminder? {
        guard let name else { return self.main.status.isClosed ? nil : Reminder(self, focus: nil) }
        guard self.isSeries, !self.main.status.isClosed || self.main.recurrenceID != nil,
            let series = try? ReminderSeries(self, zones: zones),
            let found = (try? series.open(named: name)) ?? nil
        else { return nil }
        return Reminder(self, focus: series.focus(on: found.occurrence))
    }
}
