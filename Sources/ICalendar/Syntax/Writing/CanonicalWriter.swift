/// Writes the lines of a document in canonical order: see ``ICalendarDocument/reformatted()``.
struct CanonicalWriter {
    private let storage: DocumentStorage
    private let lines: [LineRecord]
    private let components: [ComponentRecord]
    private let ranks = CanonicalOrder.ranks
    private var output: CanonicalOutput
    private var groups: [Group] = []

    private struct Group {
        let rank: UInt16
        /// For a name without a rank, its first eight bytes as a number; most names already differ in these bytes.
        let key: UInt64
        let first: UInt32
        var end: UInt32
    }

    private struct Scan {
        var firstPart: Int
        var isOrdered = true
        var isSound = true
    }

    init(_ storage: DocumentStorage) {
        self.storage = storage
        self.lines = storage.lines
        self.components = storage.components
        self.output = CanonicalOutput(storage)
    }

    mutating func writeAll<Failure: Error>(_ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        let end = self.lines.count - 1
        try self.writeParts(0..<end, firstComponent: 0, write)
        if let piece = self.output.flush(atLeast: 1) { try write(piece) }
    }

    private mutating func writeParts<Failure: Error>(
        _ lines: Range<Int>,
        firstComponent: Int,
        _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var component = firstComponent
        var line = lines.lowerBound
        while line < lines.upperBound {
            if self.lines[line].kind == .begin {
                try self.write(component, write)
                line = self.components[component].lineAfter
                component = Int(self.components[component].next)
            } else {
                self.output.add(line)
                line += 1
            }
        }
    }

    private mutating func write<Failure: Error>(
        _ component: Int,
        _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if let piece = self.output.flush(atLeast: CanonicalOutput.pieceBytes) { try write(piece) }
        let storage = self.storage
        let record = self.components[component]
        let survey = self.survey(component)
        guard survey.isSound else {
            self.output.add(Int(record.begin))
            return try self.writeParts(
                Int(record.begin) + 1..<record.lineAfter,
                firstComponent: component + 1,
                write
            )
        }
        self.output.add(Int(record.begin)..<survey.firstPart)
        self.writeProperties(isOrdered: survey.isOrdered)
        let hasZones = record.name == Name.vcalendar.number
        if hasZones { try self.writeComponents(in: component, write) { storage.isSoundZone($0) } }
        try self.writeComponents(in: component, write) { !(hasZones && storage.isSoundZone($0)) }
        if record.isEnded { self.output.add(Int(record.end)) }
    }

    private mutating func writeProperties(isOrdered: Bool) {
        if !isOrdered {
            let storage = self.storage
            self.groups.sort { Self.precedes($0, $1, storage) }
        }
        for group in self.groups { self.output.add(Int(group.first)..<Int(group.end)) }
    }

    private mutating func writeComponents<Failure: Error>(
        in parent: Int,
        _ write: ([UInt8]) throws(Failure) -> Void,
        where isMeant: (Int) -> Bool
    ) throws(Failure) {
        let end = Int(self.components[parent].end)
        var inner = parent + 1
        while inner < Int(self.components[parent].next) {
            let record = self.components[inner]
            if isMeant(inner) {
                try self.write(inner, write)
                var line = record.lineAfter
                while line < end, !self.lines[line].isPart {
                    self.output.add(line)
                    line += 1
                }
            }
            inner = Int(record.next)
        }
    }

    private mutating func survey(_ component: Int) -> Scan {
        let record = self.components[component]
        let end = Int(record.end)
        var survey = Scan(firstPart: end)
        var inner = component + 1
        var line = Int(record.begin) + 1
        self.groups.removeAll(keepingCapacity: true)
        while line < end {
            let part = self.lines[line]
            guard part.isPart else {
                // The line may continue a text, or be a damaged BEGIN or END, so the order must not change.
                if part.kind == .bad { survey.isSound = false }
                line += 1
                continue
            }
            if survey.firstPart == end { survey.firstPart = line }
            if part.kind == .begin {
                self.endGroup(line)
                // A component without an END extends to the next component, so the order of components must not change.
                if !self.components[inner].isEnded { survey.isSound = false }
                line = self.components[inner].lineAfter
                inner = Int(self.components[inner].next)
            } else {
                self.endGroup(line)
                if part.name == NameTable.unknown, !self.storage.isExtension(line) { survey.isSound = false }
                self.add(line, rank: self.ranks[Int(part.name)], &survey)
                line += 1
            }
        }
        self.endGroup(end)
        return survey
    }

    private mutating func add(_ line: Int, rank: UInt16, _ survey: inout Scan) {
        let key = rank == CanonicalOrder.unlisted ? self.storage.nameKey(line) : 0
        let group = Group(rank: rank, key: key, first: UInt32(truncatingIfNeeded: line), end: 0)
        if let last = self.groups.last, survey.isOrdered, Self.precedes(group, last, self.storage) {
            survey.isOrdered = false
        }
        self.groups.append(group)
    }

    private mutating func endGroup(_ line: Int) {
        let last = self.groups.count - 1
        if last >= 0, self.groups[last].end == 0 { self.groups[last].end = UInt32(truncatingIfNeeded: line) }
    }

    private static func precedes(_ one: Group, _ other: Group, _ storage: DocumentStorage) -> Bool {
        guard one.rank == other.rank else { return one.rank < other.rank }
        guard one.key == other.key else { return one.key < other.key }
        if one.rank == CanonicalOrder.unlisted {
            let name = storage.name(bytesOf: Int(one.first))
            let otherName = storage.name(bytesOf: Int(other.first))
            if name.lexicographicallyPrecedes(otherName, by: Self.isLess) { return true }
            if otherName.lexicographicallyPrecedes(name, by: Self.isLess) { return false }
        }
        return one.first < other.first
    }

    private static func isLess(_ one: UInt8, _ other: UInt8) -> Bool { one.capital < other.capital }
}

extension LineRecord {
    fileprivate var isPart: Bool { self.kind == .property || self.kind == .begin }
}

extension ComponentRecord {
    fileprivate var lineAfter: Int { self.isEnded ? Int(self.end) + 1 : Int(max(self.end, self.begin + 1)) }
}

extension DocumentStorage {
    /// Whether a component is a VTIMEZONE with an END; without an END, a move would include the lines after it.
    fileprivate func isSoundZone(_ component: Int) -> Bool {
        self.components[component].name == Name.vtimezone.number && self.components[component].isEnded
    }

    /// Whether the name begins with `X-`; a line with another unknown name may continue a text.
    fileprivate func isExtension(_ line: Int) -> Bool {
        let content = self.content(line).prefix(2)
        return content.first?.capital == UInt8(ascii: "X") && content.last == UInt8(ascii: "-")
    }

    /// The first eight bytes of a name in capitals, as a number that sorts like the name; zeros follow a shorter name.
    fileprivate func nameKey(_ line: Int) -> UInt64 {
        let word = self.content(line).span.word(at: 0)
        let marks = word.colonsAndSemicolons
        return (marks == 0 ? word : word.prefix(marks.trailingZeroBitCount &>> 3)).capitals.byteSwapped
    }

    fileprivate func name(bytesOf line: Int) -> ArraySlice<UInt8> {
        self.content(line).prefix(while: \.isNameCharacter)
    }
}

/// The order of the properties in every component; properties without a position follow, sorted by name.
enum CanonicalOrder {
    /// The position of each name in ``properties``, by ``Name/number``; all other names have the position ``unlisted``.
    static let ranks = Name.table(
        properties.enumerated().lazy.map { (Name(known: $1), UInt16($0)) },
        default: unlisted
    )

    static let unlisted = UInt16.max

    // swift-format-ignore
    static let properties = [
        "VERSION", "PRODID", "CALSCALE", "METHOD", "UID", "RECURRENCE-ID", "TZID", "TZID-ALIAS-OF",
        "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "CLASS", "ACTION", "TRIGGER", "REPEAT",
        "NAME", "SUMMARY", "DESCRIPTION", "STYLED-DESCRIPTION", "LOCATION", "LOCATION-TYPE", "GEO", "TZURL", "TZUNTIL",
        "DTSTART", "DTEND", "DUE", "DURATION", "COMPLETED", "ACKNOWLEDGED", "PROXIMITY",
        "TZOFFSETFROM", "TZOFFSETTO", "TZNAME",
        "RRULE", "EXRULE", "RDATE", "EXDATE",
        "STATUS", "PERCENT-COMPLETE", "PRIORITY", "TRANSP", "BUSYTYPE", "FREEBUSY",
        "CATEGORIES", "CONCEPT", "REFID", "RESOURCES", "RESOURCE-TYPE", "PARTICIPANT-TYPE", "CALENDAR-ADDRESS",
        "ORGANIZER", "ATTENDEE", "CONTACT", "RELATED-TO", "LINK", "URL", "SOURCE", "REFRESH-INTERVAL",
        "CONFERENCE", "ATTACH", "IMAGE", "COLOR", "STRUCTURED-DATA", "COMMENT", "REQUEST-STATUS", "XML",
    ]
}

extension ICalendarDocument {
    /// The stream in its canonical form.
    ///
    /// - Lines end with CRLF and are folded at 75 octets. There is no byte order mark and no blank line.
    /// - The properties of a component come first, in one fixed order (docs/manual.md), then other properties by name.
    ///   Several properties of one name keep their order.
    /// - The inner components follow. In a VCALENDAR, the VTIMEZONEs come first; other components keep their order.
    /// - The lines of a component keep their order if one of them is unreadable or has an unknown name without `X-`.
    ///   Such a line may continue a text, or be a damaged BEGIN or END.
    ///
    /// Names, parameters and values stay as they are written, and a second formatting changes nothing. A stream that
    /// begins with CR alone as a line end and later has LF stays unchanged, because its line ends are ambiguous.
    public func reformatted() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(self.bytes.count + self.bytes.count / 16)
        self.reformat { result += $0 }
        return result
    }

    package func reformat<Failure: Error>(_ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard self.storage.lineFeed == 0x0A || !self.bytes.contains(0x0A) else { return try write(self.bytes) }
        var writer = CanonicalWriter(self.storage)
        try writer.writeAll(write)
    }
}
