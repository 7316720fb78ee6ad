import RemindavICalendar
public import RemindavRecurrence

extension Reminder {
    /// Makes a completed reminder open again.
    ///
    /// In a series with completed overrides (`CompletionShape/override`), the override that was completed last is
    /// removed. If this override has other changes, it loses only its completion. A series that moved to its next
    /// occurrence (`CompletionShape/roll`) stays unchanged.
    public func reopening(in context: EditingContext, zones: TimeZoneResolver) -> Reminder {
        let series = self.isSeries ? try? ReminderSeries(self, zones: zones) : nil
        if let series, self.main.recurrenceID != nil || !self.main.status.isClosed {
            return series.reopeningLast(in: context)
        }
        guard self.main.status.isClosed else { return Reminder(self, focus: nil) }
        let completed = self.main.first(.completed)?.stamp
        // An override with the completion time of the series was completed together with the series.
        let overrides = self.object.overrides.filter { override in
            override.isSingle && completed != nil && override.first(.completed)?.stamp == completed
        }
        return self.edit(in: context) { object in
            for todo in [self.main] + overrides { object.edit(todo) { $0.reopen() } }
        }
    }
}

extension ReminderSeries {
    fileprivate func reopeningLast(in context: EditingContext) -> Reminder {
        guard let override = self.lastClosed, let id = override.recurrenceID?.moment else {
            return Reminder(self.reminder, focus: nil)
        }
        let isPlain = self.isPlain(override, id, in: context)
        return self.reminder.edit(in: context) { object in
            if isPlain {
                object.remove(override)
            } else {
                object.edit(override) { $0.reopen() }
            }
            if let main = self.series.main, let next = self.kdeNext, self.series.local(id) < self.series.local(next) {
                object.edit(main) { $0.set(ContentLine(.kdeNextOccurrence, moment: id)) }
            }
        }
    }

    /// The override that was completed last; the last cancelled one if none is completed and no occurrence is open.
    ///
    /// Overrides before the start of the series are ignored, because some programs keep them as a history.
    private var lastClosed: Component? {
        let start = self.series.start.map(self.series.local)
        let closed = self.reminder.object.overrides.filter { override in
            guard override.isSingle, override.status.isClosed, let id = override.recurrenceID?.moment else {
                return false
            }
            return start.map { self.series.local(id) >= $0 } ?? true
        }
        if let last = closed.filter({ $0.status == .completed }).max(by: self.isCompletedBefore) { return last }
        do {
            var open = try self.open()
            return try open.next() == nil ? closed.max(by: self.isCompletedBefore) : nil
        } catch {
            // An occurrence may be open among the dates that cannot be computed.
            return nil
        }
    }

    private func isCompletedBefore(_ one: Component, _ other: Component) -> Bool {
        let first = one.first(.completed)?.stamp ?? one.lastChange ?? Instant(secondsSince1970: 0)
        let second = other.first(.completed)?.stamp ?? other.lastChange ?? Instant(secondsSince1970: 0)
        guard first == second else { return first < second }
        let ids = [one, other].map { $0.recurrenceID?.moment.map(self.series.local) ?? 0 }
        return ids[0] < ids[1]
    }

    /// Whether an override differs from its occurrence only by the completion.
    private func isPlain(_ override: Component, _ id: CalendarDateOrDateTime, in context: EditingContext) -> Bool {
        let future = self.series.futures.last { self.series.local($0.id) <= self.series.local(id) }
        guard let main = self.series.main,
            let dates = self.series.occurrence(named: id, describedBy: future?.component ?? main)
        else { return false }
        let edit = OccurrenceEdit(
            series: self,
            focus: self.focus(on: dates),
            id: id,
            next: nil,
            context: context
        )
        guard let plain = ICalendarDocument(edit.completedOverride()).all(.vtodo).first else { return false }
        return plain.meaning(ignoring: Self.ofCompletion) == override.meaning(ignoring: Self.ofCompletion)
    }

    /// Properties that a completion writes, and RECURRENCE-ID, which programs write in different forms.
    private static let ofCompletion: Set<Name> = [
        .status, .completed, .percentComplete, .recurrenceID, .dtstamp, .created, .lastModified, .sequence,
        Name("X-MOZ-GENERATION") ?? .sequence, .mozLastAck, .acknowledged,
    ]
}

extension ComponentEditor {
    fileprivate mutating func reopen() {
        self.remove(.completed)
        self.remove(.percentComplete)
        self.set(ContentLine(.status, value: "NEEDS-ACTION"))
    }
}
