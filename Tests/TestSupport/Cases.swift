import Glibc

/// The shares of the cases that run: 100 percent without the environment variables.
///
/// `Tests/run.sh` sets `REMINDAV_LAWS` for the random cases of laws, and `REMINDAV_SHARE` for fixtures and zones.
package enum Cases {
    private static let laws = percent("REMINDAV_LAWS")
    private static let share = percent("REMINDAV_SHARE")

    private static func percent(_ name: String) -> Int {
        guard let text = getenv(name), let number = Int(String(cString: text)) else { return 100 }
        return min(max(number, 1), 100)
    }

    /// The share of `count` random cases, at least one.
    package static func count(_ count: Int) -> Int { max(1, count * self.laws / 100) }

    /// The share of the elements, at even distances, at least one.
    package static func sample<Element>(_ all: some Collection<Element>) -> [Element] {
        let all = Array(all)
        let count = min(max(1, all.count * self.share / 100), all.count)
        return (0..<count).map { all[$0 * all.count / count] }
    }
}
