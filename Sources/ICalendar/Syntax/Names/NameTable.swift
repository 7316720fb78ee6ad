/// The well-known names with their numbers; the parser stores a number instead of a name for each line.
///
/// A number is valid only within one process. All tables of names, such as the property definitions, use it as index.
struct NameTable: Sendable {
    static let unknown: UInt16 = 0
    static let begin: UInt16 = 1
    static let end: UInt16 = 2
    static let standard = NameTable(Self.spellings)
    let names: [Name]
    /// The bytes of the names in capitals: four 64-bit numbers for each name, padded with zeros.
    private let words: [UInt64]
    private let lengths: [Int]
    /// A hash table of the numbers; on a collision, a number goes to the next free slot.
    private let slots: [UInt16]
    /// The largest length of a name in bytes; the names in ``spellings`` have at most four words of eight bytes.
    static let maximumLength = 32
    private static let wordsPerName = Self.maximumLength / 8
    private static let slotBits = 10

    init(_ spellings: [String]) {
        var names = [Name(number: Self.unknown, wire: "")]
        var words = [UInt64](repeating: 0, count: Self.wordsPerName)
        var slots = [UInt16](repeating: Self.unknown, count: 1 << Self.slotBits)
        for spelling in spellings {
            let key = NameTableWords(spelling)
            var slot = key.slot(Self.slotBits)
            while slots[slot] != Self.unknown { slot = (slot + 1) % slots.count }
            slots[slot] = UInt16(names.count)
            names.append(Name(number: UInt16(names.count), wire: spelling))
            words += [key.first, key.second, key.third, key.fourth]
        }
        self.names = names
        self.words = words
        self.lengths = names.map(\.wire.utf8.count)
        self.slots = slots
    }

    @inline(__always)
    func number(_ key: NameTableWords) -> UInt16 {
        var slot = key.slot(Self.slotBits)
        while true {
            let number = self.slots[slot]
            if number == Self.unknown { return number }
            // The padding is zeros, so a name that ends with NUL has the same 64-bit numbers as the name without NUL.
            if self.isEqual(Int(number) * Self.wordsPerName, key), self.lengths[Int(number)] == key.length {
                return number
            }
            slot = (slot + 1) & (1 << Self.slotBits - 1)
        }
    }

    /// The name in that range, or `nil` when it is not valid; a well-known name is returned in its usual spelling.
    func name(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Name? {
        let number = self.number(NameTableWords(bytes, range.lowerBound, range.count))
        if number != Self.unknown { return self.names[Int(number)] }
        var letters: [UInt8] = []
        for place in range { letters.append(bytes[place]) }
        return Name(String(decoding: letters, as: UTF8.self))
    }

    @inline(__always)
    private func isEqual(_ place: Int, _ key: NameTableWords) -> Bool {
        self.words[place] == key.first && self.words[place + 1] == key.second
            && self.words[place + 2] == key.third && self.words[place + 3] == key.fourth
    }
}

/// A name of at most 32 bytes as four 64-bit numbers, padded with zeros; all numbers are 0 for a longer name.
struct NameTableWords: Hashable, Sendable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
    var length = 0

    @inline(__always)
    init() {}

    init(_ name: String) {
        let bytes = Array(name.utf8)
        self.init(bytes.span, 0, bytes.count)
    }

    init(_ bytes: Span<UInt8>, _ start: Int, _ length: Int) {
        guard length <= NameTable.maximumLength else { return }
        self.length = length
        self.first = bytes.word(at: start).prefix(length).capitals
        self.second = length > 8 ? bytes.word(at: start + 8).prefix(length - 8).capitals : 0
        self.third = length > 16 ? bytes.word(at: start + 16).prefix(length - 16).capitals : 0
        self.fourth = length > 24 ? bytes.word(at: start + 24).prefix(length - 24).capitals : 0
    }

    @inline(__always)
    var capitals: NameTableWords {
        var result = NameTableWords()
        result.length = self.length
        result.first = self.first.capitals
        result.second = self.second.capitals
        result.third = self.third.capitals
        result.fourth = self.fourth.capitals
        return result
    }

    @inline(__always)
    func slot(_ bits: Int) -> Int {
        let mixed = (self.first &+ self.second &* 31 &+ self.third &* 961) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> UInt64(64 - bits))
    }
}

extension NameTable {
    /// BEGIN, END, the names that IANA has registered, and other names that widely used programs write.
    // swift-format-ignore
    private static let spellings = [
        "BEGIN", "END",
        // Components: RFC 5545 §3.6, RFC 7953, RFC 9073.
        "VCALENDAR", "VTODO", "VEVENT", "VJOURNAL", "VFREEBUSY", "VALARM", "VTIMEZONE", "STANDARD", "DAYLIGHT",
        "VAVAILABILITY", "AVAILABLE", "PARTICIPANT", "VLOCATION", "VRESOURCE",
        // Properties: RFC 5545 §3.7, §3.8.
        "CALSCALE", "METHOD", "PRODID", "VERSION", "ATTACH", "CATEGORIES", "CLASS", "COMMENT", "DESCRIPTION", "GEO",
        "LOCATION", "PERCENT-COMPLETE", "PRIORITY", "RESOURCES", "STATUS", "SUMMARY", "COMPLETED", "DTEND", "DUE",
        "DTSTART", "DURATION", "FREEBUSY", "TRANSP", "TZID", "TZNAME", "TZOFFSETFROM", "TZOFFSETTO", "TZURL",
        "ATTENDEE", "CONTACT", "ORGANIZER", "RECURRENCE-ID", "RELATED-TO", "URL", "UID", "EXDATE", "EXRULE", "RDATE",
        "RRULE", "ACTION", "REPEAT", "TRIGGER", "CREATED", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "REQUEST-STATUS",
        // Properties: RFC 6321, RFC 7808, RFC 7953, RFC 7986, RFC 9073, RFC 9074, RFC 9253.
        "XML", "TZUNTIL", "TZID-ALIAS-OF", "BUSYTYPE", "NAME", "REFRESH-INTERVAL", "SOURCE", "COLOR", "IMAGE",
        "CONFERENCE", "LOCATION-TYPE", "PARTICIPANT-TYPE", "RESOURCE-TYPE", "CALENDAR-ADDRESS", "STYLED-DESCRIPTION",
        "STRUCTURED-DATA", "ACKNOWLEDGED", "PROXIMITY", "CONCEPT", "LINK", "REFID",
        // Parameters: RFC 5545 §3.2, RFC 6638, RFC 7986, RFC 8607, RFC 9073, RFC 9253.
        "ALTREP", "CN", "CUTYPE", "DELEGATED-FROM", "DELEGATED-TO", "DIR", "ENCODING", "FMTTYPE", "FBTYPE", "LANGUAGE",
        "MEMBER", "PARTSTAT", "RANGE", "RELATED", "RELTYPE", "ROLE", "RSVP", "SENT-BY", "VALUE", "SCHEDULE-AGENT",
        "SCHEDULE-FORCE-SEND", "SCHEDULE-STATUS", "DISPLAY", "EMAIL", "FEATURE", "LABEL", "FILENAME", "MANAGED-ID",
        "SIZE", "DERIVED", "ORDER", "SCHEMA", "GAP", "LINKREL",
        // vCalendar 1.0.
        "AALARM", "DALARM", "MALARM", "PALARM", "RNUM", "TZ", "CHARSET",
        // Extensions of programs.
        "X-ALT-DESC", "X-APPLE-DEFAULT-ALARM", "X-APPLE-SORT-ORDER", "X-APPLE-STRUCTURED-LOCATION",
        "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR", "X-EVOLUTION-CALDAV-ETAG", "X-LIC-ERROR", "X-LIC-LOCATION", "X-MOZ-GENERATION",
        "X-MOZ-LASTACK", "X-MOZ-SNOOZE-TIME", "X-OC-HIDESUBTASKS", "X-PINNED", "X-PUBLISHED-TTL", "X-RADICALE-NAME",
        "X-TASKS-ORG-ORDER", "X-WR-ALARMUID", "X-WR-CALDESC", "X-WR-CALNAME", "X-WR-TIMEZONE",
    ]
}
