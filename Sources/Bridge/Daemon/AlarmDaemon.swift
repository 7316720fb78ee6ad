import DesktopBus
import ICalendar
import Notifications
import Recurrence
import Reminders
import Store

/// Rings: waits, tells the ``Ringer`` what happens, and does what that says.
///
/// For the one thread that calls ``run()``. What is decided is decided by the Ringer; what can take long is done
/// elsewhere, and arrives in the mailbox.
final class AlarmDaemon {
    private let folder: String
    private let settings: DaemonSettings
    private let surroundings: DaemonSurroundings
    private let mailbox: Mailbox
    private let sources: WakeSources
    private let world: StoreWorld
    private let rings: RingFile
    private let writer: DeedWriter
    private let children: Children
    private var bubbles: BubbleDoor?
    private var ringer: Ringer
    private var local: String

    /// The run of the notification service that the Ringer knows of.
    private var service: String?
    /// Bubbles whose number came before it was known that their service is there.
    private var early: [(token: Int, bubble: ShownNotification)] = []
    private var isAskingForService = false
    /// What happened and could not be taken in, since the store could not be read.
    private var waiting: [RingEvent] = []
    private var tries = 0
    /// What has rung and could not be written down.
    private var unkept: [RingRow] = []
    private var keepFailures = 0
    private var look = StoreLook()
    /// `nil` where a person syncs by hand.
    private var schedule: SyncSchedule?
    /// When something is tried again, by the uptime.
    private var retry: Int64?

    init(
        _ useCases: UseCases,
        folder: String,
        settings: DaemonSettings,
        surroundings: DaemonSurroundings,
        mailbox: Mailbox,
        sources: WakeSources
    ) throws {
        self.folder = folder
        self.settings = settings
        self.surroundings = surroundings
        self.mailbox = mailbox
        self.sources = sources
        self.local = useCases.configuration.localZone
        self.rings = try RingFile.open(folder: folder)
        self.world = StoreWorld(useCases, settings.alarms)
        self.writer = DeedWriter(useCases.configuration, settings.alarms, mailbox: mailbox)
        self.children = Children()
        self.ringer = Ringer(records: RingRows.records(try self.rings.rows()), settings: settings.rings)
        if let seconds = settings.syncSeconds, surroundings.syncCommand != nil {
            let random = useCases.configuration.randomBytes
            self.schedule = SyncSchedule(seconds: seconds, now: WakeSources.uptime) {
                Double(random(1).first ?? 0) / 255
            }
        }
        try sources.watch(folder: folder)
        // Where there is no such folder nobody changes the zone either.
        try? sources.watch(folder: Self.zoneFolder)
    }

    private static let zoneFolder = "/etc"
    private static let zoneFiles: Set = ["localtime", "timezone"]
    private static let storeFiles: Set = ["reminders.db", "reminders.db-wal"]

    /// Rings until it is told to stop.
    func run() throws {
        if self.rings.isAnew { self.surroundings.report(.recordsAnew) }
        self.openBubbles()
        self.look.wakes(at: self.world.now)
        let open = try self.world.read { snapshot throws(DatabaseError) in try self.look.begin(snapshot) }
        self.take(.started(reminders: open, local: self.local))
        self.surroundings.report(.ready)
        while true {
            self.planPause()
            self.look.sleeps(at: self.world.now)
            let news = self.sources.wait(and: self.children.descriptors)
            self.look.wakes(at: self.world.now)
            for mail in self.mailbox.takeAll() {
                if case .stop = mail { return self.children.end() }
                self.read(mail)
            }
            self.hear(news)
        }
    }

    private func openBubbles() {
        switch self.surroundings.bus {
        case .failure(let error): self.report(error)
        case .success(let address):
            let records = self.ringer.records
            let own = records.slots.values.compactMap(\.bubble) + records.closing
            let summary = records.summary.map { [$0] } ?? []
            let known = own.map { ($0, isSummary: false) } + summary.map { ($0, isSummary: true) }
            self.bubbles = BubbleDoor(address, mailbox: self.mailbox, known: known)
        }
    }

    // MARK: What happens

    private func hear(_ news: WakeSources.News) {
        if let files = news.files {
            if !Self.storeFiles.isDisjoint(with: files[self.folder] ?? []) { self.look.isWanted = true }
            if !Self.zoneFiles.isDisjoint(with: files[Self.zoneFolder] ?? []) { self.lookAtZone() }
        } else {
            self.look.isWanted = true
            self.lookAtZone()
        }
        for end in self.children.ended(news.readable, at: WakeSources.uptime) { self.hear(end) }
        if news.network { self.schedule?.networkChanged(at: WakeSources.uptime) }
        if self.retry.map({ $0 <= WakeSources.uptime }) ?? false { self.tryAgain() }
        if self.look.isDue(at: WakeSources.uptime) { self.lookAtStore() }
        if news.clock { self.take(.clock) }
        self.sync()
    }

    private func hear(_ end: Children.End) {
        switch end.duty {
        case .notify: if end.status != 0 { self.surroundings.report(.notifyCommandFailed(status: end.status)) }
        case .open: if end.status != 0 { self.surroundings.report(.openCommandFailed) }
        case .sync: self.synced(end.status)
        }
    }

    private func read(_ mail: DaemonMail) {
        switch mail {
        case .stop: break
        case .bus(let event): self.read(event)
        case .shown(let token, let bubble):
            guard bubble.run == self.service else { return self.early.append((token, bubble)) }
            self.take(.shown(token: token, number: bubble.number))
        case .notShown(let token): self.take(.notShown(token: token))
        case .toldElsewhere(let token): self.take(.toldElsewhere(token: token))
        case .closed(let bubble):
            if bubble.run == self.service { self.take(.closed(number: bubble.number, .requested)) }
        case .askedForService: self.isAskingForService = false
        case .written(let deed):
            self.take(.written(deed: deed))
            self.look.isWanted = true
        case .notWritten(let deed, let forGood): self.take(.notWritten(deed: deed, forGood: forGood))
        }
    }

    private func read(_ event: DesktopEvent) {
        switch event {
        case .appeared(let service), .replaced(let service):
            self.surroundings.report(.service(name: service.name))
            self.serve(service.run)
        case .vanished(let error), .busLost(let error):
            self.report(error)
            self.serve(nil)
        case .invoked(let bubble, let key):
            if bubble.run == self.service { self.take(.invoked(number: bubble.number, action: key)) }
        case .closed(let bubble, let end):
            if bubble.run == self.service { self.take(.closed(number: bubble.number, BubbleEnd(end))) }
        }
    }

    private func report(_ error: DesktopBusError) {
        self.surroundings.report(.noService(reason: error.description, advice: error.advice))
    }

    private func serve(_ run: String?) {
        self.service = run
        self.take(.service(run))
        let known = self.early.filter { $0.bubble.run == run }
        self.early = []
        for (token, bubble) in known { self.take(.shown(token: token, number: bubble.number)) }
    }

    private func lookAtZone() {
        guard let name = self.surroundings.localZone() else { return self.surroundings.report(.unknownZone) }
        guard name != self.local else { return }
        self.local = name
        self.writer.localZone = name
        self.surroundings.report(.zone(name))
        self.take(.zoneChanged(name))
    }

    /// Finds out what has become different in the store.
    private func lookAtStore() {
        let began = WakeSources.uptime
        do {
            let hasSchedule = self.schedule != nil
            let (changed, unsent) = try self.world.read { snapshot throws(DatabaseError) in
                (try self.look.changes(snapshot), hasSchedule ? try snapshot.changesToSend() : [])
            }
            self.world.forgetNames()
            self.schedule?.found(unsent, at: began)
            // Some at a time: what is due meanwhile rings in between.
            for start in stride(from: 0, to: changed.count, by: DaemonLimits.changesAtOnce) {
                let some = Array(changed[start...].prefix(DaemonLimits.changesAtOnce))
                self.take(.changed(some, since: self.look.foundSince))
            }
        } catch {
            self.look.isWanted = true
            self.surroundings.report(.storeTrouble(error))
        }
        let end = WakeSources.uptime
        self.look.rest(from: end, after: end - began)
    }

    // MARK: What is decided

    private func take(_ event: RingEvent) {
        guard self.waiting.isEmpty else {
            // In their order; the time is told with each of them.
            if event != .clock { self.waiting.append(event) }
            return
        }
        do {
            let effects = try self.world.take(event, by: &self.ringer)
            self.tries = 0
            for effect in effects { self.perform(effect) }
            self.askForService()
        } catch {
            self.waiting.append(event)
            self.tries += 1
            if self.tries == 1 { self.surroundings.report(.storeTrouble(error)) }
            self.retry(after: self.tries)
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
        let pause = min(1 << min(failures - 1, 16), DaemonLimits.longestPauseSeconds)
        let moment = WakeSources.uptime + Int64(pause) * 1_000_000_000
        self.retry = min(self.retry ?? moment, moment)
    }

    private func perform(_ effect: RingEffect) {
        switch effect {
        case .keep(let changes): self.keep(changes.map(RingRows.row))
        case .show(let bubble): self.bubbles?.show(bubble)
        case .close(let bubble): self.bubbles?.close(bubble)
        case .tellElsewhere(let bubble): self.tellElsewhere(bubble)
        case .write(let number, let deed): self.writer.write(number, deed)
        case .open(let reminder): self.open(reminder)
        case .gaveUp(let deed): self.surroundings.report(.gaveUp(reminder: deed.reminder))
        case .wake(let moment): self.sources.wake(at: moment)
        }
    }

    /// Writes down what has rung.
    ///
    /// Where that fails it rings all the same: a disk that is full must not silence what a person relies on.
    private func keep(_ rows: [RingRow]) {
        self.unkept += rows
        do {
            try self.rings.keep(self.unkept)
            self.unkept = []
            self.keepFailures = 0
        } catch {
            self.keepFailures += 1
            if self.keepFailures == 1 { self.surroundings.report(.recordsTrouble(error)) }
            self.retry(after: self.keepFailures)
        }
    }

    /// A service that starts when somebody asks is asked for when there is something to show.
    private func askForService() {
        guard self.service == nil, !self.isAskingForService, self.ringer.pendingCount > 0, let bubbles else { return }
        self.isAskingForService = true
        bubbles.askForService()
    }

    private func tellElsewhere(_ bubble: Bubble) {
        let notice = AlarmNotice(
            reminder: bubble.reminder.flatMap { Int64($0) },
            title: bubble.words.title,
            body: bubble.words.body,
            priority: bubble.priority
        )
        self.surroundings.tell?(notice)
        // The answer comes when all effects are done.
        guard let command = self.settings.notifyCommand else {
            return self.mailbox.post(.toldElsewhere(token: bubble.token))
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
        self.mailbox.post(isTold ? .toldElsewhere(token: bubble.token) : .notShown(token: bubble.token))
    }

    /// Opens a reminder, with the person's program or the desktop's, which nobody waits for.
    ///
    /// A summary is of many, which no address names: the person is shown what there is by a list.
    private func open(_ reminder: String?) {
        guard let reminder else { return }
        let command = self.settings.openCommand.map { $0 + [reminder] } ?? ["xdg-open", "reminders://\(reminder)"]
        let words = ["/bin/sh", "-c", #""$@" > /dev/null 2>&1 &"#, "sh"] + command
        if !self.children.start(words, for: .open, seconds: DaemonLimits.openSeconds) {
            self.surroundings.report(.openCommandFailed)
        }
    }

    // MARK: Syncing

    /// In a process of its own: whatever a server, a password command or a large first sync does, it rings.
    private func sync() {
        guard let command = self.surroundings.syncCommand, self.schedule?.begins(at: WakeSources.uptime) == true else {
            return
        }
        // Without an account there is nobody to ask; one that is added is found at the next time.
        let hasAccounts = try? self.world.read { snapshot throws(DatabaseError) in try !snapshot.accounts().isEmpty }
        guard hasAccounts ?? true else {
            self.schedule?.ended(.done, unsent: [], at: WakeSources.uptime)
            return
        }
        if !self.children.start(command, for: .sync, seconds: SyncLimits.longestRunSeconds) {
            self.synced(nil)
        }
    }

    private func synced(_ status: Int32?) {
        let outcome = SyncSchedule.Outcome(status: status)
        self.surroundings.report(.synced(outcome, status: status))
        let unsent = try? self.world.read { snapshot throws(DatabaseError) in try snapshot.changesToSend() }
        self.schedule?.ended(outcome, unsent: unsent ?? [], at: WakeSources.uptime)
    }

    private func planPause() {
        let times = [self.retry, self.look.next, self.children.deadline, self.schedule?.next].compactMap { $0 }
        self.sources.wake(atUptime: times.min())
    }
}
