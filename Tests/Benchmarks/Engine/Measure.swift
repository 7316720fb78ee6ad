import Glibc

/// The counts of a pass, by name: programs that do the same work have the same counts.
typealias Findings = KeyValuePairs<String, Int>

/// Measures as `peers/measure.h` does, and prints the same line.
///
/// One pass is not measured. Then passes follow until 0.3 s of processor time are used, at least one. The median counts.
/// The result of a pass is released after its time was taken.
func measure<Result>(_ pass: () throws -> Result, finding: (Result) -> Findings) rethrows {
    var cpu: [Double] = []
    var wall: [Double] = []
    var found: Findings = [:]
    found = finding(try pass())
    while cpu.count < 200, cpu.isEmpty || cpu.reduce(0, +) < 0.3 {
        let (wallStart, cpuStart) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
        let result = try pass()
        cpu.append(seconds(CLOCK_PROCESS_CPUTIME_ID) - cpuStart)
        wall.append(seconds(CLOCK_MONOTONIC) - wallStart)
        withExtendedLifetime(result) {}
    }
    let numbers = found.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    print("cpu=\(cpu.sorted()[cpu.count / 2]) wall=\(wall.sorted()[wall.count / 2]) passes=\(cpu.count) \(numbers)")
}

private func seconds(_ clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

/// Reads files without additional memory.
enum InputFile {
    struct Unreadable: Error { let path: String }

    static func contents(of path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Unreadable(path: path) }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = fread(buffer.baseAddress, 1, size, file)
        }
    }

    /// Calls `body` with the pieces of a file in order, each of at most 64 KiB.
    static func forEachPiece(of path: String, _ body: ([UInt8]) -> Void) throws {
        guard let file = fopen(path, "rb") else { throw Unreadable(path: path) }
        defer { fclose(file) }
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = fread(buffer.baseAddress, 1, 1 << 16, file)
            }
            guard !piece.isEmpty else { return }
            body(piece)
        }
    }
}
