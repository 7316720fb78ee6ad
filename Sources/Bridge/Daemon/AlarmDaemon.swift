import DesktopBus
import ICalendar
import Notifications
import Platform
import Recurrence
import Reminders
import SQLiteStore
import Store

/// Rings: waits, tells the ``AlarmScheduler`` what happens, and does what that says.
///
/// For the one thread that calls ``run()``. What is decided is decided by the AlarmScheduler; what can take long is done
/// elsewhere, and arrives in the mailbox.
final class AlarmDaemon {
    private let folder: String
    private var settings: DaemonSettings
    private let surroundings: DaemonEnvironment
    private let mailbox: MessageQueue
    private let sources: WakeSources
    private let world: StoredReminders
    private let rings: DeliveryStateFile
    /// `nil` where nothing can be watched.
    private var settingsWatch: SettingsWatcher?
    private let writer: ActionQueue
    private let children: ChildProcesses
    private var notifications: NotificationAdapter?
    private var scheduler: AlarmScheduler
    private var local: String
    /// The store's file when it was opened.
    private let file: FileIdentity?

    /// The run of the notification service that the AlarmScheduler knows of.
    private var service: String?
    /// Notifications whose number came before it was known that their service is there.
    private var early: [(token: Int, notification: ShownNotification)] = []
    private var isAskingForService = false
    /// What was said of it already: in what ways it shows nothing.
    private var failings: Set<DesktopBusError.Code> = []
    /// What happened and could not be taken in, since the store could not be read.
    private var waiting: [SchedulerEvent] = []
    private var areSettingsInTrouble = false
    /// The store that the settings named at the start.
    private let namedStore: String?
    private var tries = 0
    /// What has rung and could not be written down: of each row what it is now.
    private var unkept: [DeliveryStateRow.Name: DeliveryStateRow] = [:]
    private var keepFailures = 0
    /// Why the last notification could not be shown, or none can be; `nil` since a service is there that has not failed.
    private var failure: String?
    /// The number on the program's icon.
    private var counted = 0
    /// What could not be shown.
    private var trouble: DeliveryFailure?
    private var look = StoreChangeDetector()
    /// What is different in the store and was not looked at yet.
    private var changed: ArraySlice<String> = []
    private var changesAtOnce = DaemonLimits.changesAtOnce
    /// Reminders with incomplete alarms that were reported.
    private var unplanned: Set<String> = []
    private var syncs: AccountSchedules
    private var zoneLook = TimeZoneChangeDetector()
    private var lost = VanishedFolders()
    /// When something is tried again, by the uptime.
    private var retry: Int64?

    init(
        _ useCases: UseCases,
        folder: String,
        settings: DaemonSettings,
        surroundings: DaemonEnvironment,
        mailbox: MessageQueue,
        sources: WakeSources
    ) throws {
        self.folder = folder
        self.settings = settings
        self.namedStore = settings.store
        self.surroundings = surroundings
        self.mailbox = mailbox
        self.sources = sources
        self.local = useCases.configuration.localZone
        let (rings, rows) = try DeliveryStateFile.open(folder: folder)
        self.rings = rings
        self.world = StoredReminders(useCases)
        self.writer = ActionQueue(useCases.configuration, settings.alarms, mailbox: mailbox)
        self.children = ChildProcesses()
        self.trouble = DeliveryStateCoding.trouble(rows)
        self.scheduler = AlarmScheduler(
            records: DeliveryStateCoding.records(rows),
            settings: settings.rings(isWatched: surroundings.tell != nil)
        )
        let random = useCases.configuration.randomBytes
        self.syncs = AccountSchedules(standard: settings.syncSeconds) { Double(random(1).first ?? 0) / 255 }
        self.file = SystemFiles.identity(Self.storeFile(folder))
        try sources.folders.add(folder)
        // Where there is no such folder nobody changes the zone either.
        _ = try? sources.folders.add(Self.zoneFolder)
    }

    private static let zoneFolder = "/etc"
    private static let zoneFiles: Set = ["localtime", "timezone"]
    private static let storeFiles: Set = ["reminders.db", "reminders.db-wal"]
    private static func storeFile(_ folder: String) -> String { "\(folder)/reminders.db" }

    /// Rings until it is told to end.
    ///
    /// - Throws: when the store is another one now, or one that this program may not understand.
    func run() throws {
        defer { self.children.end() }
        if self.rings.wasRecreated { self.surroundings.report(.recordsAnew) }
        self.openNotifications()
        self.watchSettings()
        self.look.wakes(at: self.world.now)
        let open = try self.world.read { snapshot throws(DatabaseError) in try self.look.begin(snapshot) }
        self.take(.started(reminders: open, local: self.local))
        // Accounts, and what is to be sent.
        self.look.isWanted = true
        while true {
            self.planPause()
            self.look.sleeps(at: self.world.now)
            let others = self.children.descriptors + [self.settingsWatch?.descriptor].compactMap { $0 }
            let news = self.sources.wait(and: others, isBusy: !self.changed.isEmpty)
            self.look.wakes(at: self.world.now)
            for mail in self.mailbox.takeAll() { self.read(mail) }
            if news.isTerminating { return }
            try self.hear(news)
        }
    }

    private func openNotifications() {
        switch self.surroundings.bus {
        case .failure(let error): self.report(error)
        case .success(let address):
            let records = self.scheduler.records
            let own = records.slots.values.compactMap(\.notification) + records.closing
            let summary = records.summary.map { [$0] } ?? []
            let known = own.map { ($0, isSummary: false) } + summary.map { ($0, isSummary: true) }
            self.notifications = NotificationAdapter(address, mailbox: self.mailbox, known: known)
        }
    }

    // MARK: What happens

    private func hear(_ news: WakeSources.Events) throws {
        let now = WakeSources.uptime
        if let files = news.folders.files {
            if !Self.storeFiles.isDisjoint(with: files[self.folder] ?? []) { self.look.isWanted = true }
            if !Self.zoneFiles.isDisjoint(with: files[Self.zoneFolder] ?? []) { self.zoneLook.changed(at: now) }
        } else {
            self.look.isWanted = true
            self.zoneLook.changed(at: now)
        }
        self.watchAnew(news.folders.gone, now)
        self.hearOfSettings(news.readable, now)
        for end in self.children.ended(news.readable, at: now) { self.hear(end) }
        if news.network { self.syncs.networkChanged(at: now) }
        if self.retry.map({ $0 <= now }) ?? false { self.tryAgain() }
        if self.zoneLook.isDue(at: now) { self.lookAtZone(now) }
        if self.changed.isEmpty, self.look.isDue(at: now) { try self.lookAtStore() }
        self.takeChanges()
        if news.clock { self.take(.clock) }
        self.sync()
    }

    private func hear(_ end: ChildProcesses.End) {
        switch (end.duty, end.outcome) {
        case (.notify, .status(0)), (.notify, .unknown): break
        case (.open(let seen), .status(0)), (.open(let seen), .unknown): if let seen { self.take(.opened(seen: seen)) }
        case (.notify, .status(let status)): self.surroundings.report(.notifyCommandFailed(status: status))
        case (.notify, .tooLong): self.surroundings.report(.notifyCommandFailed(status: nil))
        case (.open, .status(let status)): self.reportUnopened(status)
        case (.open, .tooLong): self.reportUnopened(nil)
        case (.sync(let account), .status(let status)):
            self.synced(account, SyncSchedule.Outcome(status: status), status: status)
        case (.sync(let account), .unknown): self.synced(account, .done, status: nil)
        case (.sync(let account), .tooLong): self.synced(account, .unfinished, status: nil)
        }
    }

    private func read(_ mail: DaemonMessage) {
        switch mail {
        case .bus(let event): self.read(event)
        case .shown(let token, let notification):
            guard notification.run == self.service else { return self.early.append((token, notification)) }
            self.take(.shown(token: token, number: notification.number))
        case .notShown(let token, let reason, let error):
            self.failure = reason
            if let error { self.reportUnshown(error) }
            self.take(.notShown(token: token))
        case .toldElsewhere(let token): self.take(.toldElsewhere(token: token))
        case .closed(let notification):
            if notification.run == self.service { self.take(.closed(number: notification.number, .requested)) }
        case .askedForService: self.isAskingForService = false
        case .written(let action):
            self.take(.written(action: action))
            self.look.isWanted = true
        case .notWritten(let action, let forGood): self.take(.notWritten(action: action, forGood: forGood))
        }
    }

    private func read(_ event: DesktopEvent) {
        switch event {
        case .appeared(let service), .replaced(let service):
            self.surroundings.report(.service(name: service.name))
            self.failure = nil
            self.serve(service.run)
        case .vanished(let error), .busLost(let error):
            self.report(error)
            self.serve(nil)
        case .invoked(let notification, let key):
            if notification.run == self.service { self.take(.invoked(number: notification.number, action: key)) }
        case .closed(let notification, let end):
            if notification.run == self.service { self.take(.closed(number: notification.number, CloseReason(end))) }
        }
    }

    private func report(_ error: DesktopBusError) {
        self.failure = error.description
        self.surroundings.report(.noService(reason: error.description, advice: error.advice))
    }

    /// Says in which way a service that is there does not show what it is asked to, once of each way.
    private func reportUnshown(_ error: DesktopBusError) {
        let ofService: Set<DesktopBusError.Code> = [.serviceSilent, .serviceRefused, .badAnswer]
        guard self.service != nil, ofService.contains(error.code), self.failings.insert(error.code).inserted else {
            return
        }
        self.surroundings.report(.notShown(reason: error.description, advice: error.advice))
    }

    private func serve(_ run: String?) {
        self.service = run
        self.failings = []
        self.take(.service(run))
        let known = self.early.filter { $0.notification.run == run }
        self.early = []
        for (token, notification) in known { self.take(.shown(token: token, number: notification.number)) }
    }

    private func lookAtZone(_ now: Int64) {
        let found = self.surroundings.localZone()
        let isNamed = Self.zoneFiles.contains { SystemFiles.exists("\(Self.zoneFolder)/\($0)") }
        let name = self.zoneLook.found(found ?? self.local, isNamed: isNamed, known: self.local, at: now)
        if found == nil { self.surroundings.report(.unknownZone) }
        guard let name else { return }
        self.local = name
        self.writer.localZone = name
        self.surroundings.report(.zone(name))
        self.take(.zoneChanged(name))
    }

    /// Watches the folders again that went away, where others have taken their place.
    private func watchAnew(_ gone: Set<String>, _ now: Int64) {
        for folder in gone {
            self.sources.folders.remove(folder)
            self.lost.add(folder, at: now)
        }
        for folder in self.lost.due(at: now) {
            do {
                try self.sources.folders.add(folder)
                self.lost.found(folder)
                self.look.isWanted = true
                self.zoneLook.changed(at: now)
            } catch {
                let isFirst = self.lost.failed(folder, at: now)
                if isFirst, folder == self.folder { self.surroundings.report(.storeTrouble(error)) }
            }
        }
    }

    // MARK: Settings

    private func watchSettings() {
        guard let source = self.surroundings.settings else { return }
        do throws(SystemError) {
            let watch = try SettingsWatcher(source)
            self.settingsWatch = watch
            self.take(watch.begin(at: WakeSources.uptime))
        } catch {
            self.surroundings.report(.settingsUnwatched(error))
        }
    }

    private func hearOfSettings(_ readable: Set<Int32>, _ now: Int64) {
        guard let settingsWatch else { return }
        if readable.contains(settingsWatch.descriptor) { self.take(settingsWatch.hear(at: now)) }
        self.take(settingsWatch.watchAnew(at: now))
        self.take(settingsWatch.read(at: now))
    }

    private func take(_ finding: SettingsWatcher.Finding?) {
        switch finding {
        case .settings(let settings):
            guard settings != self.settings || self.areSettingsInTrouble else { return }
            self.areSettingsInTrouble = false
            self.obey(settings)
            self.surroundings.report(.settings)
        case .trouble(let error):
            self.areSettingsInTrouble = true
            self.surroundings.report(.settingsTrouble(error))
        case .unwatched(let error): self.surroundings.report(.settingsUnwatched(error))
        case nil: break
        }
    }

    private func obey(_ new: DaemonSettings) {
        let old = self.settings
        let isWatched = self.surroundings.tell != nil
        self.settings = new
        self.writer.settings = new.alarms
        if new.store != old.store, new.store != self.namedStore { self.surroundings.report(.otherStore) }
        if new.syncSeconds != old.syncSeconds {
            self.syncs.standard = new.syncSeconds
            // The accounts, which may say something else.
            self.look.isWanted = true
        }
        let rings = new.rings(isWatched: isWatched)
        if rings != old.rings(isWatched: isWatched) { self.take(.settings(rings)) }
    }

    /// Finds out what has become different in the store.
    ///
    /// - Throws: when it is another one, or another version's.
    private func lookAtStore() throws {
        let began = WakeSources.uptime
        // One that is away for a moment may come back: what is open can be read all the same.
        let file = SystemFiles.identity(Self.storeFile(self.folder))
        if file != nil, file != self.file { throw UseCaseError(.storeReplaced) }
        do {
            // The end of the reading can fail, too: what was found would be forgotten.
            var look = self.look
            let (changed, accounts, unsent) = try self.world.read { snapshot throws(DatabaseError) in
                (try look.changes(snapshot), try snapshot.accounts(), try snapshot.changesToSend())
            }
            self.look = look
            self.world.forgetNames()
            self.syncs.know(accounts, at: began)
            self.syncs.found(unsent, at: began)
            self.changed = changed[...]
        } catch {
            if case .newerVersion = error.code { throw error }
            if self.look.failed(at: began) { self.surroundings.report(.storeTrouble(error)) }
            return
        }
        let end = WakeSources.uptime
        self.look.rest(from: end, after: end - began)
    }

    /// Some at a time: what is due meanwhile rings in between.
    private func takeChanges() {
        guard !self.changed.isEmpty else { return }
        let some = self.changed.prefix(self.changesAtOnce)
        self.changed = self.changed.dropFirst(some.count)
        let began = WakeSources.uptime
        self.take(.changed(Array(some), since: self.look.foundSince))
        self.changesAtOnce = DaemonLimits.changes(after: self.changesAtOnce, took: WakeSources.uptime - began)
    }

    // MARK: What is decided

    private func take(_ event: SchedulerEvent) {
        guard self.waiting.isEmpty else {
            // In their order; the time is told with each of them.
            if event != .clock { self.waiting.append(event) }
            return
        }
        do {
            let effects = try self.world.take(event, by: &self.scheduler)
            self.tries = 0
            for effect in effects { self.perform(effect) }
            if case .started = event { self.surroundings.report(.ready) }
            self.askForService()
            self.lookForTrouble()
            self.reportUnplanned()
        } catch is StoredReminders.Ending {
            // The next run begins with all reminders.
        } catch {
            self.waiting.append(event)
            self.tries += 1
            if self.tries == 1 { self.surroundings.report(.storeTrouble(error)) }
            self.retry(after: self.tries)
        }
    }

    /// Logs the reminders with incomplete alarms: each one once, up to a maximum.
    private func reportUnplanned() {
        for reminder in self.world.takeUnplanned() where self.unplanned.count < DaemonLimits.maximumExcesses {
            guard self.unplanned.insert(reminder).inserted else { continue }
            self.surroundings.report(.unplanned(reminder: reminder))
        }
    }

    private func tryAgain() {
        self.retry = nil
        let events = self.waiting
        self.waiting = []
        for event in events { self.take(event) }
        if !self.unkept.isEmpty { self.keep([]) }
    }

    private func retry(after failures: Int) {
        let moment = WakeSources.uptime + DaemonLimits.pause(after: failures)
        self.retry = min(self.retry ?? moment, moment)
    }

    private func perform(_ effect: SchedulerEffect) {
        switch effect {
        case .keep(let changes): self.keep(changes.map(DeliveryStateCoding.row))
        case .show(let notification): self.notifications?.show(notification)
        case .close(let notification): self.notifications?.close(notification)
        case .tellElsewhere(let notification): self.tellElsewhere(notification)
        case .write(let number, let action): self.writer.write(number, action)
        case .open(let reminder, let seen): self.open(reminder, seen: seen)
        case .gaveUp(let action): self.surroundings.report(.gaveUp(reminder: action.reminder))
        case .wake(let moment): self.sources.wake(atClock: moment?.secondsSince1970)
        }
    }

    /// Writes down what has rung.
    ///
    /// Where that fails it rings all the same: a disk that is full must not silence what a person relies on.
    private func keep(_ rows: [DeliveryStateRow]) {
        let isLate = !self.unkept.isEmpty
        if isLate { for row in rows { self.unkept[row.name] = row } }
        do {
            try self.rings.keep(isLate ? Array(self.unkept.values) : rows)
            self.unkept = [:]
            self.keepFailures = 0
        } catch {
            for row in rows { self.unkept[row.name] = row }
            self.keepFailures += 1
            if self.keepFailures == 1 { self.surroundings.report(.recordsTrouble(error)) }
            self.retry(after: self.keepFailures)
        }
    }

    /// Writes down what could not be shown, for who asks afterwards, and when that is over.
    private func lookForTrouble() {
        guard self.failure != nil || self.trouble?.isOpen ?? false else { return }
        let known = self.trouble
        self.trouble = DeliveryFailure.now(
            after: known,
            unshown: self.scheduler.unshownCount,
            showing: self.scheduler.showingCount,
            reason: self.failure,
            at: self.world.now
        )
        guard let trouble = self.trouble, trouble != known else { return }
        // A way of a service to show nothing was told when it was found.
        if trouble.isOpen, !(known?.isOpen ?? false), self.failings.isEmpty {
            self.surroundings.report(.notShown(reason: trouble.reason, advice: ""))
        }
        self.keep([DeliveryStateCoding.row(trouble)])
    }

    /// A service that starts when somebody asks is asked for when there is something to show.
    private func askForService() {
        guard self.service == nil, !self.isAskingForService, self.scheduler.pendingCount > 0, let notifications else {
            return
        }
        self.isAskingForService = true
        notifications.askForService()
    }

    private func tellElsewhere(_ notification: Notification) {
        let notice = AlarmNotice(
            reminder: notification.reminder.flatMap { Int64($0) },
            title: notification.words.title,
            body: notification.words.body,
            priority: notification.priority
        )
        self.surroundings.tell?(notice)
        // The answer comes when all effects are done.
        guard let command = self.settings.notifyCommand else {
            // There is none any more, and perhaps nobody was told.
            let isTold = self.surroundings.tell != nil
            return self.mailbox.post(
                isTold
                    ? .toldElsewhere(token: notification.token)
                    : .notShown(
                        token: notification.token,
                        reason: "nothing shows notifications, and no program is told"
                    )
            )
        }
        let message = self.surroundings.message(notice)
        let isStarted = self.children.start(
            command,
            for: .notify,
            input: message,
            seconds: DaemonLimits.notifySeconds
        )
        if !isStarted { self.surroundings.report(.notifyCommandFailed(status: nil)) }
        let isTold = isStarted || self.surroundings.tell != nil
        let reason = "the program that 'notify-command' in the settings names could not be run"
        self.mailbox.post(
            isTold ? .toldElsewhere(token: notification.token) : .notShown(token: notification.token, reason: reason)
        )
    }

    /// Opens a reminder, with the configured program or the desktop's, and waits until it has started.
    ///
    /// A summary stands for many reminders, which have no common address, so a list is shown instead.
    /// - Parameter seen: the change to the reminder after the program has started.
    private func open(_ reminder: String?, seen: Notifications.PendingAction?) {
        guard let reminder else { return }
        let command = self.settings.openCommand.map { $0 + [reminder] } ?? ["xdg-open", "reminders://\(reminder)"]
        let words = Subprocess.desktopLaunch(
            command,
            fromService: self.surroundings.isService,
            seconds: DaemonLimits.openWatchSeconds
        )
        if !self.children.start(words, for: .open(seen: seen), seconds: DaemonLimits.openSeconds) {
            self.reportUnopened(nil)
        }
    }

    private func reportUnopened(_ status: Int32?) {
        self.surroundings.report(.openCommandFailed(isChosen: self.settings.openCommand != nil, status: status))
    }

    // MARK: Syncing

    /// Each account in a process of its own: whatever a server, a password command or a large first sync does, it rings,
    /// and the others are synced.
    private func sync() {
        guard let command = self.surroundings.syncCommand else { return }
        for (id, name) in self.syncs.begin(at: WakeSources.uptime) {
            if !self.children.start(command(name, self.folder), for: .sync(id), seconds: SyncLimits.longestRunSeconds) {
                self.synced(id, .unfinished, status: nil)
            }
        }
    }

    private func synced(_ account: AccountID, _ outcome: SyncSchedule.Outcome, status: Int32?) {
        // A store that cannot be read is told of by who looks into it, again and again.
        let unsent = try? self.world.read { snapshot throws(DatabaseError) in try snapshot.changesToSend() }
        if self.syncs.ended(account, outcome, unsent: unsent, at: WakeSources.uptime) {
            self.surroundings.report(.synced(outcome, status: status))
        }
    }

    private func planPause() {
        let count = self.scheduler.unacknowledgedCount
        if count != self.counted {
            self.counted = count
            self.notifications?.count(count)
        }
        self.sources.watchesNetwork = self.syncs.hopesForNetwork
        let syncs = self.surroundings.syncCommand == nil ? nil : self.syncs.next
        let own = [self.retry, self.look.next, self.zoneLook.next, self.children.deadline, self.settingsWatch?.next]
        self.sources.wake(atUptime: (own + [self.lost.next, syncs]).compactMap { $0 }.min())
    }
}
