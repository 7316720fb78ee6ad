import Store

/// The body of a feed, with the values for the headers of a response.
struct FeedBody: Sendable {
    let bytes: [UInt8]
    /// A strong entity tag, with its quotation marks (RFC 9110 §8.8.3).
    let tag: String
    /// The value of Last-Modified; `nil` for a feed without reminders.
    let lastModified: String?
}

/// The bodies of feeds, each kept until the store changes.
///
/// A body of 10,000 reminders takes half a second, and a repeated request with the same entity tag does not need it.
/// Requests that come while a body is made wait for that one.
actor FeedCache {
    /// The maximum size of all kept bodies in bytes: ten feeds of 10,000 reminders.
    private static let maximumKeptBytes = 64 << 20

    private struct Entry {
        let version: ContentVersion
        let body: Task<FeedBody?, any Error>
        /// 0 until the body is made.
        var bytes = 0
    }

    private var entries: [[UInt8]: Entry] = [:]

    /// The body of a feed.
    ///
    /// - Parameters:
    ///   - tokenHash: names the feed.
    ///   - version: that of the store, read before `make` reads it.
    ///   - make: makes the body; `nil` when there is no such feed any more.
    func body(
        of tokenHash: [UInt8],
        at version: ContentVersion,
        make: @escaping @Sendable () async throws -> FeedBody?
    ) async throws -> FeedBody? {
        if let entry = self.entries[tokenHash], entry.version == version { return try await entry.body.value }
        let task = Task { try await make() }
        self.entries[tokenHash] = Entry(version: version, body: task)
        do {
            let body = try await task.value
            self.keep(body, of: tokenHash, at: version)
            return body
        } catch {
            if self.entries[tokenHash]?.version == version { self.forget(tokenHash) }
            throw error
        }
    }

    /// Forgets a feed that was revoked.
    func forget(_ tokenHash: [UInt8]) { self.entries[tokenHash] = nil }

    private func keep(_ body: FeedBody?, of tokenHash: [UInt8], at version: ContentVersion) {
        // Another request may have started a newer version meanwhile.
        guard self.entries[tokenHash]?.version == version else { return }
        self.entries[tokenHash]?.bytes = body?.bytes.count ?? 0
        guard self.entries.values.reduce(0, { $0 + $1.bytes }) > Self.maximumKeptBytes else { return }
        // No order of use is recorded, so all finished bodies are dropped.
        self.entries = self.entries.filter { $0.value.bytes == 0 }
    }
}
