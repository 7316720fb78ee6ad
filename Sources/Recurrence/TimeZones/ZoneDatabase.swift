import RemindavICalendar
private import Synchronization

/// The time zones of the system by zoneinfo name; a file is read on first use and cached.
public struct ZoneDatabase: Sendable {
    /// The largest number of cached time zones; tzdata has about 600 names, so only hostile files reach it.
    static let maximumCached = 1024
    /// The largest number of cached VTIMEZONEs; no real calendar has more.
    static let maximumDefinitions = 256
    /// The largest number of bytes in a name; the longest name of tzdata has 32.
    static let maximumNameLength = 64
    private static let otherFiles: Set = ["localtime", "posixrules", "Factory"]
    private let load: @Sendable (String) -> [UInt8]?
    private let zones = ZoneCache<String, ZoneRules>(limit: Self.maximumCached)
    private let definitions = ZoneCache<[UInt8], ZoneRules>(limit: Self.maximumDefinitions)
    private let matches = ZoneCache<String, Match>(limit: Self.maximumCached)

    /// - Parameter load: returns the bytes of the TZif file for a name such as `Europe/Berlin`, or `nil` if there is
    ///   none. It is called only with names that are safe as a path: see ``isSafe(_:)``.
    public init(load: @escaping @Sendable (String) -> [UInt8]?) { self.load = load }

    /// Whether `name` may be used as a path below zoneinfo: letters, digits, `_`, `+`, `-` and single inner slashes.
    ///
    /// No name of tzdata contains a dot, so `..` is not allowed.
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

    /// The rules of a time zone; `nil` if it does not exist or its file is invalid.
    package func rules(named name: String) -> ZoneRules? {
        guard Self.isSafe(name), !Self.otherFiles.contains(name) else { return nil }
        return self.zones.value(of: name) { self.load(name).flatMap(TZifReader.rules) }
    }
}

extension ZoneDatabase {
    /// The largest number of bytes in a cached VTIMEZONE; the full history of a time zone needs about 10 KB.
    private static let maximumKeptBytes = 32 * 1024

    /// The rules of a VTIMEZONE, `nil` if invalid; equal text is parsed once: a server may send it with every to-do.
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

/// A cache that all copies of a database share; when it is full, it is emptied.
private final class ZoneCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value?]>([:])

    init(limit: Int) { self.limit = limit }

    func value(of key: Key, _ search: () -> Value?) -> Value? {
        if let known = self.values.withLock({ $0[key] }) { return known }
        // Two threads may search at the same time and find the same result.
        let found = search()
        self.values.withLock { values in
            if values.count >= self.limit { values.removeAll() }
            values[key] = .some(found)
        }
        return found
    }
}
