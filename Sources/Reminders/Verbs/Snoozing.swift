public import ICalendar

extension Reminder {
    /// Puts it off until `until`.
    ///
    /// Written in both dialects: X-MOZ-SNOOZE-TIME and X-MOZ-LASTACK (Thunderbird, Tasks.org), and, where there is an
    /// alarm to put off, a snooze alarm with ACKNOWLEDGED in the one it belongs to (RFC 9074 §6, §7).
    public func snoozing(until: Instant, in context: EditingContext) -> Reminder {
        let time = CalendarDateTime(localSeconds: until.secondsSince1970, zone: .utc).wire
        let now = CalendarDateTime(localSeconds: context.now.secondsSince1970, zone: .utc).wire
        return self.edit(in: context) { editor in
            for alarm in self.todo.components(.valarm) where alarm.isSnooze { editor.remove(alarm) }
            // Thunderbird's form for one occurrence would count beside the one that is written now.
            for property in self.todo.properties
            where property.name != .mozSnoozeTime && property.name.canonical.hasPrefix(Name.mozSnoozeTime.canonical) {
                editor.remove(property)
            }
            editor.set(ContentLine(.mozSnoozeTime, value: time))
            editor.set(ContentLine(.mozLastAck, value: now))
            guard let alarm = self.todo.components(.valarm).first(where: \.canBeSnoozed) else { return }
            // Names that follow from the alarm: two machines that snooze it do not make two of it.
            let uid = alarm.first(.uid)?.text ?? NameUUID.make(Array(self.uid.utf8) + alarm.bytes)
            var inner = ComponentEditor(alarm)
            if alarm.first(.uid) == nil { inner.add(ContentLine(.uid, text: uid)) }
            inner.set(ContentLine(.acknowledged, value: now))
            editor.merge(inner)
            editor.add(component: [
                ContentLine(.begin, value: "VALARM"),
                ContentLine(.uid, text: NameUUID.make("\(uid)\nSNOOZE")),
                ContentLine(.action, value: "DISPLAY"),
                ContentLine(.description, text: self.title),
                ContentLine(.trigger, [Parameter(.value, "DATE-TIME")], value: time),
                ContentLine(.relatedTo, [Parameter(.reltype, "SNOOZE")], text: uid),
                ContentLine(.end, value: "VALARM"),
            ])
        }
    }

    /// Takes every form of a snooze away.
    func removeSnooze(_ editor: inout ComponentEditor) {
        self.removeSnoozeProperties(&editor)
        for alarm in self.todo.components(.valarm) where alarm.isSnooze { editor.remove(alarm) }
    }

    func removeSnoozeProperties(_ editor: inout ComponentEditor) {
        for property in self.todo.properties
        where property.name.canonical.hasPrefix(Name.mozSnoozeTime.canonical) {
            editor.remove(property)
        }
    }
}

extension Component {
    /// Whether a snooze can belong to this alarm: it sounds at a time, and is no snooze itself.
    fileprivate var canBeSnoozed: Bool { !self.isSnooze && Alarm(self).trigger != nil }
}
