import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats

extension ImportedTask {
    /// The value of a field in the file, for a message; `nil` for a field without a short text.
    func words(of property: Name) -> String? {
        switch property {
        case .summary: self.title
        case .due: self.due.map(Self.text)
        case .dtstart: self.start.map(Self.text)
        case .rrule: self.rule?.wire
        case .priority: self.priority.rawValue
        default: nil
        }
    }

    private static func text(_ moment: CalendarDateOrDateTime) -> String {
        guard case .dateTime(let time) = moment else { return moment.day.description }
        return "\(time.date) \(time.time.hoursAndMinutes)"
    }

    /// The edits that give a stored to-do the values of the task; values that the format cannot express stay unchanged.
    func edits(of component: Component, _ format: TaskFormat, now: Instant) -> [Edit] {
        var editor = ComponentEditor(component)
        let lines = self.properties(now: now)
        for name in Self.names where name != .dtstart && !self.unread.contains(name) {
            if let line = lines.first(where: { $0.name == name }) {
                for other in component.all(name).dropFirst() { editor.remove(other) }
                editor.set(line)
            } else if self.removes(name, of: component, format) {
                editor.remove(name)
            }
        }
        self.editStart(of: component, format, &editor)
        self.editRelations(lines, format, &editor)
        let names = Set(self.extra.map(\.name))
        // Dates that were left out here stay left out.
        for name in names where name != .exdate { editor.remove(name) }
        let leftOut = Set(component.all(.exdate).flatMap { $0.value.split(separator: ",") })
        for line in self.extra {
            guard line.name == .exdate else {
                editor.add(line)
                continue
            }
            let new = line.value.split(separator: ",").filter { !leftOut.contains($0) }
            if !new.isEmpty { editor.add(ContentLine(.exdate, line.parameters, value: new.joined(separator: ","))) }
        }
        self.editAlarms(&editor)
        return editor.edits
    }

    /// Whether to remove the property `name` of the reminder because the edited task lacks it.
    private func removes(_ name: Name, of component: Component, _ format: TaskFormat) -> Bool {
        switch name {
        case .created: false
        // A to-do with DUE must not have DURATION (RFC 5545 §3.6.2).
        case .duration: !self.unread.contains(.due)
        case .due where self.keepsRule(of: component, format): false
        // A task that states no progress is not complete, so a stored value of 100 is removed.
        case .percentComplete where component.first(name)?.value.trimmingSpaces == "100": true
        default: format.properties.contains(name)
        }
    }

    /// Whether the stored rule stays; its dates begin at DTSTART, so DTSTART must then stay too.
    private func keepsRule(of component: Component, _ format: TaskFormat) -> Bool {
        let cannotExpress = !format.properties.contains(.rrule) || self.unread.contains(.rrule)
        return cannotExpress && self.rule == nil && component.first(.rrule) != nil
    }

    /// Writes the start of the task; if the task cannot express a start, a stored start that fits DUE stays.
    ///
    /// A start fits if it has the same value type as DUE and is not later. A stored start that was equal to DUE changes
    /// with DUE.
    private func editStart(of component: Component, _ format: TaskFormat, _ editor: inout ComponentEditor) {
        let here = component.first(.dtstart)?.moment
        let dueHere = component.first(.due)?.moment
        let keepsRule = self.keepsRule(of: component, format)
        let keepsDue = self.unread.contains(.due) || (keepsRule && self.due == nil)
        let due = keepsDue ? dueHere : self.due
        let canExpress = format.properties.contains(.dtstart) && !self.unread.contains(.dtstart) && !keepsRule
        let isOfDue = here == dueHere && !keepsDue
        let isUnread = self.unread.contains(.dtstart)
        // The dates of a rule begin at DTSTART, so a task with a rule starts at its due time.
        let first = self.rule == nil || isUnread && self.unread.contains(.rrule) ? nil : due
        var start: CalendarDateOrDateTime?
        if isUnread {
            start = (isOfDue ? due : here) ?? first
        } else {
            start = self.start ?? first ?? (canExpress || isOfDue ? nil : here)
        }
        if let one = start, let due, one.isDate != due.isDate || one.localSeconds > due.localSeconds { start = nil }
        if keepsRule { start = start ?? due ?? here }
        guard start != here || (start == nil && canExpress) else { return }
        for other in component.all(.dtstart).dropFirst() { editor.remove(other) }
        if let start {
            editor.set(ContentLine(.dtstart, moment: start))
        } else {
            editor.remove(.dtstart)
        }
    }

    private func editRelations(_ lines: [ContentLine], _ format: TaskFormat, _ editor: inout ComponentEditor) {
        if self.unread.contains(.relatedTo) { return }
        func kind(_ relation: String?) -> String { relation?.uppercased() ?? "PARENT" }
        let relations = lines.filter { $0.name == .relatedTo }
        var ours = format.relations
        if self.parent != nil { ours.insert("PARENT") }
        if !self.dependencies.isEmpty { ours.insert("DEPENDS-ON") }
        for property in editor.component.all(.relatedTo) where ours.contains(kind(property.parameter(.reltype))) {
            editor.remove(property)
        }
        for line in relations { editor.add(line) }
    }

    /// Replaces the stored alarms if their triggers differ from those of the task.
    private func editAlarms(_ editor: inout ComponentEditor) {
        guard let alarms = self.alarms, !self.unread.contains(.valarm) else { return }
        let here = editor.component.ownAlarms
        let times = here.map { $0.first(.trigger)?.value.trimmingSpaces ?? "" }
        guard Set(times) != Set(alarms.map(\.wire)) else { return }
        for alarm in here { editor.remove(alarm) }
        for lines in self.alarmLines { editor.add(component: lines) }
    }
}
