import RemindavHTTP

/// The path and the query of a request.
struct Target: Sendable {
    /// The decoded parts between the slashes.
    let path: [String]
    let query: FormFields

    /// `nil` if the query has too many fields.
    init?(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.path = parts[0].split(separator: "/", omittingEmptySubsequences: true).map { part in
            String(decoding: PercentCoding.decode(part), as: UTF8.self)
        }
        guard let query = FormFields(parts.count > 1 ? parts[1] : "") else { return nil }
        self.query = query
    }
}
