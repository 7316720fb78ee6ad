// The occurrences of many rules, for comparison with other engines (Tests/Differential/run.py).
//
//   RuleExpander < cases
//
// A line of input is `START [TZID]|RRULE|LIMIT|LAST_YEAR`, a line of output a mark and the occurrences on the start's clock:
// `.` these are all up to the end of LAST_YEAR, `+` there are more than LIMIT, `T` the search was given up, `E` refused.

import RemindavICalendar
import RemindavRecurrence
import RemindavTestSupport

let database = ZoneDatabase { name in try? Fixture.file("/usr/share/zoneinfo/\(name)") }
let resolver = TimeZoneResolver(database: database, calendar: nil, local: "UTC")

/// One case as a line of output.
func expand(_ line: String) -> String {
    let fields = line.split(separator: "|", omittingEmptySubsequences: false)
    let start = fields[0].split(separator: " ")
    guard fields.count == 4, let limit = Int(fields[2]), let lastYear = Int(fields[3]), let first = start.first,
        let moment = CalendarDateOrDateTime(wire: String(first), tzid: start.count > 1 ? String(start[1]) : nil),
        let rule = try? RecurrenceRule(wire: String(fields[1]))
    else { return "E" }
    let set = RecurrenceSet(start: moment, rules: [rule], resolver: resolver)
    var line = ""
    var count = 0
    do {
        var occurrences = try set.occurrences()
        while let occurrence = try occurrences.next() {
            guard occurrence.day.year <= lastYear else { break }
            guard count < limit else { return "+\(line)" }
            let wire = occurrence.wire
            line += " \(wire.hasSuffix("Z") ? String(wire.dropLast()) : wire)"
            count += 1
        }
        return ".\(line)"
    } catch {
        return error == .budgetExceeded ? "T\(line)" : "E\(line)"
    }
}

while let line = readLine() { print(expand(line)) }
