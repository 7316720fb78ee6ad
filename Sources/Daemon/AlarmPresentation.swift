public import Bridge
public import ICalendar
public import Notifications
public import Reminders
import SQLiteStore
import Store

/// Delivers the alarms of a store through a presenter of the embedding program.
///
/// It drives the same ``AlarmScheduler`` as the daemon: each alarm is delivered once, also after a crash, a clock change or
/// a lost notification. A store with a folder keeps the delivery state there, and a daemon cannot run for it meanwhile.
///
/// ```swift
/// let alarms = try AlarmPresentation(useCases, presenter: presenter, instance: "1", wake: { queue.async(execute: update) })
/// let next = try alarms.update()
/// ```
///
/// Call ``update()`` at the start, at the time that it returned, after each change of reminders, and when the clock or the
/// time zone was changed. For one thread; ``invoked(_:action:)`` and ``closed(_:_:)`` may be called on any thread.
public final class AlarmPresentation {
    private let useCases: UseCases
    private let presenter: any NotificationPresenter
    private let settings: AlarmSettings
    private let instance: String
    private let open: (_ reminder: Int64?) -> Bool
    private let reminders: StoredReminders
    /// Answers of the presenter that wait for ``update()``.
    private let answers: Mailbox<SchedulerEvent>
    private let lock: DaemonLock?
    /// `nil` for a store in memory.
    private let file: DeliveryStateFile?
    private var scheduler: AlarmScheduler
    private var detector = StoreChangeDetector()
    private var isStarted = false
    private var wakeTime: Instant?

    /// - Parameters:
    ///   - presenter: shows the notifications.
    ///   - settings: the settings that determine alarm times.
    ///   - muted: the lists and labels without alarms.
    ///   - instance: the run of the notification service; notifications of another run are no longer on the screen.
    ///   - open: opens a reminder, or the due reminders for `nil`, after a click; returns whether it was opened.
    ///   - wake: called on any thread when an answer of the presenter needs a call of ``update()``.
    /// - Throws: when another process delivers the alarms of the store, or the store cannot be read.
    public init(
        _ useCases: UseCases,
        presenter: any NotificationPresenter,
        settings: AlarmSettings = AlarmSettings(),
        muted: MuteRules = MuteRules(),
        instance: String,
        open: @escaping (_ reminder: Int64?) -> Bool = { _ in false },
        wake: @escaping @Sendable () -> Void = {}
    ) throws {
        var schedulerSettings = DaemonSettings()
        (schedulerSettings.alarms, schedulerSettings.muted) = (settings, muted)
        self.useCases = useCases
        self.presenter = presenter
        self.settings = settings
        self.instance = instance
        self.open = open
        self.reminders = StoredReminders(useCases)
        self.answers = Mailbox(wake)
        self.lock = try useCases.store.folder.map { try UseCases.lockDelivery($0) }
        let opened = try useCases.store.folder.map { folder throws(DatabaseError) in
            try DeliveryStateFile.open(folder: folder)
        }
        self.file = opened?.file
        self.scheduler = AlarmScheduler(
            records: opened?.content.state ?? DeliveryState(),
            settings: schedulerSettings.schedulerSettings(hasTerminal: false)
        )
    }

    /// The number of reminders that have fired and are not acknowledged.
    public var unacknowledgedCount: Int { self.scheduler.unacknowledgedCount }

    /// Handles changed reminders, answers of the presenter, and the passing of time.
    ///
    /// - Returns: the time of the next call; `nil` when only a change makes one necessary.
    /// - Throws: when the store cannot be read; the call can be repeated.
    @discardableResult
    public func update() throws -> Instant? {
        self.detector.wakes(at: self.reminders.now)
        defer { self.detector.sleeps(at: self.reminders.now) }
        if !self.isStarted {
            let open = try self.reminders.read { snapshot throws(DatabaseError) in try self.detector.start(snapshot) }
            try self.handle(.started(reminders: open, local: self.useCases.configuration.localZone))
            try self.handle(.service(self.instance))
            self.isStarted = true
        }
        // Actions change reminders, so answers come first.
        for event in self.answers.removeAll() { try self.handle(event) }
        self.detector.needsScan = true
        let changed = try self.reminders.read { snapshot throws(DatabaseError) in try self.detector.changes(snapshot) }
        self.reminders.forgetNames()
        try self.handle(.changed(changed, since: self.detector.foundSince))
        try self.handle(.clock)
        self.presenter.showCount(self.unacknowledgedCount)
        return self.wakeTime
    }

    /// The user has chosen an action of a notification.
    public func invoked(_ notification: NotificationID, action: NotificationAction) {
        guard notification.service == self.instance else { return }
        self.answers.post(.invoked(number: notification.number, action: action.key))
    }

    /// A notification is no longer on the screen.
    public func closed(_ notification: NotificationID, _ reason: CloseReason) {
        guard notification.service == self.instance else { return }
        self.answers.post(.closed(number: notification.number, reason))
    }

    private func handle(_ event: SchedulerEvent) throws {
        for effect in try self.reminders.handle(event, by: &self.scheduler) { try self.perform(effect) }
    }

    private func perform(_ effect: SchedulerEffect) throws {
        switch effect {
        // Alarms are shown also when the state cannot be written, as on a full disk.
        case .save(let changes): try? self.file?.save(changes)
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
                try self.useCases.perform(action, self.settings)
                self.answers.post(.written(action: number))
            } catch {
                self.answers.post(.notWritten(action: number, forGood: ActionQueue.isPermanent(error)))
            }
        case .open(let reminder, let seen):
            if self.open(reminder?.rawValue), let seen { self.answers.post(.opened(seen: seen)) }
        case .wake(let moment): self.wakeTime = moment
        // There is no fallback, and the reminder shows the lost action.
        case .deliverByFallback, .gaveUp: break
        }
    }
}
