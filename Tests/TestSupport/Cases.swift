import Glibc

/// The share of the cases of laws and fixtures that run: `REMINDAV_SHARE` percent, and all of them without it.
///
/// The default stage of `Tests/run.sh` runs a fifth; `--full` runs all.
package enum Cases {
    private static let percent: Int = {
        guard let text = getenv("REMINDAV_SHARE"), let number = Int(String(cString: text)) else { return 100 }
        return min(max(number, 1), 100)
    }()

    /// The share of `count` cases, at least one.
    package static func count(_ count: Int) -> Int { max(1, count * self.percent / 100) }

    /// The share of the elements, at even distances, at least one.
    package static func sample<Element>(_ all: some Collection<Element>) -> [Element] {
        let all = Array(all)
        let count = min(self.count(all.count), all.count)
        return (0..<count).map { all[$0 * all.count / count] }
    }
}
