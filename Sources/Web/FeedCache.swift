import Compression
import HTTP
import Store
import Synchronization

/// The body of a feed, with the values for the headers of a response.
final class FeedBody: Sendable {
    let bytes: [UInt8]
    /// `nil` for a feed without reminders.
    let lastModified: String?
    private let digest: String
    private let compressed = Mutex<Task<[UInt8]?, Never>?>(nil)

    init(_ bytes: [UInt8], lastModified: String?) {
        self.bytes = bytes
        self.digest = SHA256(bytes).hexadecimal
        self.lastModified = lastModified
    }

    /// The strong entity tag of the body in a coding (RFC 9110 §8.8.3): the bytes differ, and so do the tags.
    func tag(_ coding: ContentCoding) -> String {
        switch coding {
        case .identity: "\"\(self.digest)\""
        case .gzip: "\"\(self.digest)-gzip\""
        }
    }

    /// Made by the first request for it; `nil` if the bytes cannot be compressed.
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

/// The bodies of feeds, each kept until a reminder of the feed changes.
///
/// A request for an unchanged feed reads no text of a reminder. If the version of the store has changed, the revisions
/// of the reminders are compared: most writes, such as the record of a sync, change no reminder. Requests that arrive
/// while a body is made wait for it.
actor FeedCache {
    /// The size of all kept bodies in bytes: nine feeds of 10,000 reminders with their gzip forms; beyond it, all
    /// bodies are dropped.
    private static let maximumKeptBytes = 64 << 20
    /// A body counts twice: its gzip form is not longer than the body, and usually a quarter of it.
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

    /// `nil` if there is no such feed or it was revoked.
    func body(of tokenHash: [UInt8]) async throws -> FeedBody? {
        guard let version = try await self.source.version(tokenHash) else {
            self.entries[tokenHash] = nil
            return nil
        }
        if let entry = self.entries[tokenHash], entry.version == version { return try await entry.made.value?.body }
        let task = Task { [source, make, previous = self.entries[tokenHash]?.made] () -> Made? in
            // The revisions are read before the texts: a later change increases them.
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
        // Another request may have started a newer version in the meantime.
        guard self.entries[tokenHash]?.version == version else { return }
        self.entries[tokenHash]?.bytes = (body?.bytes.count ?? 0) * Self.formsOfBody
        guard self.entries.values.reduce(0, { $0 + $1.bytes }) > Self.maximumKeptBytes else { return }
        // No order of use is recorded, so all finished bodies are dropped.
        self.entries = self.entries.filter { $0.value.bytes == 0 }
    }
}
