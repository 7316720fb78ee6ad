import ICalendar
private import Synchronization

/// The time zones of the system by zoneinfo name, read on first use and cached.
public struct ZoneDatabase: Sendable {
    /// The limit of cached zones: more than tzdata has names (about 600), so only hostile files reach it.
    static let maximumCached = 1024
    /// The limit of cached VTIMEZONE definitions: more than any calendar has.
    static let maximumDefinitions = 256
    /// The limit of bytes in a name; the longest of tzdata has 32.
    static let maximumNameLength = 64

    /// Files in zoneinfo that are not zones of the world.
    private static let otherFiles: Set = ["localtime", "posixrules", "Factory"]

    private let load: @Sendable (String) -> [UInt8]?
    private let cache = ZoneCache()

    /// - Parameter load: returns the bytes of the TZif file of a name such as `Europe/Berlin`, `nil` if there is none.
    ///   It is called only with names that are safe as a path: see ``isSafe(_:)``.
    public init(load: @escaping @Sendable (String) -> [UInt8]?) {
        self.load = load
    }

    /// Whether `name` may be used as a path below zoneinfo: letters, digits, `_`, `+`, `-` and single slashes between.
    ///
    /// Dots are in no name of tzdata, so there is no way up.
    public static func isSafe(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return name.utf8.count <= self.maximumNameLength
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(self.isNameByte) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The rules of the zone with this zoneinfo name; `nil` if it does not exist or its file is invalid.
    package func rules(named name: String) -> ZoneRules? {
        guard Self.isSafe(name), !Self.otherFiles.contains(name) else { return nil }
        if let known = self.cache.zone(name) { return known.rules }
        // Two threads may read a zone at the same time; they read the same.
        let rules = self.load(name).flatMap(TZifReader.rules)
        self.cache.keep(rules, name)
        return rules
    }
}

extension ZoneDatabase {
    /// The largest size of a cached VTIMEZONE; a zone with its full history has about 10 KB.
    private static let maximumKeptBytes = 32 * 1024

    /// The rules of a VTIMEZONE; `nil` if it is invalid.
    ///
    /// A server sends each to-do with its zone, the same thousands of times: equal text is parsed once.
    func rules(of component: Component) -> ZoneRules? {
        let bytes = component.bytes
        guard bytes.count <= Self.maximumKeptBytes else { return Self.read(component) }
        let key = Array(bytes)
        if let known = self.cache.definition(key) { return known.rules }
        let rules = Self.read(component)
        self.cache.keep(rules, definition: key)
        return rules
    }

    /// The cached result of `search` for a TZID.
    func kept(_ tzid: String, _ search: () -> Match?) -> Match? {
        if let known = self.cache.match(tzid) { return known }
        let match = search()
        self.cache.keep(match, tzid: tzid)
        return match
    }

    private static func read(_ component: Component) -> ZoneRules? {
        var reader = TimeZoneReader()
        return reader.definition(component)?.rules()
    }
}

/// The cache of all copies of a database.
private final class ZoneCache: Sendable {
    struct Entry: Sendable {
        let rules: ZoneRules?
    }

    private let zones = Mutex<[String: Entry]>([:])
    private let definitions = Mutex<[[UInt8]: Entry]>([:])
    private let matches = Mutex<[String: ZoneDatabase.Match?]>([:])

    func match(_ tzid: String) -> ZoneDatabase.Match?? {
        self.matches.withLock { $0[tzid] }
    }

    func keep(_ match: ZoneDatabase.Match?, tzid: String) {
        self.matches.withLock { matches in
            if matches.count >= ZoneDatabase.maximumCached { matches.removeAll() }
            matches[tzid] = .some(match)
        }
    }

    func definition(_ bytes: [UInt8]) -> Entry? {
        self.definitions.withLock { $0[bytes] }
    }

    func keep(_ rules: ZoneRules?, definition bytes: [UInt8]) {
        self.definitions.withLock { definitions in
            if definitions.count >= ZoneDatabase.maximumDefinitions { definitions.removeAll() }
            definitions[bytes] = Entry(rules: rules)
        }
    }

    func zone(_ name: String) -> Entry? {
        self.zones.withLock { $0[name] }
    }

    func keep(_ rules: ZoneRules?, _ name: String) {
        self.zones.withLock { zones in
            if zones.count >= ZoneDatabase.maximumCached { zones.removeAll() }
            zones[name] = Entry(rules: rules)
        }
    }
}
