package import RemindavICalendar
package import RemindavRecurrence

extension Reminder {
    /// Snoozes the reminder, or the current occurrence of a series, until `until`.
    ///
    /// The snooze is written as X-MOZ-SNOOZE-TIME with X-MOZ-LASTACK (Thunderbird, Tasks.org). If the to-do has an
    /// alarm, the snooze is also written as a snooze alarm, and the alarm gets ACKNOWLEDGED (RFC 9074 §6, §7). For an
    /// occurrence, the main VTODO also gets X-MOZ-SNOOZE-TIME-‹number›, where the number identifies the occurrence
    /// (`Focus/stamp`). The snoozes of other occurrences remain until they end.
    ///
    /// - Parameters:
    ///   - name: the occurrence (``AlarmID/occurrence``) to snooze; `nil` means the current one. A closed occurrence
    ///     does not change.
    ///   - moment: the moment up to which all alarms are acknowledged; `nil` means now.
    package func snoozing(
        occurrence name: String? = nil,
        at moment: Instant? = nil,
        until: Instant,
        in context: EditingContext,
        zones: TimeZoneResolver
    ) -> Reminder {
        let time = until.wire
        let seen = moment ?? context.now
        let first = self.isSeries ? try? ReminderSeries(self, zones: zones).current() : nil
        var focus = first
        var unnamed: Snooze?
        if let name {
            guard let open = self.openOccurrence(name, zones: zones)?.focus else { return self }
            focus = open
            // A snooze without a number belongs to the first occurrence. The new snooze overwrites its property, so the
            // old snooze is written again with a number.
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
                    editor.add(ContentLine(name, value: unnamed.until.wire))
                }
                // Another device may have written a later acknowledgement.
                if self.main.lastAcknowledged.map({ $0 < seen }) ?? true {
                    editor.set(ContentLine(.mozLastAck, value: seen.wire))
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

    private func snooze(_ todo: Component, time: String, seen: Instant, _ editor: inout ComponentEditor) {
        for alarm in todo.components(.valarm) where alarm.isSnooze { editor.remove(alarm) }
        guard let alarm = todo.components(.valarm).first(where: \.canBeSnoozed) else { return }
        // The UID is derived from the alarm, so two machines that snooze the alarm write the same snooze alarm.
        let uid = alarm.first(.uid)?.text ?? NameUUID.make(Array(self.uid.utf8) + alarm.bytes)
        editor.edit(alarm) { inner in
            if alarm.first(.uid) == nil { inner.add(ContentLine(.uid, text: uid)) }
            inner.set(ContentLine(.acknowledged, value: max(seen, Alarm(alarm).acknowledged ?? seen).wire))
        }
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

    /// Whether the reminder was snoozed at `time` until `moment`, even if that snooze has ended.
    ///
    /// If the reminder was snoozed again after `moment`, only the later end is stored. Such an end is accepted too.
    package func wasSnoozed(
        occurrence name: String?,
        at time: Instant,
        until moment: Instant,
        now: Instant,
        zones: TimeZoneResolver
    ) -> Bool {
        let ends = self.endsOfSnoozes(of: name, zones: zones)
        if ends.contains(moment) { return true }
        let isAcknowledged = self.main.lastAcknowledged.map { $0 >= time } ?? false
        return moment <= now && isAcknowledged && ends.contains { $0 > moment }
    }

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
}

extension Component {
    /// - Parameter others: `Focus/stamp` of each occurrence whose snooze is not removed.
    func removeSnooze(keeping others: Set<Int64> = [], _ editor: inout ComponentEditor) {
        self.removeSnoozeProperties(keeping: others, &editor)
        for alarm in self.components(.valarm) where alarm.isSnooze { editor.remove(alarm) }
    }

    func removeSnoozeProperties(keeping others: Set<Int64> = [], _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence.map(others.contains) != true {
            editor.remove(snooze.property)
        }
    }

    func removeSnooze(of occurrence: Int64, _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence == occurrence { editor.remove(snooze.property) }
        self.removeUnnamedSnoozes(until: self.moments(ofSnoozeOf: occurrence), &editor)
    }

    /// The ends of the snoozes of one occurrence that are not also the end of another occurrence's snooze.
    func moments(ofSnoozeOf occurrence: Int64) -> Set<Instant> {
        let named = self.snoozes.filter { $0.occurrence != nil }
        let own = named.filter { $0.occurrence == occurrence }.compactMap(\.property.stamp)
        return Set(own).subtracting(named.filter { $0.occurrence != occurrence }.compactMap(\.property.stamp))
    }

    /// Removes X-MOZ-SNOOZE-TIME and snooze alarms that end at one of these moments.
    func removeUnnamedSnoozes(until moments: Set<Instant>, _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence == nil {
            if let until = snooze.property.stamp, moments.contains(until) { editor.remove(snooze.property) }
        }
        for alarm in self.components(.valarm) where alarm.isSnooze {
            if case .absolute(let until)? = Alarm(alarm).trigger, moments.contains(until) { editor.remove(alarm) }
        }
    }

    /// Removes the numbered snoozes of `occurrence`, or of all occurrences if it is `nil`, and those that have ended.
    fileprivate func removeOccurrenceSnoozes(of occurrence: Int64?, now: Instant, _ editor: inout ComponentEditor) {
        for snooze in self.snoozes where snooze.occurrence != nil {
            let isOver = snooze.property.stamp.map { $0 <= now } ?? true
            if isOver || occurrence == nil || snooze.occurrence == occurrence { editor.remove(snooze.property) }
        }
    }

    fileprivate var canBeSnoozed: Bool { !self.isSnooze && Alarm(self).trigger != nil }
}
