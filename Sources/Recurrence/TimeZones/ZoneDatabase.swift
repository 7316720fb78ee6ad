import ICalendar
private import Synchronization

/// The time zones of the system, by zoneinfo name; read when first asked for, and kept.
public struct ZoneDatabase: Sendable {
    /// Zones that are kept: more than tzdata has names (about 600), so that only hostile files ever fill it.
    static let maximumCached = 1024
    /// VTIMEZONEs that are kept.
    static let maximumDefinitions = 256
    /// Bytes that a name may have; the longest of tzdata has 32.
    static let maximumNameLength = 64

    /// Files beside the zones that are zones of the machine, not of the world.
    private static let otherFiles: Set = ["localtime", "posixrules", "Factory"]

    private let load: @Sendable (String) -> [UInt8]?
    private let cache = ZoneCache()

    /// - Parameter load: the bytes of the TZif file of a name such as `Europe/Berlin`, `nil` when there is none. It is
    ///   asked only for names that are safe as a path: see ``isSafe(_:)``.
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

    /// The rules of the zone with this zoneinfo name; `nil` when there is none or its file is broken.
    package func rules(named name: String) -> ZoneRules? {
        guard Self.isSafe(name), !Self.otherFiles.contains(name) else { return nil }
        if let known = self.cache.zone(name) { return known.rules }
        // Two threads may both read a zone; they read the same.
        let rules = self.load(name).flatMap(TZifReader.rules)
        self.cache.keep(rules, name)
        return rules
    }
}

extension ZoneDatabase {
    /// VTIMEZONEs up to this size are kept; that of a zone with all its history has some 10 KB.
    private static let maximumKeptBytes = 32 * 1024

    /// The rules that a VTIMEZONE defines; `nil` when it defines none.
    ///
    /// A server hands out each to-do with the zone that it uses, the same thousands of times: equal text is read once.
    func rules(of component: Component) -> ZoneRules? {
        let bytes = component.bytes
        guard bytes.count <= Self.maximumKeptBytes else { return Self.read(component) }
        let key = Array(bytes)
        if let known = self.cache.definition(key) { return known.rules }
        let rules = Self.read(component)
        self.cache.keep(rules, definition: key)
        return rules
    }

    /// What `search` finds for a TZID, which is looked for once.
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

/// What has been read, shared by all copies of a database.
private final class ZoneCache: Sendable {
    /// The outcome for one name; ``rules`` is `nil` where there is no such zone.
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
