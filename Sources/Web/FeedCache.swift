import RemindavCompression
import RemindavHTTP
import RemindavStore
import Synchronization

/// The body of a feed, with values for the headers of a response.
final class FeedBody: Sendable {
    let bytes: [UInt8]
    /// The value of Last-Modified; `nil` for a feed without reminders.
    let lastModified: String?
    private let digest: String
    private let compressed = Mutex<Task<[UInt8]?, Never>?>(nil)

    init(_ bytes: [UInt8], lastModified: String?) {
        self.bytes = bytes
        self.digest = SHA256(bytes).hexadecimal
        self.lastModified = lastModified
    }

    /// Returns the strong entity tag of the body in a coding (RFC 9110 §8.8.3); the tags of two codings differ.
    func tag(_ coding: ContentCoding) -> String {
        switch coding {
        case .identity: "\"\(self.digest)\""
        case .gzip: "\"\(self.digest)-gzip\""
        }
    }

    /// The body in gzip format, compressed by the first request for it; `nil` when the compression fails.
    var gzip: [UInt8]? {
        get async {
            let task = self.compressed.withLock { task in
                let running = task ?? Task.detached { [bytes] in Gzip.compress(bytes) }
                task = running
                return running
            }
            return await task.value
        }
    }
}

/// The bodies of feeds; each body is stored until a reminder of its feed changes.
///
/// A request for an unchanged feed reads no text of a reminder. If the content version of the store has changed, the
/// cache compares the revisions of the reminders, because most writes, such as the record of a sync, change no
/// reminder. Requests that arrive while a body is being created wait for that body.
actor FeedCache {
    /// The maximum bytes of all bodies, enough for nine feeds of 10,000 reminders; above it, finished ones are dropped.
    private static let maximumKeptBytes = 64 << 20
    /// The size of a body is doubled for its gzip form, which is at most as long as the body (usually a quarter).
    private static let formsOfBody = 2
    private typealias Made = (revisions: FeedRevisions, body: FeedBody)

    private struct Entry {
        let version: ContentVersion
        let made: Task<Made?, any Error>
        var bytes = 0
    }

    private var entries: [[UInt8]: Entry] = [:]
    private let source: FeedSource
    private let make: @Sendable (FeedContent) -> FeedBody

    init(_ source: FeedSource, make: @escaping @Sendable (FeedContent) -> FeedBody) {
        self.source = source
        self.make = make
    }

    /// Returns the body of a feed; `nil` when no feed has this token or the feed was revoked.
    func body(of tokenHash: [UInt8]) async throws -> FeedBody? {
        guard let version = try await self.source.version(tokenHash) else {
            self.entries[tokenHash] = nil
            return nil
        }
        if let entry = self.entries[tokenHash], entry.version == version { return try await entry.made.value?.body }
        let task = Task { [source, make, previous = self.entries[tokenHash]?.made] () -> Made? in
            // The revisions are read before the texts, so the next request detects a change that happens in between.
            guard let revisions = try await source.revisions(tokenHash) else { return nil }
            if let old = try? await previous?.value, old.revisions == revisions { return old }
            return try await source.content(tokenHash).map { (revisions, make($0)) }
        }
        self.entries[tokenHash] = Entry(version: version, made: task)
        do {
            let body = try await task.value?.body
            self.keep(body, of: tokenHash, at: version)
            return body
        } catch {
            if self.entries[tokenHash]?.version == version { self.entries[tokenHash] = nil }
            throw error
        }
    }

    private func keep(_ body: FeedBody?, of tokenHash: [UInt8], at version: ContentVersion) {
        // Another request may have started to create a newer version of the body.
        guard self.entries[tokenHash]?.version == version else { return }
        self.entries[tokenHash]?.bytes = (body?.bytes.count ?? 0) * Self.formsOfBody
        guard self.entries.values.reduce(0, { $0 + $1.bytes }) > Self.maximumKeptBytes else { return }
        // The cache does not record when a body was last used, so it drops all finished bodies.
        self.entries = self.entries.filter { $0.value.bytes == 0 }
    }
}
