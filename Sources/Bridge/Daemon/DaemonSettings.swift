import DesktopBus
package import JSON
package import Notifications
package import Platform
package import Reminders

/// What a person has chosen for the daemon.
package struct DaemonSettings: Hashable, Sendable {
    /// When there is an alarm at all.
    package var alarms = AlarmSettings()
    /// What becomes of it.
    package var rings = SchedulerSettings()
    /// The program that tells of an alarm where no notification service can, with its arguments; `nil` for none.
    package var notifyCommand: [String]?
    /// The program that opens a reminder, with its arguments, before the number; `nil` for what the desktop has for
    /// addresses of reminders.
    package var openCommand: [String]?
    /// Seconds between two syncs of an account that says nothing else; `nil` for none but those that a person asks for.
    package var syncSeconds: Int?
    /// What does not ring at all.
    package var silent = MuteRules()
    /// The folder of the store that the file names, where that counts: only looked at for whether it is another one.
    package var store: String?

    package init() {}

    /// What becomes of alarms.
    ///
    /// - Parameter isWatched: whether somebody sits at a terminal.
    func rings(isWatched: Bool) -> SchedulerSettings {
        var rings = self.rings
        rings.alarms = self.alarms
        rings.tellsElsewhere = self.notifyCommand != nil || isWatched
        rings.silentLists = self.silent.namesOfLists
        rings.silentLabels = Set(self.silent.labels.map(LabelKey.init))
        return rings
    }
}

/// The file with a person's settings, to be read anew when it changes.
package struct SettingsSource: Sendable {
    /// From the root on.
    let path: String
    /// What is in it now, `nil` when it is not there; throws when it cannot be read.
    let bytes: @Sendable () throws -> [UInt8]?
    /// What such bytes say; throws when they cannot be used.
    let settings: @Sendable (_ bytes: [UInt8]?) throws -> DaemonSettings

    /// - Parameters:
    ///   - path: from the root on.
    ///   - bytes: never waits, whatever is there.
    package init(
        path: String,
        bytes: @escaping @Sendable () throws -> [UInt8]?,
        settings: @escaping @Sendable (_ bytes: [UInt8]?) throws -> DaemonSettings
    ) {
        self.path = path
        self.bytes = bytes
        self.settings = settings
    }
}

/// What the daemon finds around it.
package struct DaemonEnvironment: Sendable {
    /// Where the session bus is, or why it is nowhere.
    let bus: Result<BusAddress, DesktopBusError>
    /// Where the settings are; `nil` where there is no place for them.
    let settings: SettingsSource?
    /// The zoneinfo name of the clock on the wall, as it is now; `nil` where it is of no zone that is known.
    let localZone: @Sendable () -> String?
    /// Shows an alarm on the terminal; `nil` where nobody sits at one.
    let tell: (@Sendable (AlarmNotice) -> Void)?
    /// An alarm as the notify command reads it.
    let message: @Sendable (AlarmNotice) -> [UInt8]
    /// The program that syncs the account of a name in the store of a folder once, and ends as `remindav sync` does, with
    /// its arguments; `nil` where nothing can.
    let syncCommand: (@Sendable (_ account: String, _ store: String) -> [String])?
    /// Whether systemd runs this process as a service.
    let isService: Bool
    /// Hears of what a log should have.
    let report: @Sendable (DaemonLogEvent) -> Void

    /// - Parameters:
    ///   - environment: names the session bus, and says who runs this process.
    ///   - syncLabelUpdates: what this program is told, when it is started anew, to sync an account of the store in a folder.
    package init(
        environment: [String: String],
        settings: SettingsSource?,
        localZone: @escaping @Sendable () -> String?,
        tell: (@Sendable (AlarmNotice) -> Void)?,
        message: @escaping @Sendable (AlarmNotice) -> [UInt8],
        syncLabelUpdates: @escaping @Sendable (_ account: String, _ store: String) -> [String],
        report: @escaping @Sendable (DaemonLogEvent) -> Void
    ) {
        self.bus = Result { () throws(DesktopBusError) in try BusAddress.session(in: environment) }
        self.settings = settings
        self.localZone = localZone
        self.tell = tell
        self.message = message
        // By its path at the start: another version may have taken its place when it is run.
        if let path = SystemFiles.linkTarget("/proc/self/exe") {
            self.syncCommand = { [path] + syncLabelUpdates($0, $1) }
        } else {
            self.syncCommand = nil
        }
        self.isService = environment.variable("INVOCATION_ID") != nil
        self.report = report
    }
}

/// An alarm for who is no notification service.
package struct AlarmNotice: Hashable, Sendable {
    /// The reminder's number; `nil` for a summary of many.
    package let reminder: Int64?
    /// Plain text, as it is in the reminder.
    package let title: String
    /// Plain text, as it is in the reminder.
    package let body: String
    package let priority: Priority
}

/// What a log should have of a daemon: no titles, no notes.
package enum DaemonLogEvent: Sendable {
    /// It rings from now on.
    case ready
    /// Notifications can be shown, by the program of that name.
    case service(name: String)
    /// They cannot; why, and what a person can do about it, empty when it mends itself.
    case noService(reason: String, advice: String)
    /// The service that is there did not show a notification, which is tried again; why, and what a person can do about it.
    case notShown(reason: String, advice: String)
    /// The settings are others now, and hold; or can be used again.
    case settings
    /// The file with the settings cannot be used; those from before hold.
    case settingsTrouble(any Error)
    /// It is not noticed when they change, or not always.
    case settingsUnwatched(SystemError)
    /// The settings name another store than the one that it rings for.
    case otherStore
    /// The clock on the wall goes by this zone now.
    case zone(String)
    /// The clock on the wall is of a zone that nobody knows; the one before goes on.
    case unknownZone
    /// The reminders cannot be read; it is tried again.
    case storeTrouble(any Error)
    /// What has rung cannot be written down; it is tried again, and until then a kill may have it ring twice.
    case recordsTrouble(any Error)
    /// What had rung was damaged and is put aside.
    case recordsAnew
    /// The notify command has failed, with this status; `nil` when it took too long or could not be run.
    case notifyCommandFailed(status: Int32?)
    /// A sync of an account has ended otherwise than the one before it, with this status; `nil` when it did not end.
    case synced(SyncSchedule.Outcome, status: Int32?)
    /// The reminder could not be opened.
    ///
    /// - Parameters:
    ///   - isChosen: whether the program is the configured one.
    ///   - status: the exit status of the program; `nil` when it could not be run.
    case openCommandFailed(isChosen: Bool, status: Int32?)
    /// What a person has done in a notification could not be written to this reminder, which was tried often enough.
    case gaveUp(reminder: String)
    /// The alarms of a reminder were not all found, since its repeat rule needs too long a search.
    case unplanned(reminder: String)
}

extension AlarmNotice: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("reminder") { $0.reminder },
        JSONMember("title") { $0.title },
        JSONMember("body") { $0.body },
        JSONMember("priority") { $0.priority.rawValue },
    ]
}
