import Glibc
import RemindavTestSupport
import Testing

/// Compares a text with `Fixtures/‹folder›/‹name›`.
///
/// With `UPDATE_SNAPSHOTS` set it writes the file instead.
func expectSnapshot(
    _ text: String,
    _ name: String,
    in folder: String = "cli",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let path = "\(folder)/\(name)"
    if getenv("UPDATE_SNAPSHOTS") != nil {
        guard let file = fopen("\(Fixture.folder)/\(path)", "wb") else {
            Issue.record("\(path) cannot be written", sourceLocation: sourceLocation)
            return
        }
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        return
    }
    guard let expected = try? Fixture.text(path) else {
        Issue.record("\(path) is missing; UPDATE_SNAPSHOTS=1 writes it", sourceLocation: sourceLocation)
        return
    }
    guard expected != text else { return }
    let left = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let right = text.split(separator: "\n", omittingEmptySubsequences: false)
    let difference = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }
    let line = difference?.offset ?? min(left.count, right.count)
    Issue.record(
        """
        \(path) differs in line \(line + 1):
        expected: \(line < left.count ? String(left[line]) : "(end)")
        got:      \(line < right.count ? String(right[line]) : "(end)")
        """,
        sourceLocation: sourceLocation
    )
}
