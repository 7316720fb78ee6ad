// Tests a law with libFuzzer and ASan. Tests/Fuzz/run.py builds and calls this program.
//
//   Fuzz LAW [libFuzzer's options and corpora]
//   Fuzz readers        prints the number of readers of values
//
// The target exists only if REMINDAV_FUZZ is set, because libFuzzer must not be part of a normal build.

import Glibc
import RemindavLaws

/// The permitted cost of one input: 100 ms and 64 MB per 64 KiB.
///
/// A shorter input counts as 64 KiB.
///
/// Time is that of the thread and memory is the peak of the law, so neither depends on other processes. Here the time limit
/// is ten times as long, because ASan and the counters make the program about ten times slower. `Mutations --bound` reads
/// the found inputs again with a release build and the limit of 100 ms.
enum Bound {
    static let chunk = 65_536
    static let slowness = 10
    static let nanoseconds = 100_000_000 * slowness
    static let bytes = 64 << 20

    static func chunks(_ size: Int) -> Int { max((size + self.chunk - 1) / self.chunk, 1) }
}

/// The allocated bytes, counted by ASan's hooks.
nonisolated(unsafe) private var allocated = 0
nonisolated(unsafe) private var peak = 0
nonisolated(unsafe) private var isCounting = false
nonisolated(unsafe) private var law: Law?
/// The highest measured cost, for the last line of the output.
nonisolated(unsafe) private var slowest = (nanoseconds: 0, size: 0)
nonisolated(unsafe) private var largest = (bytes: 0, size: 0)
nonisolated(unsafe) private var visits: [(inputs: Int, values: Int)] = []

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ onAllocation: @convention(c) (UnsafeRawPointer?, Int) -> Void,
    _ onFree: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ pointer: UnsafeRawPointer?) -> Int

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Prints a line on standard error, like libFuzzer itself.
private func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(2, bytes, bytes.count)
}

private func fail(_ sentence: String) -> Never {
    say("\nLAW \(law?.name ?? "") BROKEN: \(sentence)")
    abort()
}

/// Tests one input.
///
/// libFuzzer prescribes the name of the function.
@_cdecl("LLVMFuzzerTestOneInput")
public func one(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    let start = threadNanoseconds()
    allocated = 0
    peak = 0
    isCounting = true
    do {
        try law?.check(input)
    } catch {
        isCounting = false
        fail(error.description)
    }
    isCounting = false
    let spent = threadNanoseconds() - start
    if spent > slowest.nanoseconds { slowest = (spent, size) }
    if peak > largest.bytes { largest = (peak, size) }
    if spent > Bound.nanoseconds * Bound.chunks(size) { fail("\(size) bytes took \(spent / 1_000_000) ms") }
    if peak > Bound.bytes * Bound.chunks(size) { fail("\(size) bytes took \(peak >> 20) MB") }
    if law?.name == "values", let visit = try? ValueLaw.visit(input) {
        visits[visit.reader].inputs += 1
        visits[visit.reader].values += visit.isValue ? 1 : 0
    }
    return 0
}

private func summarize() {
    let milliseconds = Double(slowest.nanoseconds / 10_000) / 100
    say(
        "slowest: \(milliseconds) ms (\(slowest.size) bytes); largest: \(largest.bytes >> 10) KiB (\(largest.size) bytes)"
    )
    guard law?.name == "values" else { return }
    for (name, visit) in zip(ValueLaw.names, visits) {
        say("value: \(name): \(visit.inputs) inputs, \(visit.values) values")
    }
}

@main
struct Fuzz {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first
        if name == "readers" { return print(ValueLaw.names.count) }
        law = Law.all.first { $0.name == name }
        guard law != nil else {
            say("usage: Fuzz LAW [options]; LAW is \(Law.all.map(\.name).joined(separator: ", "))")
            exit(64)
        }
        visits = ValueLaw.names.map { _ in (0, 0) }
        // Values that are created once do not count for the first input.
        try? law?.check([])
        _ = installHooks(
            { pointer, size in
                guard isCounting else { return }
                allocated += size
                peak = max(peak, allocated)
            },
            { pointer in
                guard isCounting, let pointer else { return }
                allocated -= allocatedSize(pointer)
            }
        )
        atexit { summarize() }
        var arguments = CommandLine.unsafeArgv
        arguments[1] = arguments[0]
        arguments += 1
        var count = CommandLine.argc - 1
        exit(runDriver(&count, &arguments, one))
    }
}
