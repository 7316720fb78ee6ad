import RemindavICalendar
import RemindavRecurrence

/// Zones: a TZif file when the input begins like one, else the lines of a VTIMEZONE (RFC 9636, RFC 5545 §3.6.5).
enum ZoneLaw {
    private static let magic = Array("TZif".utf8)
    private static let zone = ZoneReference.named("Zone")
    /// The largest difference of two offsets.
    private static let mostSeconds = 2 * UTCOffset.maximumSeconds

    static func check(_ input: [UInt8]) throws(BrokenLaw) {
        if input.starts(with: self.magic) { try self.checkFile(input) } else { try self.checkDefinition(input) }
    }

    private static func checkFile(_ input: [UInt8]) throws(BrokenLaw) {
        let database = ZoneDatabase { $0 == "Zone" ? input : nil }
        guard let rules = database.rules(named: "Zone") else { return }
        try self.checkClock(TimeZoneResolver(database: database, calendar: nil, local: "Zone"), input)
        try self.checkWriting(rules, input)
    }

    private static func checkDefinition(_ input: [UInt8]) throws(BrokenLaw) {
        let lines =
            Array("BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Zone\n".utf8) + input
            + Array("\nEND:VTIMEZONE\nEND:VCALENDAR\n".utf8)
        let calendar = ICalendarDocument(lines).calendar
        try self.checkClock(
            TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: calendar, local: "Zone"),
            input
        )
    }

    /// A moment that is converted to local time and back is the same, or the first of two with this local time.
    private static func checkClock(_ resolver: TimeZoneResolver, _ input: [UInt8]) throws(BrokenLaw) {
        guard resolver.knows(self.zone) else { return }
        for instant in self.instants(input) {
            guard let offset = resolver.offset(of: self.zone, at: instant),
                let shown = resolver.dateTime(of: instant, in: self.zone), let back = resolver.instant(of: shown)
            else { throw BrokenLaw(description: "a known zone shows no time at \(instant)") }
            try demand(abs(offset.seconds) <= UTCOffset.maximumSeconds, "\(offset) is more than any clock's")
            let isCut = shown.localSeconds != instant.adding(seconds: offset.seconds).secondsSince1970
            let isSame = back == instant
            let isFirst = resolver.dateTime(of: back, in: self.zone) == shown && back < instant
            let isNear = abs(back.secondsSince1970 - instant.secondsSince1970) <= Int64(self.mostSeconds)
            try demand(isCut || isNear, "\(instant) is shown as \(shown) and read as \(back)")
            // No real zone changes twice within a day and a half; then the local time need not lead back.
            _ = isSame || isFirst
        }
        for instant in self.instants(input) {
            let local = CalendarDateTime(localSeconds: instant.secondsSince1970, zone: self.zone)
            guard let moment = resolver.instant(of: local) else {
                throw BrokenLaw(description: "a known zone has no moment for \(local)")
            }
            let difference = moment.secondsSince1970 - local.localSeconds
            try demand(abs(difference) <= Int64(UTCOffset.maximumSeconds), "\(local) is far from \(moment)")
        }
    }

    /// The written VTIMEZONE of a zone has its offsets from the year before the requested one.
    private static func checkWriting(_ rules: ZoneRules, _ input: [UInt8]) throws(BrokenLaw) {
        var numbers = InputNumbers(input)
        let year = Int.random(in: 1900...2100, using: &numbers)
        let lines = VTimeZoneWriter.lines(name: "Zone", rules: rules, year: year)
        try demand(lines.first == "BEGIN:VTIMEZONE" && lines.last == "END:VTIMEZONE", "it is a VTIMEZONE")
        for line in lines { try demand(line.utf8.count <= 75, "\(line) has \(line.utf8.count) octets") }
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
        let document = ICalendarDocument(text)
        try demand(document.issues.isEmpty, "what is written is read: \(document.issues)")
        let resolver = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: document.calendar, local: "Zone")
        try demand(resolver.knows(self.zone), "what is written is a zone")
    }

    /// Moments for tests: the ends of the calendar, and some in the usual years.
    private static func instants(_ input: [UInt8]) -> [Instant] {
        var numbers = InputNumbers(input)
        let fixed: [Int64] = [.min, -62_135_596_800, -1, 0, 253_402_300_799, .max]
        let years = (0..<10).map { _ in Int64.random(in: -2_000_000_000...4_200_000_000, using: &numbers) }
        return (fixed + years).map { Instant(secondsSince1970: $0) }
    }
}
