import RemindavICalendar

/// The source of the rules of a TZID, in the order of the search; the first source with a result is used.
public enum ZoneSource: String, Hashable, Sendable, CaseIterable {
    /// The VTIMEZONE with this TZID in the calendar.
    case definition
    /// A time zone of tzdata with exactly this name, including old names such as `US/Eastern`.
    case zoneinfo
    /// A time zone of tzdata in another spelling: with other capitals, quotes or spaces.
    case spelling
    /// A time zone of tzdata after the prefix of a program: `/freeassociation.sourceforge.net/Europe/Berlin`.
    case prefix
    /// A name of Windows: `W; Europe Standard Time`.
    case windows
    /// The display name of a time zone in Windows: `(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna`.
    case displayName
    /// A constant offset from UTC: `UTC+2`, `GMT+0200`, `+0100`.
    case offset
    /// X-LIC-LOCATION in the VTIMEZONE with this TZID, which has no offsets.
    case location
    /// The only VTIMEZONE of the calendar, although it has a different TZID; no time of the calendar uses that TZID.
    case onlyDefinition
    /// X-WR-TIMEZONE of the calendar.
    case calendarZone
}

/// The result of a search for a TZID.
public struct ZoneResolution: Hashable, Sendable {
    /// The source of the rules.
    public let source: ZoneSource
    /// The zoneinfo name; `nil` for a VTIMEZONE with an unknown name, and for an offset without a name in tzdata.
    public let name: String?
}

extension ZoneDatabase {
    struct Match {
        let source: ZoneSource
        /// The zoneinfo name; `nil` for an offset without a name in tzdata.
        let name: String?
        let rules: ZoneRules
    }

    /// The largest number of bytes in a TZID; the longest TZID of a known program has fewer than 100.
    static let maximumTZIDLength = 255

    /// The time zone that the name `tzid` means, without the VTIMEZONEs of a calendar.
    func match(_ tzid: String) -> Match? {
        guard tzid.utf8.count <= Self.maximumTZIDLength else { return nil }
        return self.match(tzid) {
            if let match = self.first(of: [tzid], .zoneinfo) { return match }
            let plain = ZoneName.plain(tzid)
            return self.first(of: ZoneName.spellings(plain), .spelling)
                ?? self.first(of: ZoneName.withoutPrefixes(plain).flatMap { [$0] + ZoneName.spellings($0) }, .prefix)
                ?? self.first(of: WindowsZones.zoneinfoName(of: ZoneName.withoutMicrosoft(plain)), .windows)
                ?? self.first(of: WindowsZones.zoneinfoName(ofDisplayed: plain), .displayName)
                ?? self.matchOffset(plain)
        }
    }

    private func first(of name: String?, _ source: ZoneSource) -> Match? {
        name.flatMap { self.first(of: [$0], source) }
    }

    private func first(of names: [String], _ source: ZoneSource) -> Match? {
        names.lazy.compactMap { name in
            self.rules(named: name).map { Match(source: source, name: name, rules: $0) }
        }.first
    }

    private func matchOffset(_ name: String) -> Match? {
        guard let seconds = ZoneName.offset(name) else { return nil }
        return self.first(of: ZoneName.etcetera(seconds), .offset)
            ?? Match(source: .offset, name: nil, rules: ZoneRules(fixed: seconds))
    }
}

enum ZoneName {
    /// Removes the prefix of Outlook on the web: `tzone://Microsoft/Utc`, `tzone://Microsoft/Olson/Europe/Paris`.
    static func withoutMicrosoft(_ name: String) -> String {
        name.lowercased().hasPrefix("tzone://microsoft/") ? String(name.dropFirst(18)) : name
    }

    /// The largest number of parts between slashes; prefixes of programs have at most three.
    static let maximumParts = 8

    /// The name without surrounding spaces and quotes, and without the backslashes of TEXT.
    static func plain(_ tzid: String) -> String {
        guard tzid.utf8.contains(where: { $0 <= 0x22 || $0 == UInt8(ascii: "\\") }) else { return tzid }
        let text = tzid.filter { $0 != "\\" }.trimmingSpaces
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast()).trimmingSpaces
    }

    /// The possible spellings of `name` in tzdata, such as `Europe/Berlin` for `europe/berlin`.
    static func spellings(_ name: String) -> [String] {
        let lowered = name.lowercased()
        if let odd = self.oddSpellings[lowered] { return [odd] }
        guard ZoneDatabase.isSafe(name) else { return [] }
        var words = ""
        for character in lowered {
            let isFirst = words.last.map { "/_-+".contains($0) } ?? true
            words += isFirst ? character.uppercased() : String(character)
        }
        var found = [name, words]
        if !words.contains("/") { found.append(name.uppercased()) }
        if words.hasPrefix("Us/") { found.append("US/" + words.dropFirst(3)) }
        if words.hasPrefix("Etc/") { found.append("Etc/" + lowered.dropFirst(4).uppercased()) }
        return found
    }

    /// Names of tzdata with a word that is not a capital letter followed by small letters.
    private static let oddSpellings = Dictionary(
        uniqueKeysWithValues: [
            "Africa/Dar_es_Salaam", "America/Argentina/ComodRivadavia", "America/Knox_IN", "America/Port-au-Prince",
            "America/Port_of_Spain", "Antarctica/DumontDUrville", "Antarctica/McMurdo", "Australia/ACT",
            "Australia/LHI", "Australia/NSW", "Brazil/DeNoronha", "Chile/EasterIsland", "Europe/Isle_of_Man",
            "GB-Eire", "Mexico/BajaNorte", "Mexico/BajaSur",
        ].map { ($0.lowercased(), $0) }
    )

    /// The names that remain when leading parts are removed one by one.
    ///
    /// Evolution writes `/freeassociation.sourceforge.net/Tzfile/Europe/Berlin`, older versions
    /// `/softwarestudio.org/Olson_20011030_5/Europe/Berlin`; Lightning `/mozilla.org/20070129_1/Europe/Berlin`; Citadel
    /// `/citadel.org/20211020_1/Europe/Berlin`. Without a leading slash, the first part must contain a dot,
    /// or be `tzone:` or a folder of tzdata (`posix`, `right`).
    static func withoutPrefixes(_ name: String) -> [String] {
        var parts = name.split(separator: "/", omittingEmptySubsequences: true).prefix(self.maximumParts)
        guard let first = parts.first, parts.count > 1, !parts.contains(".."), !parts.contains(".") else { return [] }
        let folders: Set<Substring> = ["posix", "right"]
        guard name.hasPrefix("/") || first.contains(".") || folders.contains(first) || first.lowercased() == "tzone:"
        else { return [] }
        // The last part alone is tried too, because it may be a complete name such as `UTC`.
        var found: [String] = []
        while !parts.isEmpty {
            if parts.count < name.split(separator: "/").count || name.hasPrefix("/") {
                found.append(parts.joined(separator: "/"))
            }
            parts = parts.dropFirst()
        }
        return found
    }

    /// Parses an offset from UTC, in seconds: `UTC`, `Z`, `UTC+2`, `GMT+0200`, `UTC+05:30`, `(UTC-03:00)`, `+0100`.
    ///
    /// An offset to the east is positive. Only the names of tzdata below `Etc/` have the opposite sign.
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

    /// The time zone of tzdata with a constant offset of `seconds`; `nil` if the offset is not a whole hour.
    static func etcetera(_ seconds: Int) -> String? {
        guard seconds.isMultiple(of: 3600), (-12...14).contains(seconds / 3600) else { return nil }
        let hours = seconds / 3600
        return hours == 0 ? "Etc/UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }
}
