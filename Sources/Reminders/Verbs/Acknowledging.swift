package import RemindavICalendar
package import RemindavRecurrence

extension Reminder {
    /// Acknowledges all alarms up to and including a moment.
    ///
    /// The moment is written as X-MOZ-LASTACK (Thunderbird, Tasks.org), and as ACKNOWLEDGED in each alarm that has
    /// fired (RFC 9074 §6.1). An equal or later acknowledgement is kept. If the occurrence is closed, nothing changes.
    ///
    /// - Parameter name: the occurrence (``AlarmID/occurrence``); `nil` for a reminder that does not repeat.
    package func acknowledging(
        upTo moment: Instant,
        occurrence name: String? = nil,
        in context: EditingContext,
        zones: TimeZoneResolver,
        settings: AlarmSettings = AlarmSettings()
    ) -> Reminder {
        guard let focused = self.openOccurrence(name, zones: zones) else { return self }
        let time = moment.wire
        let todo = focused.todo
        let clock = AlarmClock(zones: zones, settings: settings)
        let fired = todo.components(.valarm).filter { component in
            let alarm = todo.alarm(component)
            let firings = clock.times(of: alarm, start: focused.start, due: focused.due)
            return firings.contains { $0 <= moment } && alarm.acknowledged.map { $0 < moment } ?? true
        }
        let isLater = self.main.lastAcknowledged.map { $0 < moment } ?? true
        guard isLater || !fired.isEmpty else { return self }
        return self.edit(in: context) { object in
            object.edit(self.main) { editor in
                if isLater { editor.set(ContentLine(.mozLastAck, value: time)) }
                if todo.range == self.main.range { Self.acknowledge(fired, time, &editor) }
            }
            guard todo.range != self.main.range else { return }
            object.edit(todo) { editor in Self.acknowledge(fired, time, &editor) }
        }
    }

    /// Acknowledges the alarms of all occurrences up to and including a moment; later alarms are not acknowledged.
    ///
    /// X-MOZ-LASTACK covers the whole reminder, but ACKNOWLEDGED covers only the alarms of one component. Therefore
    /// each component with a fired alarm gets ACKNOWLEDGED.
    package func acknowledgingAll(
        upTo moment: Instant,
        in context: EditingContext,
        zones: TimeZoneResolver,
        settings: AlarmSettings = AlarmSettings()
    ) -> Reminder {
        let plan = AlarmPlan(self, zones: zones, settings: settings)
        var names: [String?] = []
        var fired: Set<OccurrenceAlarms.Origin> = []
        // The latest alarms come first. If one component describes all occurrences, only the latest occurrence of each
        // alarm has to be acknowledged. For two alarms, these occurrences may differ, because one alarm may fire a day
        // ahead.
        for alarm in plan.alarms(after: plan.beginning, upTo: moment).reversed() {
            let isFirst = fired.insert(OccurrenceAlarms.Origin(cause: alarm.cause, number: alarm.index)).inserted
            guard isFirst || self.object.todos.count > 1, !names.contains(alarm.id.occurrence) else { continue }
            names.append(alarm.id.occurrence)
            if names.count == Self.maximumAcknowledged { break }
        }
        let seen = names.reduce(self) { seen, name in
            seen.acknowledging(upTo: moment, occurrence: name, in: context, zones: zones, settings: settings)
        }
        // An occurrence after ``SeriesAlarms/maximumOccurrences`` others cannot be found by its name, so only
        // X-MOZ-LASTACK covers its alarms.
        guard !names.isEmpty, seen.main.lastAcknowledged.map({ $0 < moment }) ?? true else { return seen }
        return seen.edit(in: context) { object in
            object.edit(seen.main) { $0.set(ContentLine(.mozLastAck, value: moment.wire)) }
        }
    }

    /// The most occurrences that are acknowledged one by one; X-MOZ-LASTACK covers the others.
    static let maximumAcknowledged = 100

    private static func acknowledge(_ alarms: [Component], _ time: String, _ editor: inout ComponentEditor) {
        for alarm in alarms { editor.edit(alarm) { $0.set(ContentLine(.acknowledged, value: time)) } }
    }

    /// The reminder at the open occurrence `name`, or the reminder itself without a name; `nil` if closed or missing.
    package func openOccurrence(_ name: String?, zones: TimeZoneResolver) -> Reminder? {
        guard let name else { return self.main.status.isClosed ? nil : Reminder(self, focus: nil) }
        guard self.isSeries, !self.main.status.isClosed || self.main.recurrenceID != nil,
            let series = try? ReminderSeries(self, zones: zones),
            let found = (try? series.open(named: name)) ?? nil
        else { return nil }
        return Reminder(self, focus: series.focus(on: found.occurrence))
    }
}
