/// Follows the time zone of the machine.
///
/// The time zone is read after a pause, because many programs set it by deleting the old link first, and without a link
/// the local time is UTC. Times are values of `WakeSources.uptime` in nanoseconds.
struct TimeZoneFollower {
    enum Event {
        case filesChanged
        case time
    }

    enum Effect: Hashable {
        case use(String)
        case reportUnknown
    }

    static let folder = "/etc"
    static let files: Set = ["localtime", "timezone"]

    /// The zoneinfo name of the current time zone.
    private(set) var name: String
    private(set) var next: Int64?
    /// Whether no file named a time zone at the last check.
    private var isVanishing = false
    /// Returns the zoneinfo name of the machine's time zone; `nil` when it is unknown.
    private let machineZone: () -> String?
    /// Returns whether a file names the time zone; if not, the time zone is UTC by default.
    private let isNamed: () -> Bool

    init(_ name: String, machineZone: @escaping () -> String?, isNamed: @escaping () -> Bool) {
        self.name = name
        self.machineZone = machineZone
        self.isNamed = isNamed
    }

    mutating func handle(_ event: Event, at now: Int64) -> [Effect] {
        switch event {
        case .filesChanged:
            self.next = now + DaemonLimits.zonePause
            self.isVanishing = false
            return []
        case .time: return self.next.map { $0 <= now } ?? false ? self.check(now) : []
        }
    }

    private mutating func check(_ now: Int64) -> [Effect] {
        self.next = nil
        guard let found = self.machineZone() else { return [.reportUnknown] }
        guard found != self.name else { return [] }
        if !self.isNamed(), !self.isVanishing {
            self.isVanishing = true
            self.next = now + DaemonLimits.longestZonePause
            return []
        }
        self.name = found
        return [.use(found)]
    }
}
