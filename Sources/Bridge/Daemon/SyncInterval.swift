/// How often an account is synced by itself.
package struct SyncInterval: Hashable, Sendable {
    /// The seconds between two syncs; `nil` for none but those that a person asks for.
    package let seconds: Int?

    /// Seconds between two syncs at the most: who wants fewer than one a day asks for them.
    package static let maximumSeconds = 24 * 3600

    /// As a person writes it.
    ///
    /// - Returns: `nil` for what is neither a number of minutes or hours, from `1m` to `24h`, nor `never`.
    package init?(_ word: String) {
        if word == "never" {
            self.seconds = nil
            return
        }
        let unit = ["m": 60, "h": 3600][word.suffix(1)]
        let digits = word.dropLast()
        guard let unit, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits),
            (1...Self.maximumSeconds / unit).contains(count)
        else { return nil }
        self.seconds = count * unit
    }
}
