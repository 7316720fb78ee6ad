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
        /// When the store last had this version.
        var confirmed: ContinuousClock.Instant
        var bytes = 0
    }

    private var entries: [[UInt8]: Entry] = [:]
    private let source: FeedSource
    private let make: @Sendable (FeedContent) -> FeedBody
    private let secondsWithoutStore: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - secondsWithoutStore: for so long, a body is returned although the store cannot be read; 0 for never.
    ///   - now: the time by a clock without steps.
    init(
        _ source: FeedSource,
        secondsWithoutStore: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        make: @escaping @Sendable (FeedContent) -> FeedBody
    ) {
        self.source = source
        self.secondsWithoutStore = secondsWithoutStore
        self.now = now
        self.make = make
    }

    /// Returns the body of a feed; `nil` when no feed has this token or the feed was revoked.
    ///
    /// The age is the number of seconds since the store last confirmed the body; `nil` if it has just confirmed it.
    /// - Throws: the error of the store, if the cache has no body that is young enough.
    func body(of tokenHash: [UInt8]) async throws -> (body: FeedBody, age: Int?)? {
        let asked = self.now()
        let version: ContentVersion?
        do {
            version = try await self.source.version(tokenHash)
        } catch {
            guard let old = await self.lastBody(of: tokenHash) else { throw error }
            return old
        }
        guard let version else {
            self.entries[tokenHash] = nil
            return nil
        }
        return try await self.body(of: tokenHash, at: version, asked: asked).map { ($0, nil) }
    }

    /// The last body of a feed, without the store; `nil` if there is none, or if it is too old.
    private func lastBody(of tokenHash: [UInt8]) async -> (body: FeedBody, age: Int?)? {
        guard let entry = self.entries[tokenHash], entry.bytes > 0 else { return nil }
        let age = Int(entry.confirmed.duration(to: self.now()) / .seconds(1))
        guard age < self.secondsWithoutStore else { return nil }
        return (try? await entry.made.value?.body).map { ($0, age) }
    }

    private func body(
        of tokenHash: [UInt8],
        at version: ContentVersion,
        asked: ContinuousClock.Instant
    ) async throws -> FeedBody? {
        if let entry = self.entries[tokenHash], entry.version == version {
            self.entries[tokenHash]?.confirmed = max(entry.confirmed, asked)
            return try await entry.made.value?.body
        }
        let task = Task { [source, make, previous = self.entries[tokenHash]?.made] () -> Made? in
            // The revisions are read before the texts, so the next request detects a change that happens in between.
            guard let revisions = try await source.revisions(tokenHash) else { return nil }
            if let old = try? await previous?.value, old.revisions == revisions { return old }
            return try await source.content(tokenHash).map { (revisions, make($0)) }
        }
        self.entries[tokenHash] = Entry(version: version, made: task, confirmed: asked)
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
