package import RemindavICalendar

/// The time zones of the system by zoneinfo name, and its calendar systems; each is read on first use and cached.
public struct ZoneDatabase: Sendable {
    /// The largest number of cached time zones; tzdata has about 600 names, so only hostile files reach it.
    static let maximumCached = 1024
    /// The largest number of cached VTIMEZONEs; no real calendar has more.
    static let maximumDefinitions = 256
    /// The largest number of bytes in a name; the longest name of tzdata has 32.
    static let maximumNameLength = 64
    private static let otherFiles: Set = ["localtime", "posixrules", "Factory"]
    private let load: @Sendable (String) -> [UInt8]?
    private let loadCalendar: @Sendable (String) throws(RecurrenceError) -> CalendarSystem
    private let zones = SharedCache<String, ZoneRules>(limit: Self.maximumCached)
    private let definitions = SharedCache<[UInt8], ZoneRules>(limit: Self.maximumDefinitions)
    private let matches = SharedCache<String, Match>(limit: Self.maximumCached)

    /// - Parameter load: returns the bytes of the TZif file for a name such as `Europe/Berlin`, or `nil` if there is
    ///   none. It is called only with names that are safe as a path: see ``isSafe(_:)``.
    public init(load: @escaping @Sendable (String) -> [UInt8]?) {
        self.init(load: load) { name throws(RecurrenceError) in throw .unsupportedCalendar(name) }
    }

    /// - Parameters:
    ///   - load: as in ``init(load:)``.
    ///   - calendar: returns the calendar system of an RSCALE in capitals, or throws the reason why there is none. It is
    ///     called for each search in a rule with another calendar than the Gregorian one, so it should cache.
    public init(
        load: @escaping @Sendable (String) -> [UInt8]?,
        calendar: @escaping @Sendable (String) throws(RecurrenceError) -> CalendarSystem
    ) {
        self.load = load
        self.loadCalendar = calendar
    }

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
    /// Whether the calendar system of a rule is available.
    package func supportsCalendar(of rule: RecurrenceRule) -> Bool {
        do {
            _ = try self.calendar(of: rule)
            return true
        } catch {
            return false
        }
    }

    /// The calendar system of a rule; `nil` if the Gregorian calendar gives the same dates.
    func calendar(of rule: RecurrenceRule) throws(RecurrenceError) -> CalendarSystem? {
        guard !rule.isGregorian else { return nil }
        guard rule.byWeekNumber.isEmpty else { throw .unsupportedWeekNumbers(rule.rscale) }
        guard let name = rule.rscale, !RecurrenceRule.gregorianCalendars.contains(name) else { return .gregorian }
        let calendar = try self.loadCalendar(name)
        let hasParts = ![rule.byMonth, rule.byLeapMonth, rule.byMonthDay, rule.byYearDay].allSatisfy(\.isEmpty)
        // Weeks and days are the same in all calendars.
        return hasParts || rule.frequency >= .monthly ? calendar : nil
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
