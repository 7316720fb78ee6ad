package import CalDAV
package import CurlTransport
package import HTTP
public import ICalendar
import Platform
public import Recurrence

/// The environment of the use cases.
public struct Configuration: Sendable {
    /// The folder of the store, its lock and the stored passwords.
    public let storeFolder: String
    /// The zoneinfo name of the zone for times without a zone.
    public private(set) var localZone: String
    /// The time zone database.
    public let zones: ZoneDatabase
    /// The clock.
    public let now: @Sendable () -> Instant
    /// The list of new reminders; `nil` for the oldest writable list.
    package let defaultList: String?
    /// The due date and alarms of a new reminder without options.
    public var defaults = ReminderDefaults()
    /// Returns this number of random bytes.
    package let randomBytes: @Sendable (Int) -> [UInt8]
    /// `nil` to store passwords in the store's folder.
    package let keyring: Keyring?
    /// The folder with the credentials that systemd gives to a service; `nil` outside of a service.
    package let credentials: String?
    /// `nil` for no requests to DNS.
    package let resolver: SystemResolver?
    /// Creates the transport to an account's server, with its TLS options.
    package let transport: @Sendable (TLSOptions) -> any Transport
    package let pacingClock: PacingClock

    /// Random bytes come from the operating system, and requests go over libcurl, unless given.
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

    /// A configuration for an embedding program; other values come from the operating system.
    ///
    /// - Parameters:
    ///   - localZone: a zoneinfo name such as `Europe/Berlin`.
    ///   - zones: where zones are looked up, such as ``systemZones(environment:)``.
    ///   - storeFolder: the folder that the store and the kept passwords are in.
    ///   - now: the clock.
    public init(
        localZone: String,
        zones: ZoneDatabase,
        storeFolder: String,
        now: @escaping @Sendable () -> Instant
    ) {
        self.init(storeFolder: storeFolder, localZone: localZone, zones: zones, now: now, defaultList: nil)
    }

    /// The same configuration with another local zone.
    package func withLocalZone(_ name: String) -> Self {
        var other = self
        other.localZone = name
        return other
    }

    package static let network: @Sendable (TLSOptions) -> any Transport = { CurlSession(tls: $0) }

    package static let systemRandomBytes: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The store's folder: the option, REMINDAV_STORE, the settings, or the default folder, in this order.
    ///
    /// `nil` without a home folder.
    public static func storeFolder(
        option: String?,
        environment: [String: String],
        setting: String? = nil
    ) -> String? {
        option ?? environment.variable("REMINDAV_STORE") ?? setting ?? self.usualStoreFolder(environment)
    }

    /// `remindav` in the data folder of the XDG Base Directory Specification; `nil` without a home folder.
    package static func usualStoreFolder(_ environment: [String: String]) -> String? {
        environment.baseFolder("XDG_DATA_HOME", else: ".local/share").map { "\($0)/remindav" }
    }

    /// The name of the local zone: TZ, the target of /etc/localtime, /etc/timezone, or UTC, in this order.
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

    /// The zones of the operating system: the files below TZDIR or /usr/share/zoneinfo.
    public static func systemZones(environment: [String: String]) -> ZoneDatabase {
        let folder = environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/usr/share/zoneinfo"
        return ZoneDatabase { name in SystemFiles.read("\(folder)/\(name)", limit: Self.zoneFileBytes) }
    }

    /// The largest zoneinfo file has some 4 KB.
    private static let zoneFileBytes = 256 * 1024
}
