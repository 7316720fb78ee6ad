/// Follows the time zone of the machine.
///
/// A zone is often set by deleting the old link first, and without a link the local time is UTC, so the zone is read after
/// a pause. Times are nanoseconds of `WakeSources.uptime`.
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

    /// The current zone, by its zoneinfo name.
    private(set) var name: String
    private(set) var next: Int64?
    /// Whether no file named a zone at the last check.
    private var isVanishing = false
    /// The zone of the machine; `nil` when it is unknown.
    private let machineZone: () -> String?
    /// Whether a file names the zone; otherwise it is UTC for want of a name.
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
