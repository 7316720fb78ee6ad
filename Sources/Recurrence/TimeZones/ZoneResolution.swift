import ICalendar

/// The source of the rules of a TZID.
///
/// The cases are in the order of the search: the first with a result counts.
public enum ZoneSource: String, Hashable, Sendable, CaseIterable {
    /// The calendar's VTIMEZONE of that name.
    case definition
    /// A zone of tzdata by its exact name, including old ones such as `US/Eastern`.
    case zoneinfo
    /// A zone of tzdata in another spelling: other capitals, quotes, spaces.
    case spelling
    /// A zone of tzdata after the prefix of a program: `/freeassociation.sourceforge.net/Europe/Berlin`.
    case prefix
    /// A name of Windows: `W. Europe Standard Time`.
    case windows
    /// The display name of a zone in Windows: `(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna`.
    case displayName
    /// A constant offset from UTC: `UTC+2`, `GMT+0200`, `+0100`.
    case offset
    /// X-LIC-LOCATION of the calendar's VTIMEZONE of that name, which has no offsets.
    case location
    /// The only VTIMEZONE of the calendar, which has another name that the calendar does not use.
    case onlyDefinition
    /// X-WR-TIMEZONE of the calendar.
    case calendarZone
}

/// The meaning of a TZID.
public struct ZoneResolution: Hashable, Sendable {
    /// The source of the rules.
    public let source: ZoneSource
    /// The zoneinfo name of the zone; `nil` for a definition without a known name and for a plain offset.
    public let name: String?
}

extension ZoneDatabase {
    /// A zone of the database, and the interpretation of its name.
    struct Match {
        let source: ZoneSource
        /// `nil` for an offset without a name in tzdata.
        let name: String?
        let rules: ZoneRules
    }

    /// The limit of bytes of a TZID; the longest of any program has fewer than 100.
    static let maximumTZIDLength = 255

    /// The zone of `tzid` by its name, without the calendar.
    func match(_ tzid: String) -> Match? {
        guard tzid.utf8.count <= Self.maximumTZIDLength else { return nil }
        return self.kept(tzid) {
            if let rules = self.rules(named: tzid) { return Match(source: .zoneinfo, name: tzid, rules: rules) }
            let plain = ZoneName.plain(tzid)
            return self.matchSpelling(plain) ?? self.matchPrefix(plain) ?? self.matchWindows(plain)
                ?? self.matchOffset(plain)
        }
    }

    private func matchSpelling(_ name: String) -> Match? {
        for candidate in ZoneName.spellings(name) {
            if let rules = self.rules(named: candidate) {
                return Match(source: .spelling, name: candidate, rules: rules)
            }
        }
        return nil
    }

    private func matchPrefix(_ name: String) -> Match? {
        for rest in ZoneName.withoutPrefixes(name) {
            for candidate in [rest] + ZoneName.spellings(rest) {
                if let rules = self.rules(named: candidate) {
                    return Match(source: .prefix, name: candidate, rules: rules)
                }
            }
        }
        return nil
    }

    private func matchWindows(_ name: String) -> Match? {
        let short = name.lowercased().hasPrefix(ZoneName.microsoft) ? String(name.dropFirst(18)) : name
        if let zone = WindowsZones.zoneinfoName(of: short), let rules = self.rules(named: zone) {
            return Match(source: .windows, name: zone, rules: rules)
        }
        if let zone = WindowsZones.zoneinfoName(ofDisplayed: name), let rules = self.rules(named: zone) {
            return Match(source: .displayName, name: zone, rules: rules)
        }
        return nil
    }

    private func matchOffset(_ name: String) -> Match? {
        guard let seconds = ZoneName.offset(name) else { return nil }
        let zone = ZoneName.etcetera(seconds)
        if let zone, let rules = self.rules(named: zone) {
            return Match(source: .offset, name: zone, rules: rules)
        }
        return Match(source: .offset, name: nil, rules: ZoneRules(fixed: seconds))
    }
}

/// The interpretation of the text of a TZID.
enum ZoneName {
    /// Outlook on the web: `tzone://Microsoft/Utc`, `tzone://Microsoft/Olson/Europe/Paris`.
    static let microsoft = "tzone://microsoft/"
    /// The limit of parts of a name; prefixes of programs have at most three.
    static let maximumParts = 8

    /// The name without surrounding spaces and quotes and without the backslashes of TEXT.
    static func plain(_ tzid: String) -> String {
        guard tzid.utf8.contains(where: { $0 <= 0x22 || $0 == UInt8(ascii: "\\") }) else { return tzid }
        let text = tzid.filter { $0 != "\\" }.trimmingSpaces
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast()).trimmingSpaces
    }

    /// Possible spellings of `name` in tzdata: `europe/berlin` is `Europe/Berlin`.
    static func spellings(_ name: String) -> [String] {
        let lowered = name.lowercased()
        if let odd = self.oddSpellings[lowered] { return [odd] }
        guard ZoneDatabase.isSafe(name) else { return [] }
        var words = ""
        var isFirst = true
        for character in lowered {
            words.append(isFirst ? Character(character.uppercased()) : character)
            isFirst = "/_-+".contains(character)
        }
        var found = [name, words]
        if !words.contains("/") { found.append(name.uppercased()) }
        if words.hasPrefix("Us/") { found.append("US/" + words.dropFirst(3)) }
        if words.hasPrefix("Etc/") { found.append("Etc/" + lowered.dropFirst(4).uppercased()) }
        return found
    }

    /// Names of tzdata with a word that does not begin with a capital.
    private static let oddSpellings = Dictionary(
        uniqueKeysWithValues: [
            "Africa/Dar_es_Salaam", "America/Argentina/ComodRivadavia", "America/Knox_IN", "America/Port-au-Prince",
            "America/Port_of_Spain", "Antarctica/DumontDUrville", "Antarctica/McMurdo", "Australia/ACT",
            "Australia/LHI", "Australia/NSW", "Brazil/DeNoronha", "Chile/EasterIsland", "Europe/Isle_of_Man",
            "GB-Eire", "Mexico/BajaNorte", "Mexico/BajaSur",
        ].map { ($0.lowercased(), $0) }
    )

    /// The names that remain after removing leading parts one by one.
    ///
    /// Evolution writes `/freeassociation.sourceforge.net/Tzfile/Europe/Berlin`, older versions
    /// `/softwarestudio.org/Olson_20011030_5/Europe/Berlin`; Lightning `/mozilla.org/20070129_1/Europe/Berlin`; Citadel
    /// `/citadel.org/20211020_1/Europe/Berlin`. Without a leading slash, only a part with a dot or a folder of tzdata
    /// counts as a prefix.
    static func withoutPrefixes(_ name: String) -> [String] {
        var parts = name.split(separator: "/", omittingEmptySubsequences: true).prefix(self.maximumParts)
        guard let first = parts.first, parts.count > 1, !parts.contains(".."), !parts.contains(".") else { return [] }
        let folders: Set<Substring> = ["posix", "right"]
        guard name.hasPrefix("/") || first.contains(".") || folders.contains(first) || first.lowercased() == "tzone:"
        else { return [] }
        // `/…/UTC` is a name, `/…/Berlin` is not, so the last part is never removed.
        var found: [String] = []
        while !parts.isEmpty {
            if parts.count < name.split(separator: "/").count || name.hasPrefix("/") {
                found.append(parts.joined(separator: "/"))
            }
            parts = parts.dropFirst()
        }
        return found
    }

    /// An offset from UTC in seconds: `UTC`, `Z`, `UTC+2`, `GMT+0200`, `UTC+05:30`, `(UTC-03:00)`, `+0100`.
    ///
    /// East is positive; only the zones of tzdata below `Etc/` are reversed.
    static func offset(_ name: String) -> Int? {
        var rest = name.uppercased().filter { $0 != " " }[...]
        if rest.hasPrefix("("), rest.hasSuffix(")") { rest = rest.dropFirst().dropLast() }
        let named = ["UTC", "GMT", "Z"].first { rest.hasPrefix($0) }
        rest = rest.dropFirst(named?.count ?? 0)
        if rest.isEmpty { return named == nil ? nil : 0 }
        guard named != "Z", let sign = rest.popFirst(), sign == "+" || sign == "-" || sign == "\u{2212}" else {
            return nil
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        let numbers: [Int?]
        switch (parts.count, rest.utf8.count) {
        case (1, 1), (1, 2): numbers = [Int(parts[0]), 0]
        case (1, 3), (1, 4): numbers = [Int(parts[0].dropLast(2)), Int(parts[0].suffix(2))]
        case (2, 4), (2, 5): numbers = [Int(parts[0]), Int(parts[1])]
        default: return nil
        }
        guard let hours = numbers[0], let minutes = numbers[1], hours <= 14, minutes < 60 else { return nil }
        return (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    /// The zone of tzdata with a constant offset of `seconds`; there is one for each whole hour.
    static func etcetera(_ seconds: Int) -> String? {
        guard seconds.isMultiple(of: 3600), (-12...14).contains(seconds / 3600) else { return nil }
        let hours = seconds / 3600
        return hours == 0 ? "Etc/UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }
}
