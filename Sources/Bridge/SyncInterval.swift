package struct SyncInterval: Hashable, Sendable {
    package let seconds: Int?

    /// The maximum interval; for longer intervals, the user can run `sync`.
    package static let maximumSeconds = 24 * 3600

    /// Parses `never`, or minutes or hours from `1m` to `24h`; `nil` for any other text.
    package init?(_ text: String) {
        if text == "never" {
            self.seconds = nil
            return
        }
        let unit = ["m": 60, "h": 3600][text.suffix(1)]
        let digits = text.dropLast()
        guard let unit, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits),
            (1...Self.maximumSeconds / unit).contains(count)
        else { return nil }
        self.seconds = count * unit
    }
}
