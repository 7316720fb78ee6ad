package import Store

/// A collection that the server lets nobody change: what was changed here waits, and nothing is sent.
package struct ReadOnlyCollection: RemoteCollection {
    private let real: any RemoteCollection
    private let error: RemoteError

    /// - Parameter reason: what is said of each change that waits.
    package init(_ real: any RemoteCollection, reason: any Error) {
        self.real = real
        self.error = RemoteError(.refused, reason)
    }

    package func key(of href: Href) -> String { self.real.key(of: href) }
    package func newHref() -> Href { self.real.newHref() }

    package func href(movedFrom href: Href) -> Href { self.real.href(movedFrom: href) }

    package func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> RemoteChanges {
        try await self.real.changes(since: token, wantsTexts: wantsTexts)
    }

    package func everything() async throws(RemoteError) -> RemoteChanges { try await self.real.everything() }

    package func listing() async throws(RemoteError) -> RemoteChanges { try await self.real.listing() }

    package func fetch(_ hrefs: [Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.real.fetch(hrefs)
    }

    package func fetch(removed hrefs: [Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.real.fetch(removed: hrefs)
    }

    package func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag? { throw self.error }

    package func fill(_ text: [UInt8]) async throws(RemoteError) -> RemoteFilling { .notOffered }

    package func update(
        _ text: [UInt8],
        at href: Href,
        ifMatch etag: EntityTag
    ) async throws(RemoteError) -> EntityTag? { throw self.error }

    /// What was moved before is sent to its new list all the same.
    package func move(
        _ href: Href,
        ifMatch etag: EntityTag,
        to destination: Href
    ) async throws(RemoteError) -> RemoteMove { .notOffered }

    package func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool { throw self.error }
}
