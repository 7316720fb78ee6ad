// A law under libFuzzer with ASan: see Tests/Fuzz/run.py, which builds and calls this.
//
//   Fuzz LAW [libFuzzer's options and corpora]
//   Fuzz readers        how many bytes choose a reader of values
//
// Built only when REMINDAV_FUZZ is set, since libFuzzer has no place in a normal build.

import Glibc
import Laws

/// What one input may cost: 100 ms and 64 MB per 64 KiB, a shorter input counting as 64 KiB.
///
/// Time is the thread's own and memory what the law holds at its peak, so neither depends on what else the machine does.
/// Here the time is ten times as long, since ASan and the counters make the same work about ten times as slow; the inputs
/// that are found are read again by `Mutations --bound`, built for release, with 100 ms and no allowance.
enum Bound {
    static let chunk = 65_536
    static let slowness = 10
    static let nanoseconds = 100_000_000 * slowness
    static let bytes = 64 << 20

    static func chunks(_ size: Int) -> Int { max((size + self.chunk - 1) / self.chunk, 1) }
}

/// The bytes that are allocated, counted by ASan's hooks.
nonisolated(unsafe) private var allocated = 0
nonisolated(unsafe) private var peak = 0
nonisolated(unsafe) private var isCounting = false
nonisolated(unsafe) private var law: Law?
/// What was spent at most, for the line at the end.
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

/// A line on standard error, where libFuzzer's own lines go.
private func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(2, bytes, bytes.count)
}

private func fail(_ sentence: String) -> Never {
    say("\nLAW \(law?.name ?? "") BROKEN: \(sentence)")
    abort()
}

/// One input; the name is libFuzzer's.
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
        // What is made once and kept is no cost of the first input.
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
