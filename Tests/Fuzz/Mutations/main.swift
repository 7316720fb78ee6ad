// Changes every byte of every fixture: flipped, removed, doubled, and the file truncated there. Each law must hold for
// each.
//
//   Mutations                    all changes, and the growth of time with size
//   Mutations --changes N        every Nth change, without the growth
//   Mutations --growth           only the growth of time with size
//   Mutations --bound LAW FILE...   the law for each input, in 100 ms for each 64 KiB
//
// Use a release build, because there are a quarter of a million inputs. A trap ends the program, and the test fails.

import Glibc
import RemindavICalendar
import RemindavLaws
import RemindavRecurrence
import RemindavTestSupport
import Synchronization

/// A change of one byte.
enum Change: CaseIterable {
    case flipped, cutOut, doubled, cutOff

    /// Returns `original` with the change at `place`.
    func applied(to original: [UInt8], at place: Int) -> [UInt8] {
        var bytes = original
        switch self {
        // Each place flips another bit, so that letters become other letters, signs and control characters.
        case .flipped: bytes[place] ^= 1 << UInt8(place % 8)
        case .cutOut: bytes.remove(at: place)
        case .doubled: bytes.insert(bytes[place], at: place)
        case .cutOff: bytes.removeSubrange(place...)
        }
        return bytes
    }
}

/// A file, and the laws for all of its mutations.
struct Original {
    let path: String
    let bytes: [UInt8]
    let laws: [Law]
}

func originals() throws -> [Original] {
    func law(_ name: String) -> [Law] { Law.all.filter { $0.name == name } }
    let streams = law("components") + law("round-trip") + law("reading")
    var found: [Original] = []
    for name in try Fixture.names(in: "ics", endingWith: ".ics") + Fixture.names(in: "ics", endingWith: ".txt") {
        found.append(Original(path: "ics/\(name)", bytes: try Fixture.bytes("ics/\(name)"), laws: streams))
    }
    for area in try Fixture.names(in: "tz", endingWith: "") where !area.contains(".") {
        for name in try Fixture.names(in: "tz/\(area)", endingWith: "") where !name.contains(".") {
            let path = "tz/\(area)/\(name)"
            found.append(Original(path: path, bytes: try Fixture.bytes(path), laws: law("zones")))
        }
    }
    for name in try Fixture.names(in: "rrule", endingWith: ".txt") {
        for line in try Fixture.text("rrule/\(name)").split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count > 1 else { continue }
            let lines = "DTSTART;TZID=America/New_York:\(words[0])\nRRULE:\(words[1])"
            found.append(Original(path: "rrule/\(name)", bytes: Array(lines.utf8), laws: law("rules")))
        }
    }
    return found
}

/// Tests the changes of every file on two threads.
///
/// They take parts of files, because one file has most of the work.
func mutate(every step: Int) throws -> Int {
    let files = try originals()
    let parts = files.flatMap { file in
        stride(from: 0, to: file.bytes.count, by: 256).map { (file, $0..<min($0 + 256, file.bytes.count)) }
    }
    let count = Atomic(0)
    let broken = Atomic(0)
    let next = Atomic(0)
    func work() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < parts.count else { return }
            let (file, places) = parts[index]
            for place in places {
                for (kind, change) in Change.allCases.enumerated() where (place * 4 + kind).isMultiple(of: step) {
                    count.add(1, ordering: .relaxed)
                    let bytes = change.applied(to: file.bytes, at: place)
                    for law in file.laws {
                        do {
                            try law.check(bytes)
                        } catch {
                            guard broken.add(1, ordering: .relaxed).newValue <= 20 else { continue }
                            print("\(file.path), byte \(place) \(change): \(law.name): \(error)")
                        }
                    }
                }
            }
        }
    }
    let seconds = ContinuousClock().measure { inThreads(2, work) }.components.seconds
    let total = count.load(ordering: .relaxed)
    let bad = broken.load(ordering: .relaxed)
    print("\(total) mutations of \(files.count) files in \(seconds) s, \(bad) broken laws")
    return bad
}

func inThreads(_ count: Int, _ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
        nonisolated(unsafe) let body = body
        var threads: [pthread_t] = []
        for _ in 0..<count {
            let box = Unmanaged.passRetained(Work(body))
            var thread = pthread_t()
            pthread_create(
                &thread,
                nil,
                { pointer in
                    guard let pointer else { return nil }
                    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                    return nil
                },
                box.toOpaque()
            )
            threads.append(thread)
        }
        for thread in threads { pthread_join(thread, nil) }
    }
}

final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

/// Returns the processor time of this thread in seconds, the shortest of three runs.
func seconds(_ body: () -> Void) -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
        let start = threadSeconds()
        body()
        least = min(least, threadSeconds() - start)
    }
    return least
}

func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The repeated parts of an input of any size, with its beginning.
let shapes: [(name: String, head: String, part: String)] = [
    ("one long line", "SUMMARY:", "x"),
    ("folds of one letter", "SUMMARY:x", "\r\n y"),
    ("folds of nothing", "SUMMARY:x", "\r\n "),
    ("parameters", "X-A", ";A=b"),
    ("values of one parameter", "X-A;A=b", ",b"),
    ("quoted values", "X-A;A=\"b\"", ",\"b,^n\""),
    ("an unclosed quote", "X-A;A=\"b", "c"),
    ("list values", "CATEGORIES:a", ",b"),
    ("backslashes", "SUMMARY:", "\\"),
    ("properties", "", "X-A:b\r\n"),
    ("properties of one name", "", "SUMMARY:b\r\n"),
    ("lines without a colon", "", "b\r\n"),
    ("blank lines", "", "\r\n"),
    ("empty components", "", "BEGIN:A\r\nEND:A\r\n"),
    ("to-dos of one UID", "END:VTODO\r\n", "BEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\n"),
    ("BEGINs", "", "BEGIN:A\r\n"),
    ("ENDs", "", "END:A\r\n"),
    ("crossed ends", "", "BEGIN:A\r\nBEGIN:B\r\nEND:A\r\nEND:B\r\n"),
    ("empty events", "END:VTODO\r\n", "BEGIN:VEVENT\r\nEND:VEVENT\r\n"),
    ("empty journals", "END:VTODO\r\n", "BEGIN:VJOURNAL\r\nEND:VJOURNAL\r\n"),
    ("empty calendars", "END:VTODO\r\nEND:VCALENDAR\r\n", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
    ("overrides", "", "END:VTODO\r\nBEGIN:VTODO\r\nUID:1\r\nRECURRENCE-ID:20260102T090000Z\r\n"),
    ("zones of one name", "END:VTODO\r\n", "BEGIN:VTIMEZONE\r\nTZID:A\r\nEND:VTIMEZONE\r\n"),
    ("alarms", "", "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n"),
    ("EXDATEs on one line", "EXDATE:20260101T090000Z", ",20260102T090000Z"),
    ("EXDATE lines", "", "EXDATE:20260101T090000Z\r\n"),
    ("RDATE periods", "RDATE;VALUE=PERIOD:20260101T090000Z/PT1H", ",20260102T090000Z/PT1H"),
    ("rules", "", "RRULE:FREQ=DAILY\r\n"),
    ("parts of a rule", "RRULE:FREQ=DAILY", ";BYMONTH=1"),
    ("items of a rule", "RRULE:FREQ=DAILY;BYMONTH=1", ",1"),
    ("zones", "END:VTODO\r\n", "BEGIN:VTIMEZONE\r\nTZID:A\r\nBEGIN:STANDARD\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"),
    ("zone names", "", "DUE;TZID=Europe/Berlin:20260101T090000\r\n"),
    ("control characters", "SUMMARY:", "\u{1}"),
]

/// Checks that eight times the input takes at most sixteen times as long, for each file and each shape above.
func growth() throws -> Int {
    let begin = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nDTSTART:20260101T090000Z\r\n"
    var inputs = shapes.map { (name: $0.name, head: Array((begin + $0.head).utf8), part: Array($0.part.utf8)) }
    inputs.append(("bytes that are not UTF-8", Array((begin + "SUMMARY:").utf8), [0xFF]))
    for file in try originals() where file.path.hasPrefix("ics/") && !file.bytes.isEmpty {
        inputs.append((file.path, [], file.bytes))
    }
    var bad = 0
    for (name, head, part) in inputs {
        func measured() -> [Double] {
            [65_536, 524_288].map { size in
                var input = head
                while input.count < size { input += part }
                return seconds { read(input) }
            }
        }
        func isGrowing(_ times: [Double]) -> Bool { times[1] > times[0] * 16 && times[1] > 0.02 }
        var times = measured()
        // A second measurement, because other processes may have disturbed the first one.
        if isGrowing(times) { times = zip(times, measured()).map(min) }
        guard isGrowing(times) else { continue }
        bad += 1
        print("\(name): 64 KiB take \(milliseconds(times[0])) ms, 512 KiB \(milliseconds(times[1])) ms")
    }
    print("\(inputs.count) shapes at 64 and 512 KiB, \(bad) grow faster than their size")
    return bad
}

func read(_ input: [UInt8]) {
    let document = ICalendarDocument(input)
    _ = document.checked()
    _ = document.reformatted()
    for component in document.all(.vtodo) {
        for property in component.properties { _ = property.text }
    }
    var splitter = ComponentSplitter()
    _ = splitter.push(input)
    _ = splitter.finish()
}

func milliseconds(_ seconds: Double) -> Double { Double(Int(seconds * 100_000)) / 100 }

/// Checks the law for each input, in 100 ms for each 64 KiB.
func bound(_ name: String, _ paths: [String]) throws -> Int {
    guard let law = Law.all.first(where: { $0.name == name }) else { return 1 }
    var slowest = (seconds: 0.0, path: "")
    var bad = 0
    var count = 0
    for path in paths {
        let bytes = try Fixture.file(path)
        count += 1
        let start = threadSeconds()
        do {
            try law.check(bytes)
        } catch {
            bad += 1
            print("\(path): \(error)")
        }
        let chunks = Double(max((bytes.count + 65535) / 65536, 1))
        var spent = threadSeconds() - start
        // Other processes use the caches too, so the shortest time of an input counts.
        if spent > 0.1 * chunks { spent = min(spent, seconds { try? law.check(bytes) }) }
        let share = spent / chunks
        if share > slowest.seconds { slowest = (share, path) }
        guard share > 0.1 else { continue }
        bad += 1
        print("\(path): \(bytes.count) bytes take \(Int(spent * 1000)) ms")
    }
    print(
        "\(name): \(count) inputs, the slowest \(milliseconds(slowest.seconds)) ms for 64 KiB, \(bad) broken or over 100 ms"
    )
    return bad
}

let arguments = Array(CommandLine.arguments.dropFirst())
let bad: Int
switch arguments.first {
case "--bound" where arguments.count > 2: bad = try bound(arguments[1], Array(arguments[2...]))
case "--growth": bad = try growth()
case "--changes" where arguments.count == 2: bad = try mutate(every: max(Int(arguments[1]) ?? 1, 1))
default: bad = try mutate(every: 1) + growth()
}
exit(bad == 0 ? 0 : 1)
