package import RemindavCalDAV
import RemindavCalendarSystems
package import RemindavCurlTransport
package import RemindavHTTP
public import RemindavICalendar
import RemindavPlatform
public import RemindavRecurrence

/// The surroundings of the use cases: folders, clock, time zones and network.
public struct Configuration: Sendable {
    /// The folder with the store, its lock and the stored passwords.
    public let storeFolder: String
    /// The folder of uploads, which have no names; `nil` for ``storeFolder``.
    package var spoolFolder: String?
    /// The zoneinfo name of the local zone, which applies to times without a zone.
    public private(set) var localZone: String
    /// The time zone database.
    public let zones: ZoneDatabase
    /// Returns the current time.
    public let now: @Sendable () -> Instant
    /// The name of the list for new reminders; `nil` means the store's default list.
    package let defaultList: String?
    /// The due time and the alarms of a new reminder if no option sets them.
    public var defaults = ReminderDefaults()
    package let randomBytes: @Sendable (Int) -> [UInt8]
    /// The desktop's keyring; `nil` stores passwords in the store's folder.
    package private(set) var keyring: Keyring?
    /// The folder with credentials from systemd; `nil` if the program is not a service of systemd.
    package private(set) var credentials: String?
    /// Sends DNS requests; `nil` means no DNS requests.
    package let resolver: SystemResolver?
    package private(set) var transport: @Sendable (TLSOptions) -> any Transport
    /// The vault and the limits of a tenant of a host; `nil` for a single user.
    private(set) var tenancy: Tenancy?
    package let pacingClock: PacingClock

    /// By default, random numbers come from the operating system, and libcurl sends the requests.
    package init(
        storeFolder: String,
        localZone: String,
        zones: ZoneDatabase,
        now: @escaping @Sendable () -> Instant,
        defaultList: String? = nil,
        randomBytes: @escaping @Sendable (Int) -> [UInt8] = Self.systemRandomBytes,
        keyring: Keyring? = nil,
        credentials: String? = nil,
        resolver: SystemResolver? = nil,
        transport: @escaping @Sendable (TLSOptions) -> any Transport = Self.network,
        pacingClock: PacingClock = .continuous
    ) {
        self.storeFolder = storeFolder
        self.localZone = localZone
        self.zones = zones
        self.now = now
        self.defaultList = defaultList
        self.randomBytes = randomBytes
        self.keyring = keyring
        self.credentials = credentials
        self.resolver = resolver
        self.transport = transport
        self.pacingClock = pacingClock
    }

    /// A configuration for a program that embeds the library; all other values come from the operating system.
    ///
    /// - Parameters:
    ///   - localZone: a zoneinfo name such as `Europe/Berlin`.
    ///   - zones: the time zone database, such as ``systemZones(environment:)``.
    ///   - storeFolder: the folder with the store and the stored passwords.
    ///   - now: returns the current time.
    public init(
        localZone: String,
        zones: ZoneDatabase,
        storeFolder: String,
        now: @escaping @Sendable () -> Instant
    ) {
        self.init(storeFolder: storeFolder, localZone: localZone, zones: zones, now: now, defaultList: nil)
    }

    package func withLocalZone(_ name: String) -> Self {
        var other = self
        other.localZone = name
        return other
    }

    /// - Parameter wrap: replaces the transport of each account.
    package func withTransport(_ wrap: @escaping @Sendable (any Transport) -> any Transport) -> Self {
        var other = self
        other.transport = { [transport] options in wrap(transport(options)) }
        return other
    }

    /// The same configuration for a tenant of a host.
    ///
    /// - Parameters:
    ///   - zone: the zoneinfo name of the zone of the tenant.
    ///   - vault: keeps the secrets of the tenant, instead of a keyring and files.
    ///   - addresses: the servers to which the accounts may connect.
    ///   - userAgent: the header User-Agent of the requests to them.
    package func forTenant(
        zone: String,
        vault: any SecretVault,
        addresses: AddressPolicy,
        userAgent: String
    ) -> Self {
        var other = self.withLocalZone(zone)
        other.tenancy = Tenancy(vault: vault, addresses: addresses)
        (other.keyring, other.credentials) = (nil, nil)
        var limits = TransportLimits.standard
        limits.connectionsPerHost = Tenancy.connections
        other.transport = { [limits] in CurlSession(limits: limits, userAgent: userAgent, tls: $0, addresses: addresses)
        }
        return other
    }

    /// A random number from 0 to 1, in steps of 1/255, for times that need not be secret; 0 without random bytes.
    package func randomFraction() -> Double { Double(self.randomBytes(1).first ?? 0) / 255 }

    package static let network: @Sendable (TLSOptions) -> any Transport = { CurlSession(tls: $0) }

    package static let systemRandomBytes: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The store's folder: the first of the option, REMINDAV_STORE, the setting and the default folder that is present.
    ///
    /// `nil` means that the first three are missing and that the environment names no home folder.
    public static func storeFolder(
        option: String?,
        environment: [String: String],
        setting: String? = nil
    ) -> String? {
        option ?? environment.variable("REMINDAV_STORE") ?? setting ?? self.usualStoreFolder(environment)
    }

    /// The folder `remindav` in the data folder of the XDG Base Directory Specification; `nil` without a home folder.
    package static func usualStoreFolder(_ environment: [String: String]) -> String? {
        environment.baseFolder("XDG_DATA_HOME", else: ".local/share").map { "\($0)/remindav" }
    }

    /// The name of the local zone from TZ, else from the target of /etc/localtime, else from /etc/timezone, else UTC.
    public static func localZoneName(environment: [String: String]) -> String {
        if let name = environment["TZ"], !name.isEmpty {
            return name.hasPrefix(":") ? String(name.dropFirst()) : name
        }
        if let target = SystemFiles.linkTarget("/etc/localtime") {
            let parts = target.split(separator: "/", omittingEmptySubsequences: false)
            if let start = parts.lastIndex(of: "zoneinfo"), start + 1 < parts.count {
                return parts[(start + 1)...].joined(separator: "/")
            }
        }
        if let bytes = SystemFiles.read("/etc/timezone", limit: 256) {
            let name = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
            if let name, !name.isEmpty { return String(name) }
        }
        return "UTC"
    }

    /// The zones of the operating system, from the files below TZDIR or /usr/share/zoneinfo, and the calendars of ICU.
    public static func systemZones(environment: [String: String]) -> ZoneDatabase {
        let folder = environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/usr/share/zoneinfo"
        return ZoneDatabase { name in
            SystemFiles.read("\(folder)/\(name)", limit: Self.zoneFileBytes)
        } calendar: { name throws(RecurrenceError) in
            try CalendarSystems.ofSystem.calendar(named: name)
        }
    }

    /// The values of RSCALE that can be computed if ICU is installed, besides the names of the Gregorian calendar.
    package static var calendarNames: [String] { CalendarSystems.names }

    /// The maximum size of a zone file; the largest file of the system has about 4 KB.
    private static let zoneFileBytes = 256 * 1024
}
