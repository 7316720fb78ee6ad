package import RemindavBridge
package import RemindavICalendar
package import RemindavNotifications
import RemindavPlatform
package import RemindavReminders
import RemindavSQLiteStore
import RemindavStore

/// Delivers the alarms of a store through a presenter of the embedding program.
///
/// It uses the same ``AlarmScheduler`` as the daemon, so each alarm is delivered once, also after a crash or a clock
/// change. If the store has a folder, the delivery state is stored there, and no daemon can start for this store while
/// this object exists.
///
/// ```swift
/// let alarms = try AlarmPresentation(useCases, presenter: presenter, instance: "1", wake: { queue.async(execute: update) })
/// let next = try alarms.update()
/// ```
///
/// Call ``update()`` at the start, at the time that the last call returned, after each change of reminders, and when
/// the clock or the time zone was changed. Only ``invoked(_:action:)`` and ``closed(_:_:)`` may be called on any
/// thread.
package final class AlarmPresentation {
    private let useCases: UseCases
    private let presenter: any NotificationPresenter
    private let settings: AlarmSettings
    private let instance: String
    private let open: (_ reminder: Int64?) -> Bool
    private let reminders: StoredReminders
    /// Results from the presenter that the next ``update()`` handles.
    private let answers: MessageQueue<SchedulerEvent>
    /// Events that could not be handled because the store could not be read.
    private var postponed: [SchedulerEvent] = []
    private let lock: DaemonLock?
    /// `nil` for a store in memory.
    private var log: DeliveryLog?
    private var scheduler: AlarmScheduler
    private var detector = StoreChangeDetector()
    private var runs = ActionRuns()
    private var isStarted = false
    private var wakeTime: Instant?

    /// - Parameters:
    ///   - presenter: shows the notifications.
    ///   - settings: the settings that determine alarm times.
    ///   - muted: the lists and labels without alarms.
    ///   - instance: a name for this run of the notification service. Notifications of another run are assumed gone.
    ///   - open: opens a reminder, or the due reminders for `nil`, after a click. Returns whether something was opened.
    ///   - wake: called on any thread when a result from the presenter requires a call of ``update()``.
    /// - Throws: an error when another process delivers the alarms of the store, or the store cannot be read.
    package init(
        _ useCases: UseCases,
        presenter: any NotificationPresenter,
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules(),
        instance: String,
        open: @escaping (_ reminder: Int64?) -> Bool = { _ in false },
        wake: @escaping @Sendable () -> Void = {}
    ) throws {
        var schedulerSettings = DaemonSettings()
        (schedulerSettings.scheduler.alarms, schedulerSettings.muted) = (settings, muted)
        self.useCases = useCases
        self.presenter = presenter
        self.settings = settings
        self.instance = instance
        self.open = open
        self.reminders = StoredReminders(useCases)
        self.answers = MessageQueue(wake)
        self.lock = try useCases.store.folder.map { try UseCases.lockDelivery($0) }
        let opened = try useCases.store.folder.map { folder throws(DatabaseError) in
            try DeliveryStateFile.open(folder: folder)
        }
        self.log = opened.map { DeliveryLog($0.file, failure: $0.content.failure) }
        self.scheduler = AlarmScheduler(
            records: opened?.content.state ?? DeliveryState(),
            settings: schedulerSettings.schedulerSettings(hasTerminal: false)
        )
    }

    /// The number of reminders that have fired and are not acknowledged.
    package var unacknowledgedCount: Int { self.scheduler.unacknowledgedCount }

    /// Handles changed reminders, results from the presenter, and the passing of time.
    ///
    /// - Returns: the time of the next call; `nil` when a call is needed only after a change.
    /// - Throws: an error when the store cannot be read. The call can be repeated.
    @discardableResult
    package func update() throws -> Instant? {
        self.detector.wakes(at: self.reminders.now)
        self.detector.needsScan = true
        defer { self.detector.sleeps(at: self.reminders.now) }
        _ = self.log?.retry(self.scheduler.records, at: WakeSources.uptime)
        if !self.isStarted {
            let open = try self.reminders.read { snapshot throws(DatabaseError) in try self.detector.start(snapshot) }
            let local = self.useCases.configuration.localZone
            self.postponed = [.started(reminders: open, local: local), .service(self.instance)]
            self.isStarted = true
        }
        // The presenter's results come before the scan of the store, because the user's actions change reminders.
        try self.handle(self.answers.removeAll())
        // The detector is changed on a copy, which is dropped if the end of the transaction fails.
        var detector = self.detector
        let changed = try self.reminders.read { snapshot throws(DatabaseError) in try detector.changes(snapshot) }
        self.detector = detector
        self.reminders.forgetNames()
        try self.handle([.changed(changed, since: detector.foundSince), .clock])
        self.presenter.showCount(self.unacknowledgedCount)
        return [self.wakeTime, self.retryTime].compactMap { $0 }.min()
    }

    /// The time of the next attempt to write the delivery state; `nil` when no attempt has failed.
    private var retryTime: Instant? {
        self.log?.backoff.next.map { next in
            let seconds = (next - WakeSources.uptime) / 1_000_000_000 + 1
            return self.reminders.now.adding(seconds: Int(max(seconds, 1)))
        }
    }

    /// Reports that the user has chosen an action of a notification.
    package func invoked(_ notification: NotificationID, action: NotificationAction) {
        guard notification.service == self.instance else { return }
        self.answers.post(.invoked(number: notification.number, action: action.key))
    }

    /// Reports that a notification is no longer on the screen.
    package func closed(_ notification: NotificationID, _ reason: CloseReason) {
        guard notification.service == self.instance else { return }
        self.answers.post(.closed(number: notification.number, reason))
    }

    /// Handles the postponed events and then `events`; after an error, the remaining events are postponed.
    private func handle(_ events: [SchedulerEvent]) throws {
        self.postponed += events
        while let event = self.postponed.first {
            let effects = try self.reminders.handle(event, by: &self.scheduler)
            self.postponed.removeFirst()
            for effect in effects { self.perform(effect) }
        }
    }

    private func perform(_ effect: SchedulerEffect) {
        switch effect {
        case .save(let changes): _ = self.log?.save(changes, of: self.scheduler.records, at: WakeSources.uptime)
        case .show(let notification):
            self.presenter.show(notification) { [answers] outcome in
                let token = notification.token
                switch outcome {
                case .success(let id): answers.post(.shown(token: token, number: id.number))
                case .failure: answers.post(.notShown(token: token))
                }
            }
        case .close(let notification):
            self.presenter.close(notification) { [answers] in
                answers.post(.closed(number: notification.number, .requested))
            }
        case .write(let number, let action):
            do {
                try self.useCases.perform(action, self.settings, in: &self.runs)
                self.answers.post(.written(action: number))
            } catch {
                self.answers.post(.notWritten(action: number, forGood: ActionQueue.isPermanent(error)))
            }
        case .open(let reminder, let seen):
            if self.open(reminder?.rawValue), let seen { self.answers.post(.opened(seen: seen)) }
        case .wake(let moment): self.wakeTime = moment
        // A presenter has no fallback. A lost action is not reported: the user sees that the reminder is unchanged.
        case .deliverByFallback, .gaveUp: break
        }
    }
}
