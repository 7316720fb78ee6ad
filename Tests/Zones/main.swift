// Compares forty zones and all their clock changes from 1970 to 2100 with ICU (Foundation), and prints a table for compare.py.
//
// Our results come from TimeZoneResolver with the tzdata of this machine. For each clock change in our data or in ICU's, and
// for the seconds around it, both directions are compared: UTC to local, and local to UTC with skipped and repeated times as
// in RFC 5545 section 3.3.5. ICU's Calendar treats these differently, so the expected UTC is computed from ICU's offsets by
// the rules of the RFC.
//
// Standard output: "zone U utc offset" and "zone L local utc", for the comparison with Python's zoneinfo.
// Standard error: each difference from ICU. The exit status is 1 if one is not in the table of known differences.
//
// With "write NAME...": the VTIMEZONE of each of these zones, from 1970 without an end, for written.py.

import Foundation
import RemindavICalendar
import RemindavRecurrence

/// The known differences of Foundation's tzdata, with reasons.
///
/// Each row must occur, or it is outdated.
struct KnownDifference {
    let zone: String
    let years: ClosedRange<Int>
    let reason: String
}

let knownDifferences: [KnownDifference] = []

let zoneNames = [
    "Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun", "Africa/Johannesburg", "Africa/Juba", "Africa/Monrovia",
    "Africa/Sao_Tome", "Africa/Windhoek", "America/Argentina/San_Luis", "America/Asuncion", "America/Caracas",
    "America/Havana", "America/Mexico_City", "America/Miquelon", "America/New_York", "America/Nuuk",
    "America/Scoresbysund", "America/St_Johns", "America/Whitehorse", "Antarctica/Casey", "Antarctica/Macquarie",
    "Antarctica/Troll", "Asia/Almaty", "Asia/Amman", "Asia/Gaza", "Asia/Jerusalem", "Asia/Kathmandu", "Asia/Pyongyang",
    "Asia/Tehran", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Chisinau", "Europe/Dublin", "Europe/Istanbul",
    "Europe/Lisbon", "Europe/Volgograd", "Pacific/Apia", "Pacific/Chatham", "Pacific/Easter", "Pacific/Kwajalein",
]

let folder = ProcessInfo.processInfo.environment["TZDIR"] ?? "/usr/share/zoneinfo"
let database = ZoneDatabase { name in
    FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init)
}
let resolver = TimeZoneResolver(database: database, calendar: nil, local: "UTC")
/// 1970-01-01 and 2101-01-01.
let span = 0..<4_133_980_800

/// The offset that ICU has.
struct Peer {
    let zone: TimeZone
    func offset(_ utc: Int) -> Int {
        self.zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(utc)))
    }

    /// Every second at which the offset is another than a second before, found day by day.
    func changes() -> [Int] {
        var found: [Int] = []
        var last = self.offset(span.lowerBound)
        for day in stride(from: span.lowerBound, to: span.upperBound, by: 86_400) {
            let next = self.offset(day + 86_400)
            guard next != last else { continue }
            var (low, high) = (day, day + 86_400)
            while high - low > 1 {
                let middle = (low + high) / 2
                if self.offset(middle) == last { low = middle } else { high = middle }
            }
            found.append(high)
            last = next
        }
        return found
    }

    /// The UTC of a local time: the first of two; in a gap by the offset before it (RFC 5545 section 3.3.5).
    func utc(_ local: Int, near change: Int?) -> Int {
        let before = self.offset(local - 86_400 * 2)
        let after = self.offset(local + 86_400 * 2)
        let offsets = Set([
            before, after, change.map { self.offset($0 - 1) } ?? before, change.map(self.offset) ?? after,
        ])
        let shown = offsets.map { local - $0 }.filter { $0 + self.offset($0) == local }
        return shown.min() ?? local - (change.map { self.offset($0 - 1) } ?? before)
    }
}

/// The comparison with ICU, zone by zone.
struct Comparison {
    var known = 0
    var compared = 0
    var differences = 0
    var met = Set<Int>()
    var output = ""

    private mutating func report(_ zone: String, _ utc: Int, _ what: String) {
        let year = CalendarDate(dayNumber: utc / 86_400).year
        let places = knownDifferences.indices.filter {
            knownDifferences[$0].zone == zone && knownDifferences[$0].years.contains(year)
        }
        self.met.formUnion(places)
        guard places.isEmpty else { return }
        self.differences += 1
        if self.differences <= 200 { complain("\(zone) \(Instant(secondsSince1970: Int64(utc))) \(what)") }
    }

    private mutating func compareUTC(_ zone: String, _ utc: Int, with peer: Peer) {
        let instant = Instant(secondsSince1970: Int64(utc))
        let ours = resolver.offset(of: .named(zone), at: instant)?.seconds ?? .min
        let theirs = peer.offset(utc)
        self.output += "\(zone) U \(utc) \(ours)\n"
        self.compared += 1
        if ours != theirs { self.report(zone, utc, "is \(ours) east of UTC, ICU has \(theirs)") }
        let back = resolver.dateTime(of: instant, in: .named(zone))
        if back?.localSeconds != Int64(utc + ours) { self.report(zone, utc, "has not the local time of its offset") }
    }

    private mutating func compareLocal(_ zone: String, _ local: Int, near change: Int?, with peer: Peer) {
        let dateTime = CalendarDateTime(localSeconds: Int64(local), zone: .named(zone))
        let ours = resolver.instant(of: dateTime).map { Int($0.secondsSince1970) } ?? .min
        let theirs = peer.utc(local, near: change)
        self.output += "\(zone) L \(local) \(ours)\n"
        self.compared += 1
        if ours != theirs { self.report(zone, ours, "is the local \(dateTime), ICU has \(theirs)") }
    }

    mutating func compare(_ name: String) {
        guard let zone = TimeZone(identifier: name), let rules = resolver.rules(of: .named(name)) else {
            self.report(name, 0, "is not known")
            return
        }
        let peer = Peer(zone: zone)
        let bounds = [span.lowerBound, span.upperBound].map { Instant(secondsSince1970: Int64($0)) }
        let own = rules.changes(from: bounds[0], to: bounds[1]).map { Int($0.secondsSince1970) }
        self.known += own.count
        for change in Set(own + peer.changes()).sorted() {
            for second in [-86_400, -3601, -1, 0, 1, 3600, 86_400] {
                self.compareUTC(name, change + second, with: peer)
            }
            // Both edges of the gap or of the overlap, and the middle.
            let edges = [change - 1, change].map { second in
                change + rules.offset(at: Instant(secondsSince1970: Int64(second))).seconds
            }.sorted()
            for local in [
                edges[0] - 86_400, edges[0] - 1, edges[0], edges[0] + 1, (edges[0] + edges[1]) / 2, edges[1] - 1,
                edges[1], edges[1] + 1, edges[1] + 86_400,
            ] {
                self.compareLocal(name, local, near: change, with: peer)
            }
        }
        // Between the changes, also where there are none: the first day of each quarter.
        for quarter in 0..<(131 * 4) {
            let date = CalendarDate(year: 1970 + quarter / 4, month: 1 + quarter % 4 * 3, day: 1)
            let noon = (date?.dayNumber ?? 0) * 86_400 + 43_200
            self.compareUTC(name, noon, with: peer)
            self.compareLocal(name, noon, near: nil, with: peer)
        }
    }
}

func complain(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}

if CommandLine.arguments.dropFirst().first == "write" {
    for name in CommandLine.arguments.dropFirst(2) {
        guard let rules = database.rules(named: name) else { continue }
        let start = Instant(secondsSince1970: Int64(span.lowerBound))
        let lines = VTimeZoneWriter.lines(name: name, rules: rules, from: start, to: nil)
        print(lines.joined(separator: "\r\n"), terminator: "\r\n")
    }
    exit(0)
}

var comparison = Comparison()
for name in zoneNames { comparison.compare(name) }
print(comparison.output, terminator: "")
for index in knownDifferences.indices where !comparison.met.contains(index) {
    complain("stale: \(knownDifferences[index])")
    comparison.differences += 1
}
complain(
    """
    \(zoneNames.count) zones, \(comparison.known) clock changes, \(comparison.compared) comparisons with ICU, \
    \(comparison.differences) differences; \(comparison.met.count) explained
    """
)
exit(comparison.differences == 0 ? 0 : 1)
