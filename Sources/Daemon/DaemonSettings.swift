package import Bridge
import DesktopBus
package import JSON
package import Notifications
package import Platform
package import Reminders

package struct DaemonSettings: Hashable, Sendable {
    package var alarms = AlarmSettings()
    package var scheduler = SchedulerSettings()
    /// The program, with its arguments, that delivers alarms without a notification service; `nil` for none.
    package var notifyCommand: [String]?
    /// The program, with its arguments, that opens the reminder whose number follows; `nil` for the desktop's program for
    /// `reminders:` addresses.
    package var openCommand: [String]?
    /// Seconds between two syncs of an account without an interval of its own; `nil` for no automatic syncs.
    package var syncSeconds: Int?
    package var muted = MuteRules()
    /// The store's folder that the settings file names, if that counts; only used to notice a change.
    package var store: String?
    package init() {}

    /// - Parameter hasTerminal: whether alarms are also printed on a terminal.
    func schedulerSettings(hasTerminal: Bool) -> SchedulerSettings {
        var settings = self.scheduler
        settings.alarms = self.alarms
        settings.hasFallback = self.notifyCommand != nil || hasTerminal
        settings.mutedLists = self.muted.listKeys
        settings.mutedLabels = Set(self.muted.labels.map(LabelKey.init))
        return settings
    }
}

package struct SettingsSource: Sendable {
    let path: String
    /// `nil` when the file is missing; throws when it cannot be read.
    let bytes: @Sendable () throws -> [UInt8]?
    /// Throws when the content cannot be used.
    let settings: @Sendable (_ bytes: [UInt8]?) throws -> DaemonSettings

    /// - Parameter bytes: never waits, for example for a pipe.
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
    /// The settings file; `nil` when there is no place for one.
    let settings: SettingsSource?
    /// The zoneinfo name of the machine's time zone; `nil` when it is unknown.
    let localZone: @Sendable () -> String?
    /// Prints an alarm on the terminal; `nil` without one.
    let printAlarm: (@Sendable (AlarmNotice) -> Void)?
    let encode: @Sendable (AlarmNotice) -> [UInt8]
    /// The words of a process that syncs an account of the store in a folder once and ends as `remindav sync` does; `nil`
    /// when the file of this program is unknown.
    let syncCommand: (@Sendable (_ account: String, _ store: String) -> [String])?
    let isService: Bool
    let report: @Sendable (DaemonLogEvent) -> Void

    /// - Parameter syncArguments: the arguments with which this program syncs an account of the store in a folder.
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
        // The path at the start: an update may replace the file later.
        if let path = SystemFiles.linkTarget("/proc/self/exe") {
            self.syncCommand = { [path] + syncArguments($0, $1) }
        } else {
            self.syncCommand = nil
        }
        self.isService = environment.variable("INVOCATION_ID") != nil
        self.report = report
    }
}

/// An alarm as it is delivered without a notification service.
package struct AlarmNotice: Hashable, Sendable {
    /// The reminder; `nil` for a summary of many.
    package let reminder: ReminderID?
    /// Plain text, like ``body``.
    package let title: String
    package let body: String
    package let priority: Priority
}

/// An event for the log, without text of reminders.
package enum DaemonLogEvent: Sendable {
    case ready
    case service(name: String)
    /// No program shows notifications; the advice is empty when the problem resolves itself.
    case noService(reason: String, advice: String)
    /// The service did not show a notification, which is retried.
    case notShown(reason: String, advice: String)
    case settings
    /// The settings file cannot be used; the former settings stay.
    case settingsError(any Error)
    /// Changes of the settings may be missed.
    case settingsUnwatched(SystemError)
    case otherStore
    case zone(String)
    /// The machine's zone is unknown; the former one stays.
    case unknownZone
    /// The reminders cannot be read, which is retried.
    case storeError(any Error)
    /// The delivery state cannot be written, which is retried; until then a crash may repeat alarms.
    case deliveryStateError(any Error)
    /// The delivery state was damaged and starts empty.
    case deliveryStateRecreated
    case notifyCommandFailed(status: Int32?)
    /// The end of a sync that differs from the previous one of its account; `status` is `nil` when it did not end.
    case synced(SyncSchedule.Outcome, status: Int32?)
    /// `isChosen` is true for the configured program; `status` is `nil` when it could not be run.
    case openCommandFailed(isChosen: Bool, status: Int32?)
    /// The user's action could not be written to a reminder, after many attempts.
    case gaveUp(reminder: ReminderID)
    /// Some alarms of a reminder are unknown, because its repeat rule needs too long a search.
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
