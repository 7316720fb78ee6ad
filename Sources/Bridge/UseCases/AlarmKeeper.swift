public import ICalendar
public import Reminders

/// Changes reminders, and keeps an ``AlarmSink`` in step with them.
///
/// What completes or deletes a reminder takes its alarms back first, and gives them back when nothing came of it. What
/// adds or changes one schedules its pending alarm afterwards, whatever was changed. So whatever breaks off in between,
/// nothing rings for what is over, and ``refresh(_:)`` puts right what is missing.
///
/// A sink that fails stops nobody from changing reminders: each failure goes to ``report``, and so does one to read what
/// to tell it after a change.
public struct AlarmKeeper: Sendable {
    private let useCases: UseCases
    private let sink: any AlarmSink & Sendable
    private let settings: AlarmSettings
    private let report: @Sendable (AlarmFailure) -> Void

    /// - Parameter report: hears of each thing that the sink could not do.
    public init(
        _ useCases: UseCases,
        sink: any AlarmSink & Sendable,
        settings: AlarmSettings = AlarmSettings(),
        report: @escaping @Sendable (AlarmFailure) -> Void
    ) {
        self.useCases = useCases
        self.sink = sink
        self.settings = settings
        self.report = report
    }

    /// As ``UseCases/add(_:)``.
    public func add(_ draft: ReminderDraft) throws -> ReminderView {
        let view = try self.useCases.add(draft)
        self.reschedule(view.id)
        return view
    }

    /// As ``UseCases/add(_:once:)``.
    public func add(_ draft: ReminderDraft, once key: ReminderKey) throws -> IdempotentAdd {
        let addition = try self.useCases.add(draft, once: key)
        if addition.isNew { self.reschedule(addition.reminder.id) }
        return addition
    }

    /// As ``UseCases/edit(_:_:)``.
    public func edit(_ id: Int64, _ change: ReminderChange) throws -> ReminderView {
        let view = try self.useCases.edit(id, change)
        self.reschedule(id)
        // Out of a list that nobody may change it is another reminder.
        if view.id != id { self.reschedule(view.id) }
        return view
    }

    /// As ``UseCases/snooze(_:seconds:)``.
    public func snooze(_ id: Int64, seconds: Int64) throws -> ReminderView {
        let view = try self.useCases.snooze(id, seconds: seconds)
        self.reschedule(id)
        return view
    }

    /// As ``UseCases/snooze(_:until:)``.
    public func snooze(_ id: Int64, until: Instant) throws -> ReminderView {
        let view = try self.useCases.snooze(id, until: until)
        self.reschedule(id)
        return view
    }

    /// As ``UseCases/reopen(_:)``.
    public func reopen(_ id: Int64) throws -> ReminderView {
        let view = try self.useCases.reopen(id)
        self.reschedule(id)
        return view
    }

    /// As ``UseCases/complete(_:)``.
    public func complete(_ id: Int64) throws -> ReminderView {
        try self.cancelling(id) { try self.useCases.complete(id) }
    }

    /// As ``UseCases/delete(_:)``.
    public func delete(_ id: Int64) throws {
        try self.cancelling(id) { try self.useCases.delete(id) }
    }

    /// Tells the sink what has become different by any other way.
    ///
    /// That is a sync, an import, another process, the time, or a journey to another zone. At a start nothing is known.
    ///
    /// - Parameter known: what the sink was told of and not told to take back, of the past too.
    /// - Returns: the same as it is now.
    public func refresh(_ known: [ReminderAlarm]) throws -> [ReminderAlarm] {
        var known = known
        for step in try self.useCases.alarmSteps(from: known, self.settings) {
            guard self.take(step) else { continue }
            switch step {
            case .cancel(let id): known.removeAll { id.covers($0.id) }
            case .schedule(let alarm):
                known.removeAll { $0.id == alarm.id }
                known.append(alarm)
            case .cancelAll: known = []
            }
        }
        return known
    }

    /// Takes everything back from the sink, what is pending and what is shown, and changes no reminder: for a person who
    /// turns alarms off.
    ///
    /// After it nothing is known to the sink: ``refresh(_:)`` of nothing schedules again what is to come.
    ///
    /// - Returns: whether the sink could do it; else ``report`` has heard why.
    @discardableResult
    public func cancelAll() -> Bool { self.take(.cancelAll) }

    private func cancelling<Outcome>(_ id: Int64, _ change: () throws -> Outcome) throws -> Outcome {
        self.take(.cancel(AlarmID(reminder: String(id))))
        // Whether it was changed or not, what is there rings.
        defer { self.schedule(id) }
        return try change()
    }

    private func reschedule(_ id: Int64) {
        self.take(.cancel(AlarmID(reminder: String(id))))
        self.schedule(id)
    }

    /// What fails here says nothing of the change, which is written.
    private func schedule(_ id: Int64) {
        do {
            guard let alarm = try self.useCases.pendingAlarm(of: id, self.settings) else { return }
            self.take(.schedule(alarm))
        } catch {
            self.report(AlarmFailure(step: nil, cause: error))
        }
    }

    @discardableResult
    private func take(_ step: AlarmStep) -> Bool {
        do {
            try self.sink.take(step)
            return true
        } catch {
            self.report(AlarmFailure(step: step, cause: error))
            return false
        }
    }
}

/// Something that a sink could not do, or could not be told.
public struct AlarmFailure: Error, CustomStringConvertible {
    /// What it was told; `nil` when nobody could read what to tell.
    public let step: AlarmStep?
    /// Why it could not.
    public let cause: any Error

    /// What has failed, for a log: no title and no notes.
    public var description: String {
        switch self.step {
        case .schedule, nil: "Failed to schedule notification: \(self.cause)"
        case .cancel, .cancelAll: "Failed to cancel notification: \(self.cause)"
        }
    }
}
