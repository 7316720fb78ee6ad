public import ICalendar
public import Recurrence

extension Reminder {
    /// Puts it off until `until`; of one that comes again the occurrence that is to be done now.
    ///
    /// Written in both dialects: X-MOZ-SNOOZE-TIME and X-MOZ-LASTACK (Thunderbird, Tasks.org), and, where there is an
    /// alarm to put off, a snooze alarm with ACKNOWLEDGED in the one it belongs to (RFC 9074 §6, §7). Thunderbird has
    /// a property of its own for an occurrence, on the series, and Tasks.org does not know it; both are written. Other
    /// occurrences that are put off until after now stay so.
    ///
    /// - Parameters:
    ///   - name: which occurrence instead (``AlarmID/occurrence``); one that is not open changes nothing.
    ///   - moment: the time of the snooze, before which everything is acknowledged; `nil` for now.
    public func snoozing(
        occurrence name: String? = nil,
        at moment: Instant? = nil,
        until: Instant,
        in context: EditingContext,
        zones: TimeZoneResolver
    ) -> Reminder {
        let time = CalendarDateTime(utc: until).wire
        let seen = moment ?? context.now
        let first = self.isSeries ? try? ReminderSeries(self, zones: zones).current() : nil
        var focus = first
        var unnamed: Snooze?
        if let name {
            guard let open = self.openOccurrence(name, zones: zones)?.focus else { return self }
            focus = open
            // A snooze without an occurrence belongs to the first one, and would be overwritten.
            if let first, first.stamp != open.stamp { unnamed = Snoozes(self).unnamed }
        }
        let todo = focus?.occurrence.component ?? self.main
        return self.edit(in: context) { object in
            object.edit(self.main) { editor in
                self.main.removeOccurrenceSnoozes(of: focus?.stamp, now: context.now, &editor)
                editor.set(ContentLine(.mozSnoozeTime, value: time))
                if let focus, let name = MozillaSnooze.name(of: focus.stamp) {
                    editor.add(ContentLine(name, value: time))
                }
                if let first, let unnamed, unnamed.until > context.now, let name = MozillaSnooze.name(of: first.stamp) {
                    editor.add(ContentLine(name, value: CalendarDateTime(utc: unnamed.until).wire))
                }
                // Another device may have seen to more since.
                if self.main.lastAcknowledged.map({ $0 < seen }) ?? true {
                    editor.set(ContentLine(.mozLastAck, value: CalendarDateTime(utc: seen).wire))
                }
                if todo.range == self.main.range { self.snooze(todo, time: time, seen: seen, &editor) }
            }
            guard todo.range != self.main.range else { return }
            object.edit(todo) { editor in
                todo.removeSnoozeProperties(&editor)
                self.snooze(todo, time: time, seen: seen, &editor)
            }
        }
    }

    /// Puts off the first alarm that can be, in the way of RFC 9074.
    private func snooze(_ todo: Component, time: String, seen: Instant, _ editor: inout ComponentEditor) {
        for alarm in todo.components(.valarm) where alarm.isSnooze { editor.remove(alarm) }
        guard let alarm = todo.components(.valarm).first(where: \.canBeSnoozed) else { return }
        // Names that follow from the alarm: two machines that snooze it do not make two of it.
        let uid = alarm.first(.uid)?.text ?? NameUUID.make(Array(self.uid.utf8) + alarm.bytes)
        var inner = ComponentEditor(alarm)
        if alarm.first(.uid) == nil { inner.add(ContentLine(.uid, text: uid)) }
        let acknowledged = max(seen, Alarm(alarm).acknowledged ?? seen)
        inner.set(ContentLine(.acknowledged, value: CalendarDateTime(utc: acknowledged).wire))
        editor.merge(inner)
        editor.add(component: [
            ContentLine(.begin, value: "VALARM"),
            ContentLine(.uid, text: NameUUID.make("\(uid)\nSNOOZE")),
            ContentLine(.action, value: "DISPLAY"),
            ContentLine(.description, text: (todo.first(.summary) ?? self.main.first(.summary))?.text ?? ""),
            ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: time),
            ContentLine(.relatedTo, [Parameter(.reltype, "SNOOZE")], text: uid),
            ContentLine(.end, value: "VALARM"),
        ])
    }

    /// Whether it was snoozed at a given time, even if that snooze is over.
    ///
    /// - Parameters:
    ///   - name: the occurrence of which it was said (``AlarmID/occurrence``); `nil` where there is only one.
    ///   - moment: until when that was to be.
    ///   - now: when that is over, it may have been written so late that it was put off until a later one.
    package func wasPutOff(
        occurrence name: String?,
        at said: Instant,
        until moment: Instant,
        now: Instant,
        zones: TimeZoneResolver
    ) -> Bool {
        let ends = self.endsOfSnoozes(of: name, zones: zones)
        if ends.contains(moment) { return true }
        let isSeenTo = self.main.lastAcknowledged.map { $0 >= said } ?? false
        return moment <= now && isSeenTo && ends.contains { $0 > moment }
    }

    /// Until when an occurrence was put off, in all forms that are there.
    private func endsOfSnoozes(of name: String?, zones: TimeZoneResolver) -> [Instant] {
        let named = self.object.todos.flatMap(\.snoozes)
        guard let name, let focus = self.openOccurrence(name, zones: zones)?.focus else {
            return named.compactMap(\.property.stamp) + self.object.todos.flatMap(\.unnamedSnoozes).map(\.until)
        }
        var ends = named.filter { $0.occurrence == focus.stamp }.compactMap(\.property.stamp)
        let first = try? ReminderSeries(self, zones: zones).current()
        if first?.stamp == focus.stamp, let unnamed = Snoozes(self).unnamed { ends.append(unnamed.until) }
        if focus.occurrence.component.isSingle { ends += focus.occurrence.component.unnamedSnoozes.map(\.until) }
        return ends
    }

    /// Takes every form of a snooze away.
    func removeSnooze(_ editor: inout ComponentEditor) { self.todo.removeSnooze(&editor) }
}

extension Component {
    /// Takes every form of a snooze away.
    ///
    /// - Parameter others: the numbers (``Focus/stamp``) of the occurrences that keep their snoozes.
    func removeSnooze(keeping others: Set<Int64> = [], _ editor: inout ComponentEditor) {
        self.removeSnoozeProperties(keeping: others, &editor)
        for alarm in self.components(.valarm) where alarm.isSnooze { editor.remove(alarm) }
    }

    func removeSnoozeProperties(keeping others: Set<Int64> = [], _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence.map(others.contains) != true {
            editor.remove(snooze.property)
        }
    }

    /// Takes away the snooze of one occurrence, and the forms of it that name none.
    func removeSnooze(of occurrence: Int64, _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence == occurrence { editor.remove(snooze.property) }
        self.removeUnnamedSnoozes(until: self.moments(ofSnoozeOf: occurrence), &editor)
    }

    /// Until when one occurrence is put off, and no other is.
    func moments(ofSnoozeOf occurrence: Int64) -> Set<Instant> {
        let named = self.snoozes.filter { $0.occurrence != nil }
        let own = named.filter { $0.occurrence == occurrence }.compactMap(\.property.stamp)
        return Set(own).subtracting(named.filter { $0.occurrence != occurrence }.compactMap(\.property.stamp))
    }

    /// Takes away X-MOZ-SNOOZE-TIME and snooze alarms that end at one of these moments.
    func removeUnnamedSnoozes(until moments: Set<Instant>, _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence == nil {
            if let until = snooze.property.stamp, moments.contains(until) { editor.remove(snooze.property) }
        }
        for alarm in self.components(.valarm) where alarm.isSnooze {
            if case .absolute(let until)? = Alarm(alarm).trigger, moments.contains(until) { editor.remove(alarm) }
        }
    }

    /// Takes away the snooze of an occurrence, `nil` for all, and those that are over.
    fileprivate func removeOccurrenceSnoozes(of occurrence: Int64?, now: Instant, _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence != nil {
            let isOver = snooze.property.stamp.map { $0 <= now } ?? true
            if isOver || occurrence == nil || snooze.occurrence == occurrence { editor.remove(snooze.property) }
        }
    }

    /// Whether a snooze can belong to this alarm: it sounds at a time, and is no snooze itself.
    fileprivate var canBeSnoozed: Bool { !self.isSnooze && Alarm(self).trigger != nil }
}
