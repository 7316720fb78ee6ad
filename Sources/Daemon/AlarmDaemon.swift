import RemindavBridge
import RemindavDesktopBus
import RemindavICalendar
import RemindavNotifications
import RemindavPlatform
import RemindavRecurrence
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore

/// The main loop of the daemon: it waits for events, passes them to its components, and carries out their effects.
///
/// The most important component is ``AlarmScheduler``. Only the thread that calls ``run()`` may use this object. Slow
/// work takes place on other threads and in other processes, and its results arrive as messages.
final class AlarmDaemon {
    private let folder: String
    private var settings: DaemonSettings
    private let environment: DaemonEnvironment
    private let messages: MessageQueue<DaemonMessage>
    private let sources: WakeSources
    private let reminders: StoredReminders
    private let actions: ActionQueue
    private let children = ChildProcesses()
    private var log: DeliveryLog
    private var notifier: DesktopNotifier?
    private var scheduler: AlarmScheduler
    private var reloader: SettingsReloader?
    private var zone: TimeZoneFollower
    private var syncs: SyncRunner
    private var detector = StoreChangeDetector()
    private var service = NotificationServiceState()
    private let storeIdentity: FileIdentity?
    private let namedStore: String?
    private var hasSettingsError = false
    private var isFindingService = false
    private var postponed: [SchedulerEvent] = []
    private var storeBackoff = Backoff()
    private var changed: ArraySlice<ReminderID> = []
    private var changesAtOnce = DaemonLimits.changesAtOnce
    private var unplanned: Set<ReminderID> = []
    private var lostFolders: [String: Backoff] = [:]
    private var shownCount = 0 {
        didSet { if self.shownCount != oldValue { self.notifier?.showCount(self.shownCount) } }
    }

    init(
        _ useCases: UseCases,
        folder: String,
        settings: DaemonSettings,
        environment: DaemonEnvironment,
        messages: MessageQueue<DaemonMessage>,
        sources: WakeSources
    ) throws {
        self.folder = folder
        self.settings = settings
        self.namedStore = settings.store
        self.environment = environment
        self.messages = messages
        self.sources = sources
        let (file, content) = try DeliveryStateFile.open(folder: folder)
        self.log = DeliveryLog(file, failure: content.failure)
        self.reminders = StoredReminders(useCases)
        self.actions = ActionQueue(useCases.configuration, settings.scheduler.alarms, messages: messages)
        self.scheduler = AlarmScheduler(
            records: content.state,
            settings: settings.schedulerSettings(hasTerminal: environment.printAlarm != nil)
        )
        let configuration = useCases.configuration
        self.syncs = SyncRunner(
            AccountSchedules(standard: settings.syncSeconds) { configuration.randomFraction() },
            command: environment.syncCommand.map { command in { command($0, folder) } }
        )
        self.zone = TimeZoneFollower(useCases.configuration.localZone, machineZone: environment.localZone) {
            TimeZoneFollower.files.contains { SystemFiles.exists("\(TimeZoneFollower.folder)/\($0)") }
        }
        self.storeIdentity = SystemFiles.identity(Self.storeFile(folder))
        try sources.folders.add(folder)
        // If /etc cannot be watched, the daemon does not follow changes of the time zone.
        _ = try? sources.folders.add(TimeZoneFollower.folder)
    }

    private static let storeFiles: Set = ["reminders.db", "reminders.db-wal"]
    private static func storeFile(_ folder: String) -> String { "\(folder)/reminders.db" }

    /// - Throws: an error when the store was replaced, or was migrated by a newer version of this program.
    func run() throws {
        defer {
            self.notifier?.stop()
            self.children.end()
        }
        if self.log.wasRecreated { self.environment.report(.deliveryStateRecreated) }
        self.startNotifier()
        self.startReloader()
        self.detector.wakes(at: self.reminders.now)
        let open = try self.reminders.read { snapshot throws(DatabaseError) in try self.detector.start(snapshot) }
        self.handle(.started(reminders: open, local: self.zone.name))
        // The first scan also reads the accounts and the unsent changes.
        self.detector.needsScan = true
        while true {
            self.planWake()
            self.detector.sleeps(at: self.reminders.now)
            let others = self.children.descriptors + [self.reloader?.descriptor].compactMap { $0 }
            let events = self.sources.wait(and: others, isBusy: !self.changed.isEmpty)
            self.detector.wakes(at: self.reminders.now)
            for message in self.messages.removeAll() { self.handle(message) }
            if events.isTerminating { return }
            try self.handle(events)
        }
    }

    private func planWake() {
        self.shownCount = self.scheduler.unacknowledgedCount
        self.sources.watchesNetwork = self.syncs.schedules.hopesForNetwork
        let times = [
            self.storeBackoff.next, self.log.backoff.next, self.detector.next, self.zone.next, self.children.deadline,
            self.reloader?.next, self.syncs.next, self.lostFolders.values.compactMap(\.next).min(),
        ]
        self.sources.wake(atUptime: times.compactMap { $0 }.min())
    }

    private func report(_ events: [DaemonLogEvent]) { for event in events { self.environment.report(event) } }

    // MARK: Events

    private func handle(_ events: WakeSources.Events) throws {
        let now = WakeSources.uptime
        self.handle(events.folders, now)
        if let reloader {
            let isReadable = events.readable.contains(reloader.descriptor)
            for effect in reloader.handle(isReadable: isReadable, at: now) { self.perform(effect) }
        }
        for end in self.children.ended(events.readable, at: now) { self.handle(end) }
        if events.network { self.syncs.schedules.networkChanged(at: now) }
        if self.storeBackoff.isDue(at: now) { self.retryPostponed() }
        self.report(self.log.retry(self.scheduler.records, at: now))
        for effect in self.zone.handle(.time, at: now) { self.perform(effect) }
        if self.changed.isEmpty, self.detector.isDue(at: now) { try self.scanStore() }
        self.handleChanges()
        if events.clock { self.handle(.clock) }
        let uptime = WakeSources.uptime
        for account in self.syncs.start(at: uptime, in: self.children) { self.syncEnded(account, .notStarted) }
    }

    private func handle(_ changes: FolderWatch.Changes, _ now: Int64) {
        if let files = changes.files {
            if !Self.storeFiles.isDisjoint(with: files[self.folder] ?? []) { self.detector.needsScan = true }
            let zoneFiles = files[TimeZoneFollower.folder] ?? []
            if !TimeZoneFollower.files.isDisjoint(with: zoneFiles) { _ = self.zone.handle(.filesChanged, at: now) }
        } else {
            self.detector.needsScan = true
            _ = self.zone.handle(.filesChanged, at: now)
        }
        for folder in changes.gone {
            self.sources.folders.remove(folder)
            self.lostFolders[folder] = Backoff()
        }
        self.watchLostFolders(now)
    }

    private func watchLostFolders(_ now: Int64) {
        for (folder, backoff) in self.lostFolders where backoff.next == nil || backoff.isDue(at: now) {
            do throws(SystemError) {
                try self.sources.folders.add(folder)
                self.lostFolders[folder] = nil
                self.detector.needsScan = true
                _ = self.zone.handle(.filesChanged, at: now)
            } catch {
                let isFirst = self.lostFolders[folder, default: Backoff()].failed(at: now)
                if isFirst, folder == self.folder { self.environment.report(.storeError(error)) }
            }
        }
    }

    private func handle(_ end: ChildProcesses.End) {
        let status: Int32?? =
            switch end.outcome {
            case .ended(.status(0)), .ended(.unknown): nil
            case .ended(.status(let status)): .some(status)
            case .timedOut, .notStarted: .some(nil)
            }
        switch end.purpose {
        case .sync(let account): self.syncEnded(account, end.outcome)
        case .notify: if let status { self.environment.report(.notifyCommandFailed(status: status)) }
        case .open(let seen):
            if let status { self.reportNotOpened(status) } else if let seen { self.handle(.opened(seen: seen)) }
        }
    }

    private func handle(_ message: DaemonMessage) {
        switch message {
        case .bus(let event):
            let (events, log) = self.service.handle(event)
            self.report(log)
            for event in events { self.handle(event) }
        case .shown(let token, let notification):
            for event in self.service.shown(token, notification) { self.handle(event) }
        case .notShown(let token, let reason, let error):
            self.report(self.service.notShown(reason, error))
            self.handle(SchedulerEvent.notShown(token: token))
        case .closed(let notification):
            for event in self.service.closed(notification, .requested) { self.handle(event) }
        case .serviceSearchEnded: self.isFindingService = false
        case .written(let action):
            self.handle(SchedulerEvent.written(action: action))
            self.detector.needsScan = true
        case .scheduler(let event): self.handle(event)
        }
    }

    private func perform(_ effect: TimeZoneFollower.Effect) {
        switch effect {
        case .reportUnknown: self.environment.report(.unknownZone)
        case .use(let name):
            self.actions.setLocalZone(name)
            self.environment.report(.zone(name))
            self.handle(.zoneChanged(name))
        }
    }

    // MARK: Settings

    private func startReloader() {
        guard let source = self.environment.settings else { return }
        do throws(SystemError) {
            let reloader = try SettingsReloader(source)
            self.reloader = reloader
            for effect in reloader.start(at: WakeSources.uptime) { self.perform(effect) }
        } catch {
            self.environment.report(.settingsUnwatched(error))
        }
    }

    private func perform(_ effect: SettingsReloader.Effect) {
        switch effect {
        case .use(let settings):
            guard settings != self.settings || self.hasSettingsError else { return }
            self.hasSettingsError = false
            self.use(settings)
            self.environment.report(.settings)
        case .reportError(let error):
            self.hasSettingsError = true
            self.environment.report(.settingsError(error))
        case .reportUnwatched(let error): self.environment.report(.settingsUnwatched(error))
        }
    }

    private func use(_ new: DaemonSettings) {
        let old = self.settings
        let hasTerminal = self.environment.printAlarm != nil
        self.settings = new
        self.actions.setSettings(new.scheduler.alarms)
        if new.store != old.store, new.store != self.namedStore { self.environment.report(.otherStore) }
        if new.syncSeconds != old.syncSeconds {
            self.syncs.schedules.standard = new.syncSeconds
            // The next scan reads the sync intervals of the accounts.
            self.detector.needsScan = true
        }
        let settings = new.schedulerSettings(hasTerminal: hasTerminal)
        if settings != old.schedulerSettings(hasTerminal: hasTerminal) { self.handle(.settings(settings)) }
    }

    // MARK: The store

    private func scanStore() throws {
        let start = WakeSources.uptime
        // If the file is missing for a moment, the store can still be read through its open connection.
        let identity = SystemFiles.identity(Self.storeFile(self.folder))
        if identity != nil, identity != self.storeIdentity { throw UseCaseError(.storeReplaced) }
        do {
            // The detector is changed on a copy, which is dropped if the end of the transaction fails.
            var detector = self.detector
            let (changed, accounts, unsent) = try self.reminders.read { snapshot throws(DatabaseError) in
                (try detector.changes(snapshot), try snapshot.accounts(), try snapshot.changesToSend())
            }
            self.detector = detector
            self.reminders.forgetNames()
            self.syncs.schedules.update(accounts, at: start)
            self.syncs.schedules.found(unsent, at: start)
            self.changed = changed[...]
        } catch {
            if case .newerVersion = error.code { throw error }
            if self.detector.failed(at: start) { self.environment.report(.storeError(error)) }
            return
        }
        let end = WakeSources.uptime
        self.detector.rest(from: end, after: end - start)
    }

    /// Passes the next changed reminders to the scheduler, not all at once: due alarms can fire between two calls.
    private func handleChanges() {
        guard !self.changed.isEmpty else { return }
        let some = self.changed.prefix(self.changesAtOnce)
        self.changed = self.changed.dropFirst(some.count)
        let start = WakeSources.uptime
        self.handle(.changed(Array(some), since: self.detector.foundSince))
        self.changesAtOnce = DaemonLimits.changes(after: self.changesAtOnce, took: WakeSources.uptime - start)
    }

    private func syncEnded(_ account: AccountID, _ outcome: ChildProcesses.Outcome) {
        // If the store cannot be read, the next scan reports the error.
        let unsent = try? self.reminders.read { snapshot throws(DatabaseError) in try snapshot.changesToSend() }
        self.report(self.syncs.ended(account, outcome, unsent: unsent, at: WakeSources.uptime))
    }

    // MARK: The scheduler

    private func handle(_ event: SchedulerEvent) {
        guard self.postponed.isEmpty else {
            // A `clock` event is not postponed, because every event makes the scheduler look at the current time.
            if event != .clock { self.postponed.append(event) }
            return
        }
        do {
            let effects = try self.reminders.handle(event, by: &self.scheduler)
            self.storeBackoff.succeeded()
            for effect in effects { self.perform(effect) }
            if case .started = event { self.environment.report(.ready) }
            self.findService()
            self.updateFailure()
            self.reportUnplanned()
        } catch is StoredReminders.Terminating {
            // The daemon ends now. Its next start handles all reminders.
        } catch {
            self.postponed.append(event)
            if self.storeBackoff.failed(at: WakeSources.uptime) { self.environment.report(.storeError(error)) }
        }
    }

    private func retryPostponed() {
        let events = self.postponed
        self.postponed = []
        for event in events { self.handle(event) }
    }

    private func reportUnplanned() {
        for reminder in self.reminders.removeUnplanned() where self.unplanned.count < DaemonLimits.maximumExcesses {
            guard self.unplanned.insert(reminder).inserted else { continue }
            self.environment.report(.unplanned(reminder: reminder))
        }
    }

    private func updateFailure() {
        let log = self.log.update(
            self.scheduler,
            reason: self.service.failureReason,
            isReported: !self.service.reported.isEmpty,
            at: self.reminders.now,
            uptime: WakeSources.uptime
        )
        self.report(log)
    }

    private func perform(_ effect: SchedulerEffect) {
        switch effect {
        case .save(let changes):
            self.report(self.log.save(changes, of: self.scheduler.records, at: WakeSources.uptime))
        case .show(let notification): self.show(notification)
        case .close(let notification):
            self.notifier?.close(notification) { [messages] in messages.post(.closed(notification)) }
        case .deliverByFallback(let notification): self.deliverByFallback(notification)
        case .write(let number, let action): self.actions.write(number, action)
        case .open(let reminder, let seen): self.open(reminder, seen: seen)
        case .gaveUp(let action): self.environment.report(.gaveUp(reminder: action.reminder))
        case .wake(let moment): self.sources.wake(atClock: moment?.secondsSince1970)
        }
    }

    // MARK: Notifications

    private func startNotifier() {
        switch self.environment.bus {
        case .failure(let error): self.report(self.service.unavailable(error))
        case .success(let address):
            let notifier = DesktopNotifier(address: address) { [messages] in messages.post(.bus($0)) }
            notifier.adopt(self.scheduler.records)
            self.notifier = notifier
        }
    }

    private func show(_ notification: Notification) {
        self.notifier?.show(notification) { [messages] outcome in
            switch outcome {
            case .success(let id): messages.post(.shown(token: notification.token, id))
            case .failure(let error):
                messages.post(.notShown(token: notification.token, reason: "\(error)", error as? DesktopBusError))
            }
        }
    }

    private func findService() {
        guard self.service.service == nil, !self.isFindingService, self.scheduler.pendingCount > 0, let notifier
        else { return }
        self.isFindingService = true
        notifier.findService { [messages] _ in messages.post(.serviceSearchEnded) }
    }

    /// Delivers an alarm to the notify command and the terminal; the result is posted as a message.
    private func deliverByFallback(_ notification: Notification) {
        let notice = AlarmNotice(
            reminder: notification.reminder,
            title: notification.text.title,
            body: notification.text.body,
            priority: notification.priority
        )
        self.environment.printAlarm?(notice)
        var reason = "no program shows notifications, and the setting 'notify-command' is not set"
        var isDelivered = self.environment.printAlarm != nil
        if let command = self.settings.notifyCommand {
            let input = self.environment.encode(notice)
            reason = "the program of the setting 'notify-command' could not be started"
            if self.children.start(command, for: .notify, input: input, seconds: DaemonLimits.notifySeconds) {
                isDelivered = true
            } else {
                self.environment.report(.notifyCommandFailed(status: nil))
            }
        }
        let token = notification.token
        self.messages.post(
            isDelivered ? .scheduler(.deliveredByFallback(token: token)) : .notShown(token: token, reason: reason)
        )
    }

    /// Opens a reminder; when the opening program has started, the action `seen` is written to the reminder.
    ///
    /// `reminder` is `nil` for a notification of several reminders, which opens the reminders for today.
    private func open(_ reminder: ReminderID?, seen: PendingAction?) {
        let subject = reminder?.description ?? "today"
        let command = self.settings.openCommand.map { $0 + [subject] } ?? ["xdg-open", "reminders://\(subject)"]
        let words = Subprocess.desktopLaunch(
            command,
            fromService: self.environment.isService,
            seconds: DaemonLimits.openWatchSeconds
        )
        if !self.children.start(words, for: .open(seen: seen), seconds: DaemonLimits.openSeconds) {
            self.reportNotOpened(nil)
        }
    }

    private func reportNotOpened(_ status: Int32?) {
        self.environment.report(.openCommandFailed(isChosen: self.settings.openCommand != nil, status: status))
    }
}
