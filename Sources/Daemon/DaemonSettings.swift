package import RemindavBridge
import RemindavDesktopBus
package import RemindavJSON
package import RemindavNotifications
package import RemindavPlatform
package import RemindavReminders

package struct DaemonSettings: Hashable, Sendable {
    package var scheduler = SchedulerSettings()
    /// The command that delivers alarms if no notification service shows them; `nil` for no command.
    package var notifyCommand: [String]?
    /// The command that opens a reminder, whose number is appended; `nil` for the program for `reminders:` addresses.
    package var openCommand: [String]?
    /// The seconds between two syncs of an account without an interval of its own; `nil` for no automatic syncs.
    package var syncSeconds: Int? = 15 * 60
    package var muted = MuteRules()
    /// The store's folder in the settings file; after a change, the daemon continues with the old one and reports this.
    package var store: String?
    package init() {}

    /// - Parameter hasTerminal: whether alarms are also printed on a terminal.
    func schedulerSettings(hasTerminal: Bool) -> SchedulerSettings {
        var settings = self.scheduler
        settings.hasFallback = self.notifyCommand != nil || hasTerminal
        settings.mutedLists = self.muted.listKeys
        settings.mutedLabels = Set(self.muted.labels.map(LabelKey.init))
        return settings
    }
}

package struct SettingsSource: Sendable {
    let path: String
    /// Reads the file, and returns `nil` when the file is missing; throws when it cannot be read.
    let bytes: @Sendable () throws -> [UInt8]?
    /// Parses the content of the file; `nil` stands for a missing file; throws when the content is invalid.
    let settings: @Sendable (_ bytes: [UInt8]?) throws -> DaemonSettings

    /// - Parameter bytes: must not wait, for example for data from a pipe.
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

package struct DaemonEnvironment: Sendable {
    let bus: Result<BusAddress, DesktopBusError>
    /// The settings file; `nil` when no path for the file is known.
    let settings: SettingsSource?
    /// Returns the zoneinfo name of the machine's time zone; `nil` when it is unknown.
    let localZone: @Sendable () -> String?
    /// Prints an alarm on the terminal; `nil` when there is no terminal.
    let printAlarm: (@Sendable (AlarmNotice) -> Void)?
    let encode: @Sendable (AlarmNotice) -> [UInt8]
    /// The command that syncs an account, with the exit statuses of `remindav sync`; `nil` if its path is unknown.
    let syncCommand: (@Sendable (_ account: String, _ store: String) -> [String])?
    let isService: Bool
    let report: @Sendable (DaemonLogEvent) -> Void

    /// - Parameter syncArguments: the arguments with which this program syncs one account of the store in a folder.
    package init(
        environment: [String: String],
        settings: SettingsSource?,
        localZone: @escaping @Sendable () -> String?,
        printAlarm: (@Sendable (AlarmNotice) -> Void)?,
        encode: @escaping @Sendable (AlarmNotice) -> [UInt8],
        syncArguments: @escaping @Sendable (_ account: String, _ store: String) -> [String],
        report: @escaping @Sendable (DaemonLogEvent) -> Void
    ) {
        self.bus = Result { () throws(DesktopBusError) in try BusAddress.session(in: environment) }
        self.settings = settings
        self.localZone = localZone
        self.printAlarm = printAlarm
        self.encode = encode
        // The path of this program is read at the start, because an update may replace the program's file later.
        if let path = SystemFiles.linkTarget("/proc/self/exe") {
            self.syncCommand = { [path] + syncArguments($0, $1) }
        } else {
            self.syncCommand = nil
        }
        self.isService = environment.variable("INVOCATION_ID") != nil
        self.report = report
    }
}

/// An alarm in the form in which the notify command and the terminal receive it.
package struct AlarmNotice: Hashable, Sendable {
    /// The reminder; `nil` for a summary of several reminders.
    package let reminder: ReminderID?
    /// Plain text without markup, as in ``body``.
    package let title: String
    package let body: String
    package let priority: Priority
}

/// An event for the daemon's log; it contains no text of reminders.
package enum DaemonLogEvent: Sendable {
    case ready
    case service(name: String)
    /// No program shows notifications; `advice` is empty when the user need not do anything.
    case noService(reason: String, advice: String)
    /// The service did not show a notification; the daemon tries again.
    case notShown(reason: String, advice: String)
    case settings
    /// The settings file is invalid; the previous settings stay in use.
    case settingsError(any Error)
    /// The settings file cannot be watched, so the daemon may miss changes.
    case settingsUnwatched(SystemError)
    case otherStore
    case zone(String)
    /// The machine's time zone is unknown; the previous time zone stays in use.
    case unknownZone
    /// The reminders cannot be read; the daemon tries again.
    case storeError(any Error)
    /// The delivery state cannot be written; the daemon tries again. Until it succeeds, a crash may repeat alarms.
    case deliveryStateError(any Error)
    /// The delivery state was damaged; it was replaced by an empty one.
    case deliveryStateRecreated
    case notifyCommandFailed(status: Int32?)
    /// A sync had another outcome than the account's previous sync; `status` is `nil` without an exit status.
    case synced(SyncSchedule.Outcome, status: Int32?)
    /// `isChosen` is true for a program from the settings; `status` is `nil` when the program could not be run.
    case openCommandFailed(isChosen: Bool, status: Int32?)
    /// An action of the user could not be written to a reminder, after many attempts.
    case gaveUp(reminder: ReminderID)
    /// Some alarms of a reminder are unknown, because the search through its recurrence rule would take too long.
    case unplanned(reminder: ReminderID)
}

extension AlarmNotice: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("reminder") { $0.reminder?.rawValue },
        JSONMember("title") { $0.title },
        JSONMember("body") { $0.body },
        JSONMember("priority") { $0.priority.rawValue },
    ]
}
