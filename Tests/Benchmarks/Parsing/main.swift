// How fast iCalendar is read, as ratios against a floor that is measured in the same run.
//
//   swift run -c release ParsingBenchmark FILE.ics
//
// Each figure is the best of seven rounds over the whole file in memory.

import ICalendar
import TestSupport

guard CommandLine.arguments.count == 2 else {
    print("usage: ParsingBenchmark FILE.ics")
    throw UsageError()
}
let bytes = try Fixture.file(CommandLine.arguments[1])
let megabytes = Double(bytes.count) / 1e6
let rounds = 7

/// The shortest of the rounds, in seconds, and what the last one found.
func best(_ body: () -> Int) -> (seconds: Double, found: Int) {
    var shortest = Double.infinity
    var found = 0
    for _ in 0..<rounds {
        let duration = ContinuousClock().measure { found = body() }
        let parts = duration.components
        shortest = min(shortest, Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }
    return (shortest, found)
}

/// The least that any reader must do: look at each byte once.
func lineEnds(_ bytes: [UInt8]) -> Int {
    let span = bytes.span
    var count = 0
    for position in span.indices where span[position] == 0x0A { count += 1 }
    return count
}

let floor = best { lineEnds(bytes) }
let index = best { ICalendarDocument(bytes).all(.vtodo).count }
let split = best {
    var splitter = ComponentSplitter()
    var count = 0
    for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
        count += splitter.push(Array(bytes[start..<min(start + 1 << 18, bytes.count)])).count
    }
    return count + splitter.finish().count
}
let fields = best {
    ICalendarDocument(bytes).all(.vtodo).reduce(into: 0) { count, todo in
        count += todo.first(.summary)?.text.utf8.count ?? 0
        count += todo.first(.description)?.text.utf8.count ?? 0
        count += todo.first(.due)?.moment == nil ? 0 : 1
        count += todo.first(.status)?.value.utf8.count ?? 0
        count += todo.first(.uid)?.value.utf8.count ?? 0
        count += todo.all(.categories).flatMap(\.textList).count
    }
}

func show(_ what: String, _ result: (seconds: Double, found: Int)) {
    let rate = Int((megabytes / result.seconds).rounded())
    let ratio = (result.seconds / floor.seconds * 10).rounded() / 10
    print("\(what): \(rate) MB/s, \(ratio) x the floor, found \(result.found)")
}
show("floor: count line ends", floor)
show("index of lines and components", index)
show("components of a stream", split)
show("index, and six fields of every to-do", fields)

struct UsageError: Error {}
