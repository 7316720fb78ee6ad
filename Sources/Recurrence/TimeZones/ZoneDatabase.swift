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
    private static let otherFiles: Set = ["localtime", "posixrules", "Factory"]
    private let load: @Sendable (String) -> [UInt8]?
    private let zones = ZoneCache<String, ZoneRules>(limit: Self.maximumCached)
    private let definitions = ZoneCache<[UInt8], ZoneRules>(limit: Self.maximumDefinitions)
    private let matches = ZoneCache<String, Match>(limit: Self.maximumCached)

    /// - Parameter load: returns the bytes of the TZif file of a name such as `Europe/Berlin`, `nil` if there is none.
    ///   It is called only with names that are safe as a path: see ``isSafe(_:)``.
    public init(load: @escaping @Sendable (String) -> [UInt8]?) { self.load = load }

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

    /// `nil` if the zone does not exist or its file is invalid.
    package func rules(named name: String) -> ZoneRules? {
        guard Self.isSafe(name), !Self.otherFiles.contains(name) else { return nil }
        return self.zones.value(of: name) { self.load(name).flatMap(TZifReader.rules) }
    }
}

extension ZoneDatabase {
    /// The largest size of a cached VTIMEZONE; a zone with its full history has about 10 KB.
    private static let maximumKeptBytes = 32 * 1024

    /// `nil` if the VTIMEZONE is invalid.
    ///
    /// A server sends each to-do with its zone, the same thousands of times: equal text is parsed once.
    func rules(of component: Component) -> ZoneRules? {
        let bytes = component.bytes
        guard bytes.count <= Self.maximumKeptBytes else { return Self.read(component) }
        return self.definitions.value(of: Array(bytes)) { Self.read(component) }
    }

    func match(_ tzid: String, _ search: () -> Match?) -> Match? { self.matches.value(of: tzid, search) }

    private static func read(_ component: Component) -> ZoneRules? {
        var reader = TimeZoneReader()
        return reader.definition(component)?.rules()
    }
}

/// A cache that all copies of a database share; a full one is emptied.
private final class ZoneCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value?]>([:])

    init(limit: Int) { self.limit = limit }

    func value(of key: Key, _ search: () -> Value?) -> Value? {
        if let known = self.values.withLock({ $0[key] }) { return known }
        // Two threads may search at the same time; they find the same.
        let found = search()
        self.values.withLock { values in
            if values.count >= self.limit { values.removeAll() }
            values[key] = .some(found)
        }
        return found
    }
}
